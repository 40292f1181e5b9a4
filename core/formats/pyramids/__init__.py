"""DUCView: pyramids and peer annotations."""
