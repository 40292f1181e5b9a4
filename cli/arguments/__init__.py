"""Shared arguments of commands: corpora, names, vectors and models."""
