"""Metrics, a module for each family, and their signatures."""
