"""Motions followed down to their lowest parameter: sizes, descents, agreement of several ways."""
