"""Parts of pages with a script of their own: thin Python, one ES module each."""
