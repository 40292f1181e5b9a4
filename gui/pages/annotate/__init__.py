"""The page on which abstract sentences are linked to source sentences."""
