"""What commands print: tables, scores, studies, progress, failures."""
