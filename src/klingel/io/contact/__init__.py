"""Contact tables on disk: cache, text files, tables of other programs."""
