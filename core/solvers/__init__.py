"""Exact solvers, independent of the domain."""
