"""The command palette: every command of the program, found by a few letters."""
