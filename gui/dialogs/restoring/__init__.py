"""Goes back to a backup."""
