"""Similarity of subtrees: texts compared by parts of their dependency trees."""
