"""Reports: scores as text for papers and programs, and an HTML report."""
