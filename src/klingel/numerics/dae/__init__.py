"""Differential-algebraic equations of index up to 3."""
