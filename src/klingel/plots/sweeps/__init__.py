"""Pictures of sweeps: bifurcation diagrams, attractors, resonance."""
