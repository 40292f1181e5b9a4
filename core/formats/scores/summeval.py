"""SummEval's JSONL: a line an output, with references and human scores."""

from collections.abc import Iterator, Mapping
from typing import Any

from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.records import NOT_JSON, filled_lines, json_value
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.scores.score_rows import Rows
from awase.core.formats.tables.text_records import SOURCE_ID, OutputText, TextRecord, TextTopics

_GROUPS = {"expert_annotations": "expert", "turker_annotations": "turker"}


def read(request: ReadRequest) -> ReadResult:
    """Returns topics with references, texts of systems and human scores."""
    rows = Rows(Findings(request.source))
    topics = TextTopics(request, rows)
    first: dict[tuple[str, str], tuple[int, str]] = {}
    for line, text in filled_lines(request.text):
        record = _record(line, text, rows.problems)
        if record is None:
            continue
        topic, system = record["id"].strip(), record["model_id"].strip()
        known = first.setdefault((topic, system), (line, text))
        if known[0] != line:
            _tell_second(rows.problems, line, known, text, system=system, topic=topic)
            continue
        source = record.get("text")
        topics.take(
            TextRecord(
                line=line,
                topic=topic,
                documents={SOURCE_ID: source} if isinstance(source, str) else {},
                references={str(number): one for number, one in enumerate(_texts(record))},
                outputs=(OutputText(system, record["decoded"]),),
            )
        )
        for annotator, measure, value in _judgements(record):
            rows.take(line, value, system=system, measure=measure, topic=topic, annotator=annotator)
    if not first and not rows.problems.found:
        rows.problems.add(None, what="The file has no line.", hint="Each line is an output.")
    return topics.result(
        what="{n} outputs have other references than those before them of the same topic, and "
        "keep them for themselves: {names}.",
    )


def _record(line: int, text: str, problems: Findings) -> dict[str, Any] | None:
    record: Any = json_value(text)  # whatever the line holds
    names = ("id", "model_id", "decoded")
    if record is NOT_JSON:
        problems.add(
            line,
            what="The line is not JSON.",
            hint="Write one object a line, without line breaks.",
        )
    elif isinstance(record, dict) and all(isinstance(record.get(name), str) for name in names):
        return record
    else:
        problems.add(
            line,
            what="The line lacks an id, a model_id or a decoded text.",
            hint="All three are strings.",
        )
    return None


def _tell_second(
    problems: Findings, line: int, first: tuple[int, str], text: str, *, system: str, topic: str
) -> None:
    if first[1].strip() == text.strip():
        problems.remark(
            line,
            what="The line says the same as line {first}.",
            hint="One is kept.",
            first=first[0],
        )
    else:
        problems.add(
            line,
            what="System “{system}” has a second output for “{topic}”; the first is in line "
            "{first}.",
            hint="Do two systems have one name? Name them apart.",
            system=system,
            topic=topic,
            first=first[0],
        )


def _texts(record: Mapping[str, Any]) -> Iterator[str]:
    """Yields the references that are texts; some copies have `reference`."""
    references = record.get("references", record.get("reference"))
    if isinstance(references, str):
        references = [references]
    for text in references if isinstance(references, list) else ():
        if isinstance(text, str) and text.strip():
            yield text


def _judgements(record: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yields (annotator, measure, value as text); annotators are numbered line by line."""
    for key, group in _GROUPS.items():
        entries = record.get(key)
        for number, entry in enumerate(entries if isinstance(entries, list) else (), start=1):
            if isinstance(entry, dict):
                for measure, value in entry.items():
                    yield f"{group}-{number}", measure, "" if value is None else str(value)
