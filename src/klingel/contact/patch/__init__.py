"""The contact patch: Hertz's ellipse, Kalker's coefficients."""
