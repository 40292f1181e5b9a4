"""Pseudo-pyramid: units of systems matched with units of oracles."""
