"""Pictures of a run over time, distance or another quantity."""
