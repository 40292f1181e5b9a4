"""Reports: all about some systems on one page that needs nothing else."""
