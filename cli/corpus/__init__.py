"""Commands about a corpus as a whole: made, imported, exported, checked, mended, undone."""
