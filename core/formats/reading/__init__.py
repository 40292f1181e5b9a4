"""What readers of all formats share: fields, lines, places, what is told of a file."""
