"""Finding words: in the topic that is annotated, and in the whole corpus."""
