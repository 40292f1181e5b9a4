"""Metrics that other packages compute: BLEU, chrF, BERTScore."""
