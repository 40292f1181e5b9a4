"""How far annotators agree, as pure functions over records: docs/agreement.md."""
