"""Wheel on rail, without dynamics."""
