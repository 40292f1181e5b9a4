"""Steps of the corpus file's format; each is frozen once it is released."""
