"""Work off the GUI thread, and how a dialog or strip shows it."""
