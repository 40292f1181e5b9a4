"""Error analysis, grading of extracts, and extractors of source sentences."""
