"""Constrained wheelset of the Bari test set (II.22)."""
