"""Periodic motions of vehicles: orbits at a speed, branches over a parameter."""
