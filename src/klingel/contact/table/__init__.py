"""Contact tables over the lateral shift: built, cut into sections, compiled."""
