"""Where systems fail, what extracts are worth, and systems that choose source sentences."""
