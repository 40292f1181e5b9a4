"""Project management: assignments, progress, owners of topics."""
