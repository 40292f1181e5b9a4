"""ROUGE as ROUGE-1.5.5 computes it, to the last digit, and extensions."""
