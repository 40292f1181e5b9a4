"""Output of commands: tables, scores, studies, progress, errors."""
