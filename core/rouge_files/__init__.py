"""The files of ROUGE-1.5.5: settings, lists, and summaries in its four formats."""
