"""What agreement is measured with: codings, distances, levels, kinds of difference."""
