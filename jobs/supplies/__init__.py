"""What metrics need besides the corpus: parses, vectors, models, and files that the user named."""
