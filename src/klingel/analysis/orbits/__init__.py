"""Periodic orbits of hybrid problems: shooting through events, multipliers, branches, special points."""
