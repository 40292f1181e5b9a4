"""How rows of wrapped text are painted."""
