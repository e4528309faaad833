"""How a vehicle stands: rest, preloads, what holds it, why it does not stand; a kicked wheelset on its rails."""
