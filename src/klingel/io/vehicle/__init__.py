"""Vehicle files: schema, reading, units, writing."""
