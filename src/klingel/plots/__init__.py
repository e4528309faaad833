"""Pictures, one file per kind; `catalogue` names them."""
