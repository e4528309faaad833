"""What the warm processes answer: vehicles, contact, runs and sweeps as plain data. Imports no web package."""
