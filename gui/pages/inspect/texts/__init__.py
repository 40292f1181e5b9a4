"""A text sentence by sentence, with what it resembles."""
