"""Explanations of a metric beside the inspected sentence."""
