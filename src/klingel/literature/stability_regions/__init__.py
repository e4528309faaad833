"""Stability of the integration methods (Hoffmann 2006, 3.1 and 3.2)."""
