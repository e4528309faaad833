"""Pictures of profiles, contact and creep."""
