"""Who works on what, how far they are, and copies that are handed out and joined."""
