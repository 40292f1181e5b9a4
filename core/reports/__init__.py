"""Score tables as text that other programs and papers take."""
