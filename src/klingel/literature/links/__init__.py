"""UIC links: loops, sway, identification from a record (Hoffmann 2006, 2.3.3)."""
