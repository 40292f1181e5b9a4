"""Reports: scores as text that papers and other programs take, and one page about everything."""
