"""Creep-force laws, one file each, and their catalogue."""
