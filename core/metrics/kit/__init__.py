"""What families of metrics share: options, cases, supplies, rows, means, warnings."""
