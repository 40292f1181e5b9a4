"""Text in, tuples out: encodings and sentences."""
