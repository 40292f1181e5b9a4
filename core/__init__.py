"""The domain: pure functions over frozen records. No Qt, SQL, network, clock or environment."""
