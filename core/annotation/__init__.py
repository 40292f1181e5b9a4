"""Annotation as pure functions: actions, candidates, warnings."""
