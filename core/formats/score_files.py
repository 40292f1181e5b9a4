"""Scores of metrics from files, and aliases of systems."""

from importlib import import_module
from typing import Protocol, cast

from awase.core.errors import InputError, Listing
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.records import first_record, is_json
from awase.core.formats.registry import FORMATS
from awase.core.formats.scores.score_rows import Rows, metric_table
from awase.core.records.score import ScoreTable

# Formats with scores of people and of metrics.
SCORE_FORMATS = ("score-table", "wmt-scores", "sacrerouge")


class _RowsOf(Protocol):
    def __call__(self, text: str, source: str) -> Rows: ...


def metric_scores_of_file(text: str, source: str, format_id: str) -> ScoreTable:
    """Returns the metrics' scores of a file."""
    rows_of = cast(_RowsOf, import_module(FORMATS[format_id].module).rows_of)
    return metric_table(rows_of(text, source))


def format_of_scores(name: str, text: str) -> str:
    """Returns a file's `SCORE_FORMATS` by its first JSON record or ending, else InputError."""
    record = first_record(text) if is_json(text) else None
    if isinstance(record, dict):
        return "sacrerouge" if "metrics" in record else "score-table"
    for format_id in SCORE_FORMATS:
        if name.lower().endswith(FORMATS[format_id].suffixes):
            return format_id
    raise InputError.of(
        "The ending of “{name}” does not tell its format.",
        "Name the format: one of {known}.",
        name=name,
        known=Listing(SCORE_FORMATS),
    )


def aliases_of_file(text: str, source: str) -> dict[str, str]:
    """Parses aliases: name in the first column, system in the second.

    Columns are separated by tabs, or by commas without any tab; # starts a comment line.
    """
    problems = Findings(source)
    aliases: dict[str, str] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        names = [name.strip() for name in line.split("\t" if "\t" in line else ",")]
        if len(names) != 2 or not all(names):
            problems.add(
                number,
                what="The line does not have two names.",
                hint="Write: other name, tab or comma, name of the system.",
            )
        elif aliases.setdefault(names[0], names[1]) != names[1]:
            problems.add(
                number,
                what="“{name}” already stands for “{system}”.",
                hint="Keep one of the two lines.",
                name=names[0],
                system=aliases[names[0]],
            )
    problems.refuse_if_any()
    return aliases
