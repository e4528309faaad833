"""Pictures of element laws: characteristics, state machines."""
