"""sacrerouge's JSONL of metric values: an object a line, one output of one system each.

{"instance_id": "t1", "summarizer_id": "11", "summarizer_type": "peer",
 "metrics": {"rouge-1": {"recall": 0.5}, "grade": [2, 3, 3]}}
"""

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.records import json_objects
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.scores.score_rows import Rows, human_result


def read(request: ReadRequest) -> ReadResult:
    """Returns the human scores of a file; every value counts as one."""
    return human_result(rows_of(request.text, request.source), request)


def rows_of(text: str, source: str) -> Rows:
    """Returns the scores of a file, human or not."""
    rows = Rows(Findings(source))
    for line, record in json_objects(text, rows.problems):
        _take(line, record, rows)
    return rows


def _take(line: int, record: Mapping[str, Any], rows: Rows) -> None:
    if not isinstance(record.get("metrics"), dict):
        rows.problems.add(
            line,
            what="The line has no metrics.",
            hint='Each line is an object with "instance_id", "summarizer_id" and "metrics".',
        )
        return
    topic, system = record.get("instance_id"), record.get("summarizer_id")
    if not isinstance(topic, str | int) or not isinstance(system, str | int):
        rows.problems.add(
            line,
            what="The line lacks an instance_id or a summarizer_id.",
            hint="Both are strings.",
        )
        return
    if record.get("summarizer_type") == "reference":
        rows.note_reference(str(system))
        return
    for measure, value in _flat(record["metrics"], ""):
        rows.take(line, value, system=str(system), measure=measure, topic=str(topic))


def _flat(metrics: Mapping[str, object], prefix: str) -> Iterator[tuple[str, str]]:
    """Yields (name, value as text): keys of nested objects joined by `_`, lists averaged."""
    for key, value in metrics.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _flat(value, f"{name}_")
        elif isinstance(value, list):
            numbers = [one for one in value if isinstance(one, int | float)]
            yield name, repr(fmean(numbers)) if numbers and len(numbers) == len(value) else ""
        else:
            yield name, "" if value is None else str(value)
