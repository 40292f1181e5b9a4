"""What this package adds to Awase."""
