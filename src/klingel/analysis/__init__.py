"""What motions of any system look like: extrema, kinds of motion, transients."""
