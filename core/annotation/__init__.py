"""What annotators do, as pure functions: actions, candidates, warnings."""
