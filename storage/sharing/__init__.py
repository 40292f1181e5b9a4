"""What several people on one server need: locks, word of each other's changes, who is there."""
