"""The program ROUGE-1.5.5: its options, its runs, what it prints."""
