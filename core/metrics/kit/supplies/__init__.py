"""What metrics rest on besides the corpus: parses, word vectors, language models."""
