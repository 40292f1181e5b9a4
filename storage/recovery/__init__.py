"""What can be saved of a damaged corpus file."""
