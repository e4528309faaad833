"""Signals and hysteresis loops: delays, fits of sliders."""
