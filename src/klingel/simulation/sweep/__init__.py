"""Brute-force bifurcation diagrams: chains of runs over a parameter."""
