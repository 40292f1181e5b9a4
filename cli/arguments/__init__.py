"""What several commands take alike: corpora, names, vectors and models."""
