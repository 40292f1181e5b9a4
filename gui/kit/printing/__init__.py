"""What is in sight, on paper."""
