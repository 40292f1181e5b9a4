"""Documents of TSC, NTCIR and DUC in SGML."""
