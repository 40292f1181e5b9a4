"""Forms: what a dialog asks is a value; its widgets, names, order and keys follow from it."""
