"""SummEval's JSONL: a line an output, with references and human scores."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.records import NOT_JSON, filled_lines, json_value
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import (
    TopicParts,
    known_ids,
    language_of,
    numbered_abstract,
    numbered_document,
)
from awase.core.formats.scores.score_rows import Rows, human_scores
from awase.core.records.identifiers import join_splits
from awase.core.records.output import TextOutput
from awase.core.text.sentences import Split, split_text

_GROUPS = {"expert_annotations": "expert", "turker_annotations": "turker"}
_SOURCE_ID = "src"


def read(request: ReadRequest) -> ReadResult:
    """Returns topics with references, texts of systems and human scores."""
    rows = Rows(Findings(request.source))
    reading = _Reading(request=request, rows=rows, parts=TopicParts(request))
    for line, text in filled_lines(request.text):
        reading.take(line, text)
    problems = rows.problems
    if not reading.outputs and not problems.found:
        problems.add(None, what="The file has no line.", hint="Each line is an output.")
    problems.refuse_if_any()
    if reading.with_own:
        problems.remark(
            None,
            what="{n} outputs have other references than those before them of the same topic, and "
            "keep them for themselves: {names}.",
            n=len(reading.with_own),
            names=known_ids(reading.with_own),
        )
    reading.parts.human_scores += human_scores(rows)
    return reading.parts.result(problems.warnings)


@dataclass(slots=True, kw_only=True)
class _Reading:
    """Records read so far."""

    request: ReadRequest
    rows: Rows
    parts: TopicParts
    references: dict[str, tuple[Split, ...]] = field(default_factory=dict)
    outputs: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    with_own: list[str] = field(default_factory=list)

    def take(self, line: int, text: str) -> None:
        record: Any = json_value(text)  # whatever the line holds
        if record is NOT_JSON:
            self.rows.problems.add(
                line,
                what="The line is not JSON.",
                hint="Write one object a line, without line breaks.",
            )
            return
        fields = ("id", "model_id", "decoded")
        is_record = isinstance(record, dict) and all(
            isinstance(record.get(name), str) for name in fields
        )
        if not is_record:
            self.rows.problems.add(
                line,
                what="The line lacks an id, a model_id or a decoded text.",
                hint="All three are strings.",
            )
            return
        topic, system = record["id"].strip(), record["model_id"].strip()
        if self._is_new(line, topic, system, text):
            self._add(topic, system, record)
            for annotator, measure, value in _judgements(record):
                self.rows.take(
                    line, value, system=system, measure=measure, topic=topic, annotator=annotator
                )

    def _is_new(self, line: int, topic: str, system: str, text: str) -> bool:
        first = self.outputs.setdefault((topic, system), (line, text))
        if first[0] == line:
            return True
        if first[1].strip() == text.strip():
            self.rows.problems.remark(
                line,
                what="The line says the same as line {first}.",
                hint="One is kept.",
                first=first[0],
            )
        else:
            self.rows.problems.add(
                line,
                what="System “{system}” has a second output for “{topic}”; the first is in line "
                "{first}.",
                hint="Do two systems have one name? Name them apart.",
                system=system,
                topic=topic,
                first=first[0],
            )
        return False

    def _add(self, topic: str, system: str, record: Mapping[str, Any]) -> None:
        self.parts.add_topic(topic)
        references = tuple(self._split(topic, text) for text in _texts(record))
        known = self.references.get(topic)
        if known is None and references:
            self.references[topic] = references
            for number, reference in enumerate(references):
                self.parts.add_abstract(topic, numbered_abstract(str(number), *reference))
        is_own = known is not None and bool(references) and references != known
        if is_own:
            self.with_own.append(f"{topic} {system}")
        decoded = self._split(topic, record["decoded"])
        own = references if is_own else ()
        self.parts.add_output(
            topic,
            TextOutput(
                system=system,
                sentences=decoded.sentences,
                references=tuple(one.sentences for one in own) or None,
                split=join_splits(one.way for one in (decoded, *own)),
            ),
        )
        if isinstance(record.get("text"), str) and record["text"].strip():
            source = self._split(topic, record["text"], by_lines=False)
            self.parts.add_document(topic, numbered_document(_SOURCE_ID, *source))

    def _split(self, topic: str, text: str, *, by_lines: bool = True) -> Split:
        return split_text(
            text,
            self.request.sentences if by_lines else None,
            language=language_of(self.request, topic),
            by_lines=by_lines,
            separators=self.request.separators,
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
