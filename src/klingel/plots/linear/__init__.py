"""Pictures of linearisations."""
