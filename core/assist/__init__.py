"""What is suggested to an annotator, how sure it is, and what an alternative still lacks."""
