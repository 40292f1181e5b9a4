"""The language of the window, and texts that follow it."""
