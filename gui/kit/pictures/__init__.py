"""Pictures of `core.plots` in the window: shown, walked by keys, saved for papers."""
