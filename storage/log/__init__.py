"""The operation log: what was done, and what can be undone."""
