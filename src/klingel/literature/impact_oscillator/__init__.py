"""Mass with dry friction, dead band and a wall (Hoffmann 2006, B.1)."""
