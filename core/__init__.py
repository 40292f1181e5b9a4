"""The domain: pure functions over frozen records. No Qt, SQL, network, clock or environment."""
# But for one look at the environment, which changes no number: `core/kernel/binding.py`.
