"""The library `import awase`: corpora, texts, results as frames."""
