"""Rod between four guides: single and double impacts (Hoffmann 2006, B.3)."""
