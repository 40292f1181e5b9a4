"""sacrerouge's JSONL of summaries: an object a line, what one system wrote about one instance.

{"instance_id": "t1", "summarizer_id": "11", "summarizer_type": "peer",
 "documents": [{"text": ["…"]}], "summary": {"text": ["…", "…"]},
 "references": [{"summarizer_id": "A", "text": ["…"]}]}
"""

from collections.abc import Mapping
from typing import Any

from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.records import json_records
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.scores.score_rows import Rows
from awase.core.formats.tables.text_records import (
    SOURCE_ID,
    OutputText,
    Text,
    TextRecord,
    TextTopics,
    numbered,
)


def read(request: ReadRequest) -> ReadResult:
    """Returns topics with documents, references and the systems' texts."""
    rows = Rows(Findings(request.source))
    topics = TextTopics(request, rows)
    for line, value in json_records(request.text):
        record: Any = value
        summary = _text(record.get("summary")) if isinstance(record, dict) else None
        if not isinstance(record, dict) or "instance_id" not in record or summary is None:
            rows.problems.add(
                line,
                what="The line has no summary of an instance.",
                hint='Each line is an object with "instance_id", "summarizer_id" and "summary".',
            )
            continue
        topics.take(_record(line, record, summary))
    return topics.result()


def _record(line: int, record: Mapping[str, Any], summary: Text) -> TextRecord:
    own = record["summary"] if isinstance(record["summary"], dict) else {}
    system = str(record.get("summarizer_id") or own.get("summarizer_id") or "system")
    is_reference = record.get("summarizer_type") == "reference"
    references = _named(record.get("references"), "ref")
    if is_reference:
        references[system] = summary
    return TextRecord(
        line=line,
        topic=str(record["instance_id"]),
        documents=numbered(
            [t for one in record.get("documents") or () if (t := _text(one)) is not None], SOURCE_ID
        ),
        references=references,
        outputs=() if is_reference else (OutputText(system=system, text=summary),),
    )


def _named(entries: object, name: str) -> dict[str, Text]:
    if not isinstance(entries, list):
        return {}
    found: dict[str, Text] = {}
    for number, entry in enumerate(entries, start=1):
        text = _text(entry)
        if text is not None:
            id_ = entry.get("summarizer_id") if isinstance(entry, dict) else None
            found[str(id_ or f"{name}{number}")] = text
    return found


def _text(entry: object) -> Text | None:
    value = entry.get("text") if isinstance(entry, dict) else entry
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    return None
