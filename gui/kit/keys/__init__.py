"""Which key does what, and the user's own keys."""
