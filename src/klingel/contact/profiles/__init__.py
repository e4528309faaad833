"""Wheel and rail profiles as plane curves."""
