"""Where friction can hold a vehicle at rest: its set of rest states, parts that do not hang together, files."""
