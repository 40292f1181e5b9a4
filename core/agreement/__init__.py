"""Agreement of annotators, as pure functions over records (docs/agreement.md)."""
