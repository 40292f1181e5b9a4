"""Extractors: systems that choose source sentences, such as those of the TSC-3 paper."""
