"""Nonsmooth railway vehicle dynamics."""

__version__ = "0.1.0"
