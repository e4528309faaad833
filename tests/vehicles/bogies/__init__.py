"""Bogies as templates."""
