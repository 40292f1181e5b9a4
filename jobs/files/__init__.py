"""Files and folders, read and written whole or not at all."""
