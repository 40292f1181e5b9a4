"""Where the annotator is and what is done there."""
