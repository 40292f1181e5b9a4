"""Data sets with the outputs of several systems: REALSumm, SummEval, sacrerouge's summaries.

REALSumm, an object a line, all systems of one item, with human content scores (Bhandari et al.
2020, "Re-evaluating Evaluation in Text Summarization"):
{"topic": "cnndm1", "source": "<t> … </t>", "systems": {"ext/bart_out": {"summary": ["…"],
 "reference_as_tokenised_for_this_system": ["…"], "human_litepyramid": 0.4}}}

sacrerouge, an object a line, what one system wrote about one instance:
{"instance_id": "t1", "summarizer_id": "11", "summarizer_type": "peer",
 "documents": [{"text": ["…"]}], "summary": {"text": ["…", "…"]},
 "references": [{"summarizer_id": "A", "text": ["…"]}]}

SummEval, a line an output, with references and human scores.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from awase.core.formats.reading.records import NOT_JSON, filled_lines, json_records, json_value
from awase.core.formats.reading.requests import Findings, ReadRequest, ReadResult
from awase.core.formats.scores.score_rows import Rows
from awase.core.formats.tables.text_table import (
    SOURCE_ID,
    OutputText,
    Text,
    TextRecord,
    TextTopics,
    numbered,
)

_HUMAN: Final = "human_"
_PEOPLES: Final = "litepyramid"
_WHOLE = re.compile(r"\s*<t>((?:(?!</?t>).)*)</t>\s*", re.DOTALL)


def read_realsumm(request: ReadRequest) -> ReadResult:
    """Returns topics with a document, the systems' texts, references of their own, and scores."""
    rows = Rows(Findings(request.source))
    topics = TextTopics(request, rows)
    for line, value in json_records(request.text):
        record: Any = _of_pickle(value)
        systems = record.get("systems") if isinstance(record, dict) else None
        if not isinstance(systems, dict) or not isinstance(record.get("topic"), str | int):
            rows.problems.add(
                line,
                what="The line has no outputs of systems.",
                hint='Each line is an object with "topic", "source" and "systems".',
            )
            continue
        topic = str(record["topic"])
        source = record.get("source")
        topics.take(
            TextRecord(
                line=line,
                topic=topic,
                documents={f"d{topic}": _source(source)} if isinstance(source, str) else {},
                outputs=tuple(_outputs(systems)),
            )
        )
    return topics.result()


def _of_pickle(value: object) -> object:
    """Converts a record of REALSumm's own pickles; others are unchanged.

    Among a pickle's scores only LitePyramid's are human; the rest are metrics'.
    """
    if not isinstance(value, dict) or not isinstance(value.get("system_summaries"), dict):
        return value
    systems = {
        str(name): {
            "summary": output.get("system_summary"),
            "reference": value.get("ref_summ"),
            **{
                f"{_HUMAN}{measure}": score
                for measure, score in (output.get("scores") or {}).items()
                if measure.startswith(_PEOPLES)
            },
        }
        for name, output in value["system_summaries"].items()
        if isinstance(output, dict)
    }
    return {"topic": str(value.get("doc_id", value.get("key"))), "systems": systems}


def _source(source: str) -> str:
    """Returns the text; one pair of tags around all of it is no sentence boundary."""
    match = _WHOLE.fullmatch(source)
    return match[1].strip() if match else source


def _outputs(systems: Mapping[str, Any]) -> Iterator[OutputText]:
    for system, output in systems.items():
        if not isinstance(output, dict) or not _is_text(output.get("summary")):
            continue
        own = [v for k, v in output.items() if k.startswith("reference") and _is_text(v)]
        scores = {
            key.removeprefix(_HUMAN): str(value)
            for key, value in output.items()
            if key.startswith(_HUMAN) and isinstance(value, int | float)
        }
        references: tuple[Text, ...] | None = tuple(own) or None
        yield OutputText(
            system=system, text=output["summary"], references=references, scores=scores
        )


def _is_text(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(one, str) for one in value)
    )


def read_summaries(request: ReadRequest) -> ReadResult:
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


_GROUPS = {"expert_annotations": "expert", "turker_annotations": "turker"}


def read_summeval(request: ReadRequest) -> ReadResult:
    """Returns topics with references, texts of systems and human scores."""
    rows = Rows(Findings(request.source))
    topics = TextTopics(request, rows)
    first: dict[tuple[str, str], tuple[int, str]] = {}
    for line, text in filled_lines(request.text):
        record = _summeval_record(line, text, rows.problems)
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
                references={
                    str(number): one for number, one in enumerate(_summeval_references(record))
                },
                outputs=(OutputText(system, record["decoded"]),),
            )
        )
        for annotator, measure, value in _judgements(record):
            rows.take(line, value, system=system, measure=measure, topic=topic, annotator=annotator)
    if not first and not rows.problems.found:
        rows.problems.add(None, what="The file has no line.", hint="Each line is an output.")
    return topics.result(
        what="{n} {n:output has other references than those before it|outputs have other "
        "references than those before them} of the same topic, and "
        "{n:keeps them for itself|keep them for themselves}: {names}.",
    )


def _summeval_record(line: int, text: str, problems: Findings) -> dict[str, Any] | None:
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


def _summeval_references(record: Mapping[str, Any]) -> Iterator[str]:
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
