r"""TSC-3 in lines: extracts of systems, and the alignment table of the paper (Table 1).

An extract is `system TAB topic TAB length TAB id id id`, in order of rank; or a row or several of a
table with a heading (CSV, TSV): topic, system and sentence; optionally length, and rank, by default
the order of rows.

A line of an alignment by one annotator of one abstract is `number TAB rank TAB alternatives`;
alternatives are separated by one half-width space, their members by a comma:
`1\tA\ts1 s10,s11`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from operator import itemgetter

from awase.core.errors import Findings, InputError, Listing, Problem, in_source
from awase.core.formats.reading.records import data_lines, first_line
from awase.core.formats.reading.requests import (
    ReadRequest,
    ReadResult,
    WriteRequest,
    entry_warnings,
    output_warnings,
)
from awase.core.formats.reading.topic_parts import (
    abstract_named,
    already_aligned,
    known_ids,
    topic_named,
)
from awase.core.formats.scores.score_rows import rows_of_cells
from awase.core.records.abstract import (
    Abstract,
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.addition import Addition, AlignmentPart, no_topic
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Extract, Output, Topic, ids_of, select_topics

_RUNNING = re.compile(r"[sS](?P<number>[0-9]{1,9})")
_ODD_BLANK = re.compile(r"[^\S ]")


class SentenceNames:
    """The names of one topic's source sentences."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._refs = tuple(topic.refs())
        self._ref_by_name = {str(ref): ref for ref in self._refs}
        self._is_running = [ref.n for ref in self._refs] == [*range(1, len(self._refs) + 1)]

    def find(self, name: str) -> SentenceRef | None:
        """Returns the sentence called `name`, None when there is none."""
        ref = self._ref_by_name.get(name)
        running = _RUNNING.fullmatch(name)
        if ref is None and running is not None:
            number = int(running["number"])
            return self._refs[number - 1] if 1 <= number <= len(self._refs) else None
        return ref

    def unknown(self, name: str) -> Problem:
        """Returns the problem that no sentence is called `name`."""
        fields: dict[str, str | int] = {"name": name, "topic": self._topic.id}
        is_number = name.isdigit()
        if _RUNNING.fullmatch(name) or (is_number and self.find(f"s{name}") is None):
            hint = "Its sentences are s1 to s{last}." if self._refs else "It has no sentences."
            fields["last"] = len(self._refs)
        elif is_number:
            hint = "Write it as s{name} (running number) or <document id>:<n>."
        else:
            close = get_close_matches(name, self._ref_by_name, n=1)
            hint = "Did you mean “{close}”?" if close else "Write s<number> or <document id>:<n>."
            fields["close"] = close[0] if close else ""
        return Problem(what="Topic “{topic}” has no sentence “{name}”.", hint=hint, fields=fields)

    def name(self, ref: SentenceRef, separators: str) -> str:
        """Returns the written form of `ref`."""
        if self._is_running and len(self._topic.documents) == 1:
            return f"s{ref.n}"
        if any(separator in ref.document_id for separator in separators):
            raise InputError.of(
                "The id of document “{id}” has a blank or a comma, "
                "which separates sentences in this format.",
                "Rename the document, or export Awase JSON.",
                id=ref.document_id,
            )
        return str(ref)


def blank_problem(text: str, parts: str) -> Problem | None:
    """Returns the problem of `text` whose parts are not separated by single half-width spaces."""
    odd = _ODD_BLANK.search(text)
    if odd is not None:
        name = "full-width space" if odd[0] == "　" else f"blank U+{ord(odd[0]):04X}"
        return _blank(parts, name, what="There is a {blank} between {parts}.")
    if text != text.strip():
        return _blank(parts, "space", what="There is a {blank} before or after the {parts}.")
    if "  " in text:
        return _blank(parts, "space", what="There are two {blank}s between {parts}.")
    return None


def _blank(parts: str, blank: str, *, what: str) -> Problem:
    return Problem(
        what=what,
        hint="Separate {parts} by one half-width space.",
        fields={"blank": blank, "parts": parts},
    )


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


def read_extracts(request: ReadRequest) -> ReadResult:
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
            None, what="The file has no extract.", hint="Choose a file with one extract per line."
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
            self.problems.note(line, [no_topic(topic_id, self.known)])
            return
        refs = self._refs(line, topic, columns[3] if len(columns) > 3 else "")
        self._check_single(line, topic, system, length)
        with self.problems.noting(line):
            extract = Extract(system=system, sentences=refs, length=length)
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


def extract_pieces(request: WriteRequest) -> Iterator[str]:
    """Yields the extracts of the corpus or of the requested topic, streaming; texts are omitted."""
    topics = request.corpus.topics
    if request.topic is not None:
        topics = select_topics(topics, (request.topic,))
        if not topics:
            raise InputError([no_topic(request.topic, ids_of(request.corpus.topics))])
    is_empty = True
    for topic in topics:
        names = SentenceNames(topic)
        for output in topic.outputs:
            if isinstance(output, Extract):
                is_empty = False
                yield f"{_extract_line(topic, output, names)}\n"
    if is_empty:
        raise InputError.of(
            "There is no extract to export.", "Texts by systems are exported as Awase JSON."
        )


def _extract_line(topic: Topic, extract: Extract, names: SentenceNames) -> str:
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


_NO_RANK = "-"
_DEFAULT_ANNOTATOR = "1"


def read_alignment(request: ReadRequest) -> ReadResult:
    """Returns a table's alignment of the requested abstract."""
    with in_source(request.source):
        topic = topic_named(request.corpus, request.topic)
        abstract = abstract_named(topic, request.abstract)
    annotator = request.annotator or _DEFAULT_ANNOTATOR
    problems = Findings(request.source)
    if abstract.alignment_by(annotator) is not None:
        problems.note(None, [already_aligned(abstract, annotator)])
    table = _Table(topic, abstract, {rank for rank, _ in request.corpus.rank_weights}, problems)
    for line, columns in data_lines(request.text):
        table.take(line, columns)
    table.check_complete()
    problems.refuse_if_any()
    part = AlignmentPart(
        topic=topic.id,
        abstract=abstract.id,
        alignment=Alignment(annotator=annotator, sentences=tuple(table.entries)),
        ranks=tuple(table.ranks),
    )
    return ReadResult(addition=Addition(alignments=(part,)), warnings=tuple(problems.warnings))


@dataclass(slots=True)
class _Table:
    topic: Topic
    abstract: Abstract
    known_ranks: set[str]
    problems: Findings
    entries: list[SentenceAlignment] = field(default_factory=list)
    ranks: list[tuple[int, str]] = field(default_factory=list)
    _line_of: dict[int, int] = field(default_factory=dict)
    _last_line: int = 0
    _names: SentenceNames = field(init=False)

    def __post_init__(self) -> None:
        self._names = SentenceNames(self.topic)

    def take(self, line: int, columns: list[str]) -> None:
        self._last_line = line
        if len(columns) not in (2, 3):
            self.problems.add(
                line,
                what="The line has {n_columns} {n_columns:column|columns} instead of 3.",
                hint="Write: number, rank, alternatives, separated by tabs.",
                n_columns=len(columns),
            )
            return
        n = self._number(line, columns[0])
        rank = self._rank(line, columns[1])
        alternatives = self._alternatives(line, columns[2] if len(columns) > 2 else "")
        if n is None:
            return
        if rank is not None:
            self.ranks.append((n, rank))
            self._warn_of_change(line, n, rank)
        state = AlignmentState.CONFIRMED if alternatives else AlignmentState.TODO
        entry = SentenceAlignment(n=n, state=state, alternatives=alternatives)
        self.entries.append(entry)
        self.problems.warn(line, entry_warnings(entry))

    def _number(self, line: int, text: str) -> int | None:
        if not (text.isascii() and text.isdigit() and 0 < len(text) < 10):
            self.problems.add(
                line,
                what="“{text}” is not the number of an abstract sentence.",
                hint="Begin the line with a number in half-width digits, without blanks.",
                text=text,
            )
            return None
        n = int(text)
        known = [sentence.n for sentence in self.abstract.sentences]
        if n not in known:
            self.problems.add(
                line,
                what="Abstract “{abstract}” has no sentence {n}.",
                hint="Its sentences are: {known}.",
                abstract=self.abstract.id,
                n=n,
                known=known_ids([str(number) for number in known]),
            )
            return None
        if n in self._line_of:
            self.problems.add(
                line,
                what="Abstract sentence {n} is repeated; the first is in line {first}.",
                hint="Join the two lines.",
                n=n,
                first=self._line_of[n],
            )
            return None
        self._line_of[n] = line
        return n

    def _rank(self, line: int, text: str) -> str | None:
        if text in ("", _NO_RANK):
            return None
        if text not in self.known_ranks:
            self.problems.add(
                line,
                what="Rank “{rank}” has no weight in the corpus.",
                hint="Use one of {known}, or “-” for none."
                if self.known_ranks
                else "The corpus has no ranks yet: write “-”.",
                rank=text,
                known=Listing(sorted(self.known_ranks)),
            )
            return None
        return text

    def _warn_of_change(self, line: int, n: int, rank: str) -> None:
        old = next(sentence.rank for sentence in self.abstract.sentences if sentence.n == n)
        if old is not None and old != rank:
            what = "The rank of abstract sentence {n} changes from {old} to {rank}."
            hint = "If this is not intended, correct the table."
            self.problems.remark(line, what=what, hint=hint, n=n, old=old, rank=rank)

    def _alternatives(self, line: int, text: str) -> tuple[Alternative, ...]:
        if not text:
            return ()
        blank = blank_problem(text, "alternatives")
        if blank is not None:
            self.problems.note(line, [blank])
        found = [self._members(line, part) for part in text.split()]
        return tuple(Alternative(members) for members in found if members)

    def _members(self, line: int, text: str) -> tuple[SentenceRef, ...]:
        names = text.split(",")
        members = []
        for name in names:
            ref = self._names.find(name)
            if ref is not None:
                members.append(ref)
            elif name:
                self.problems.note(line, [self._names.unknown(name)])
        if not all(names):
            self.problems.add(
                line,
                what="“{text}” has a comma with no sentence before or after it.",
                hint="Separate members by one comma, alternatives by one space.",
                text=text,
            )
        elif len(set(members)) < len(members):
            what = "“{text}” names a sentence twice."
            self.problems.remark(line, what=what, hint="Remove one.", text=text)
        return tuple(members)

    def check_complete(self) -> None:
        """Notes the abstract sentences that have no line."""
        if self.problems.found:
            return
        for sentence in self.abstract.sentences:
            if sentence.n not in self._line_of:
                self.problems.add(
                    self._last_line + 1,
                    what="Abstract sentence {n} has no line: the table may be cut off.",
                    hint="Add a line “{n}”, tab, “-” for a sentence that is still to do.",
                    n=sentence.n,
                )


def alignment_pieces(request: WriteRequest) -> Iterator[str]:
    """Yields the table of one annotator's alignment of one abstract.

    Lost notes and states are listed in comment lines.
    """
    topic = topic_named(request.corpus, request.topic)
    abstract = abstract_named(topic, request.abstract)
    alignment = _alignment(abstract, request.annotator)
    names = SentenceNames(topic)
    lines: list[str] = []  # whole before the first is written: a name may be refused
    for sentence in abstract.sentences:
        entry = alignment.of_sentence(sentence.n)
        if sentence.rank == _NO_RANK:
            raise InputError.of("The rank “-” means “no rank” in this format.", "Rename it.")
        alternatives = (
            ",".join(names.name(ref, " ,\t　") for ref in alternative.members)
            for alternative in entry.alternatives
        )
        lines += _comments(entry)
        lines.append(f"{sentence.n}\t{sentence.rank or _NO_RANK}\t{' '.join(alternatives)}\n")
    yield from lines


def _alignment(abstract: Abstract, annotator: str | None) -> Alignment:
    if annotator is None and len(abstract.alignments) == 1:
        return abstract.alignments[0]
    alignment = abstract.alignment_by(annotator or _DEFAULT_ANNOTATOR)
    if alignment is None:
        raise InputError.of(
            "Abstract “{abstract}” has no alignment by annotator “{annotator}”.",
            "It has those of: {known}." if abstract.alignments else "Nobody has one yet.",
            abstract=abstract.id,
            annotator=annotator or _DEFAULT_ANNOTATOR,
            known=known_ids([alignment.annotator for alignment in abstract.alignments]),
        )
    return alignment


def _comments(entry: SentenceAlignment) -> Iterator[str]:
    as_read = AlignmentState.CONFIRMED if entry.alternatives else AlignmentState.TODO
    if entry.state is not as_read:
        yield f"# sentence {entry.n} is {entry.state.value}\n"
    if entry.note:
        yield f"# sentence {entry.n}: {' '.join(entry.note.split())}\n"
