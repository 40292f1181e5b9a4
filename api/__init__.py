"""What `import awase` offers, and how it is done: corpora, texts, results as frames."""
