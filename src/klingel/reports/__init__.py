"""Pages and tables of results: run, contact, hunting."""
