"""Laws of elements, one file each; the list of files is the catalogue."""
