"""Bogies as templates: one file for what a bogie is made of, one for its file and sources."""
