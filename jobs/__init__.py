"""Jobs shared by the window, the command line and the library."""
