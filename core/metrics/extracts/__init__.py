"""The scores of TSC-3: h, precision, coverage, weighted coverage."""
