"""Rigid bodies: kinematics, inertia, their rows in the tables."""
