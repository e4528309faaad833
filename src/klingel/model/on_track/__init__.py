"""A vehicle on curved, canted, irregular track."""
