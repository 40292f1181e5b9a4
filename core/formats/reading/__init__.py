"""Common parts of all readers: fields, lines, positions, findings."""
