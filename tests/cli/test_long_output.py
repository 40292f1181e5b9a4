"""What is found of very many topics is held packed, and written as it was at once."""

from tests.cli.conftest import CSV, LATEX

_FORMS = (("--json",), (CSV,), ("--output-format", "jsonl"), (LATEX,), ())
