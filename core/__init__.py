"""The domain: pure functions over frozen records. No Qt, SQL, network, clock or environment.

One look at the environment excepted, which changes no number: `core/kernel/binding.py`.
"""
