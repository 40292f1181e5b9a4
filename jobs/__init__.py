"""What the window, the command line and the library do alike: each job once."""
