"""The track: alignment, irregularities."""
