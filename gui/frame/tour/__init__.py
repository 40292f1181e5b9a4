"""Tour: steps on the demonstration corpus, detected when done."""
