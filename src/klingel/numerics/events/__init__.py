"""Event detection: when a guard crosses, which events happen together, what they switch."""
