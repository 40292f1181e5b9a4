"""Exact solvers that know nothing of the domain."""
