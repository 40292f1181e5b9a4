"""Building blocks of pages and dialogs."""
