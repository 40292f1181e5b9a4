"""The compiled inner loops, where they were built; numpy does the same work where they were not."""
