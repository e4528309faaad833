"""Where no orbit is left, and between attractors: sections, exponents, times of survival, motions on an edge."""
