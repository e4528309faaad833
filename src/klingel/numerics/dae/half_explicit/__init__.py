"""Half-explicit Runge-Kutta methods for DAEs."""
