"""Vehicles as data: templates, their parameters, checks of a description."""
