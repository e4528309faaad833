"""One file per kind of element: everything the model does with it (see `registry` for the hooks)."""
