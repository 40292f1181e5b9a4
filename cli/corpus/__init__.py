"""Commands about a corpus: creating, import, export, checks, repair, undo."""
