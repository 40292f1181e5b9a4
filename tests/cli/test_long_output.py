"""What is found of very many topics is held packed, and written as it was at once."""
