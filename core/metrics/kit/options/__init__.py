"""What an option is, and those that several metrics have."""
