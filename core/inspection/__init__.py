"""Where systems fail: abstract sentence by system, what was wasted, what a text resembles."""
