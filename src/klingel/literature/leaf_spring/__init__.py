"""Mass on a leaf spring (Hoffmann 2006, B.2)."""
