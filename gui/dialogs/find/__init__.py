"""Finding words: in the topic at the desk, and in the whole corpus."""
