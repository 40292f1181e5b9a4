"""An index of the words of a large corpus, in a file of its own beside the user's other caches."""
