"""Integration of ordinary differential equations: Runge-Kutta and W-methods, step control, the event loop."""
