"""Published numbers next to computed ones: claims as data, each with a small study that computes it."""
