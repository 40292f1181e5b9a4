"""The window: views show, models adapt, commands change."""
