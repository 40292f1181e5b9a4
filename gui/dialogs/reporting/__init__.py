"""The report about the systems, as a file."""
