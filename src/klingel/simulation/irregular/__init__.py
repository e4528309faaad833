"""Vehicles where no orbit is left, and between attractors: sections, survival times, motions on an edge."""
