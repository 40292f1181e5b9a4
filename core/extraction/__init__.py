"""Extractors that select source sentences, such as those of the TSC-3 paper."""
