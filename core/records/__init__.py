"""Frozen records of a corpus; their invariants are checked on construction."""
