"""Pages, a folder each, independent of each other."""
