"""How long annotators worked."""
