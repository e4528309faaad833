"""Track files and measured irregularities."""
