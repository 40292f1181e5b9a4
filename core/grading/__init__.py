"""Composing an extract: what it is worth, what each sentence would add, the best within a limit."""
