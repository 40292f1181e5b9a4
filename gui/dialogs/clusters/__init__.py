"""Which words pruned metrics take for one."""
