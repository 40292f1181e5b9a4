"""An open corpus in the window: records, undo, settings, services."""
