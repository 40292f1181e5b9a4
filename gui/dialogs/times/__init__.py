"""Working times."""
