"""Commands for several annotators: work handed out and merged, agreement, times."""
