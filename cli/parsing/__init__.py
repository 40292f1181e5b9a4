"""Commands that parse sentences, and the files that parses are read from and written to."""
