"""Jobs off the GUI thread, and their display."""
