"""System extracts, a line each: `system TAB topic TAB length TAB id id id`, in order of rank.

Or a table with a heading (CSV, TSV): topic, system and sentence, one or several a row; optionally
length, and rank, by default the order of rows.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from awase.core.errors import CorpusFormatError, InputError, Problem
from awase.core.formats.reading.records import data_lines, first_line
from awase.core.formats.reading.requests import (
    Findings,
    ReadRequest,
    ReadResult,
    WriteRequest,
    output_warnings,
)
from awase.core.formats.reading.topic_parts import SentenceNames, blank_problem, known_ids
from awase.core.formats.scores.score_rows import rows_of_cells
from awase.core.records.addition import Addition
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, Output
from awase.core.records.topic import Topic, ids_of, select_topics

_NO_LENGTH = "-"
_NAMES = {
    "system": ("system", "sys", "system_id", "summarizer", "summarizer_id", "peer", "システム"),
    "topic": ("topic", "topic_id", "docset", "instance_id", "トピック"),
    "length": ("length", "長さ"),
    "sentence": (
        "sentence",
        "sentences",
        "sentence_id",
        "sentence_ids",
        "sent_id",
        "extract",
        "文",
    ),
    "rank": ("rank", "順位"),
}


def read(request: ReadRequest) -> ReadResult:
    """Returns the extracts of a file, about any topics of the corpus."""
    problems, outputs = Findings(request.source), list[tuple[str, Output]]()
    topics = {topic.id: topic for topic in request.corpus.topics}
    known = tuple(topics)
    by_topic: dict[str, _LinesOfTopic] = {}
    for number, columns in _lines(request, problems):
        topic_id = columns[1] if len(columns) > 1 else ""
        if topic_id not in by_topic:
            by_topic[topic_id] = _LinesOfTopic(topics.get(topic_id), known, problems, outputs)
        by_topic[topic_id].take(number, columns)
    return ReadResult(
        addition=Addition(outputs=tuple(outputs)),
        warnings=_warnings(problems, is_empty=not outputs),
    )


def has_heading(text: str) -> bool:
    """Returns whether the first line is the heading of a table of extracts."""
    line = first_line(text).lstrip("\ufeff")
    return _roles_of(cell.strip().strip('"') for cell in re.split("[\t,;]", line)) is not None


def _roles_of(heading: Iterable[str]) -> dict[str, int] | None:
    """Returns the column of each role; None = no heading of extracts."""
    names = [name.strip().lower() for name in heading]
    roles = {
        role: next((at for at, name in enumerate(names) if name in known), -1)
        for role, known in _NAMES.items()
    }
    is_heading = all(roles[role] >= 0 for role in ("topic", "system", "sentence"))
    return {role: at for role, at in roles.items() if at >= 0} if is_heading else None


def _lines(request: ReadRequest, problems: Findings) -> Iterator[tuple[int, list[str]]]:
    """Yields line number, and system, topic, length and ids of each extract."""
    if not has_heading(request.text):
        yield from data_lines(request.text)
        return
    head, *rows = rows_of_cells(request.text, problems)
    roles = _roles_of(head.texts) or {}
    lines: dict[tuple[str, str, str], int] = {}
    sentences: dict[tuple[str, str, str], list[tuple[float, str]]] = {}
    for at, row in enumerate(rows):
        system, topic, length, sentence, rank = (row.at(roles, role) for role in _NAMES)
        key = system, topic, length or _NO_LENGTH
        lines.setdefault(key, row.line)
        try:
            place = float(rank or at)
        except ValueError:
            problems.add(
                row.line, what="The rank “{rank}” is not a number.", hint="Correct it.", rank=rank
            )
            continue
        sentences.setdefault(key, []).append((place, sentence))
    for key, found in sentences.items():
        yield lines[key], [*key, " ".join(text for _, text in sorted(found, key=itemgetter(0)))]


def _warnings(problems: Findings, *, is_empty: bool) -> tuple[Problem, ...]:
    """Returns a file's warnings; raises CorpusFormatError with its errors."""
    if is_empty and not problems.found:
        problems.add(
            None, what="The file has no extract.", hint="Choose a file with a line an extract."
        )
    for found in (problems.found, problems.warnings):
        found.sort(key=lambda problem: problem.line or 0)
    problems.refuse_if_any()
    return tuple(problems.warnings)


@dataclass(slots=True)
class _LinesOfTopic:
    topic: Topic | None  # None = the corpus has not got it
    known: Sequence[str]
    problems: Findings
    outputs: list[tuple[str, Output]]
    _line_of: dict[tuple[str, str | None], int] = field(default_factory=dict)
    _names: SentenceNames | None = None

    def take(self, line: int, columns: list[str]) -> None:
        if len(columns) not in (3, 4):
            self.problems.add(
                line,
                what="The line has {n_columns} {n_columns:column|columns} instead of 4.",
                hint="Write: system, topic, length, sentence ids, separated by tabs.",
                n_columns=len(columns),
            )
            return
        system, topic_id, length_text = columns[:3]
        length = None if length_text in ("", _NO_LENGTH) else length_text
        topic = self.topic
        if topic is None:
            self.problems.add(
                line,
                what="The corpus has no topic “{topic}”.",
                hint="It has: {known}.",
                topic=topic_id,
                known=known_ids(self.known),
            )
            return
        refs = self._refs(line, topic, columns[3] if len(columns) > 3 else "")
        self._check_single(line, topic, system, length)
        try:
            extract = Extract(system=system, sentences=refs, length=length)
        except CorpusFormatError as error:
            self.problems.note(line, error.problems)
            return
        self.outputs.append((topic.id, extract))
        self.problems.warn(line, output_warnings(extract, topic))

    def _check_single(self, line: int, topic: Topic, system: str, length: str | None) -> None:
        key = (system, length)
        if key in self._line_of:
            self.problems.add(
                line,
                what="System “{system}” has a second extract of topic “{topic}”, length “{length}”"
                "; the first is in line {first}.",
                hint="Keep one of the two lines.",
                system=system,
                topic=topic.id,
                length=length or _NO_LENGTH,
                first=self._line_of[key],
            )
        self._line_of.setdefault(key, line)
        if any(
            isinstance(output, Extract) and (output.system, output.length) == (system, length)
            for output in topic.outputs
        ):
            self.problems.add(
                line,
                what="The corpus already has an extract by “{system}” of topic “{topic}”, "
                "length “{length}”.",
                hint="Rename the system, or remove the extract from the corpus.",
                system=system,
                topic=topic.id,
                length=length or _NO_LENGTH,
            )

    def _refs(self, line: int, topic: Topic, text: str) -> tuple[SentenceRef, ...]:
        if not text:
            what = "The extract has no sentence."
            hint = "It will score 0; if it is missing, leave the line out."
            self.problems.remark(line, what=what, hint=hint)
            return ()
        blank = blank_problem(text, "sentence ids")
        if blank is not None:
            self.problems.note(line, [blank])
        names = self._names = self._names or SentenceNames(topic)
        refs = []
        for name in text.split():
            ref = names.find(name)
            if ref is not None:
                refs.append(ref)
            elif "," in name and all(names.find(part) for part in name.split(",")):
                what = "“{name}” joins sentence ids by commas."
                hint = "Separate the ids of an extract by one half-width space."
                self.problems.add(line, what=what, hint=hint, name=name)
            else:
                self.problems.note(line, [names.unknown(name)])
        return tuple(refs)


def pieces(request: WriteRequest) -> Iterator[str]:
    """Yields the extracts of the corpus or of the requested topic, streaming; texts are omitted."""
    topics = request.corpus.topics
    if request.topic is not None:
        topics = select_topics(topics, (request.topic,))
        if not topics:
            raise InputError.of(
                "The corpus has no topic “{topic}”.",
                "It has: {known}.",
                topic=request.topic,
                known=known_ids(ids_of(request.corpus.topics)),
            )
    is_empty = True
    for topic in topics:
        names = SentenceNames(topic)
        for output in topic.outputs:
            if isinstance(output, Extract):
                is_empty = False
                yield f"{_line(topic, output, names)}\n"
    if is_empty:
        raise InputError.of(
            "There is no extract to export.", "Texts by systems are exported as Awase JSON."
        )


def _line(topic: Topic, extract: Extract, names: SentenceNames) -> str:
    if extract.system.startswith("#"):
        raise InputError.of(
            "The line of system “{system}” would be a comment.",
            "Rename the system.",
            system=extract.system,
        )
    if extract.length == _NO_LENGTH:
        raise InputError.of("The length “-” means “no length” in this format.", "Rename it.")
    ids = " ".join(names.name(ref, " \t　") for ref in extract.sentences)
    return f"{extract.system}\t{topic.id}\t{extract.length or _NO_LENGTH}\t{ids}"
