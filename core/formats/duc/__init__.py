"""Files of DUC and TAC: documents, abstracts, extracts, people's scores."""
