r"""The alignment table of the TSC-3 paper (Table 1): one annotator's alignment of one abstract.

A line is `number TAB rank TAB alternatives`; alternatives are separated by one half-width space,
their members by a comma: `1\tA\ts1 s10,s11`.
"""

from dataclasses import dataclass, field

from awase.core.errors import InputError, Listing, in_source
from awase.core.formats.reading.records import data_lines
from awase.core.formats.reading.requests import (
    Findings,
    ReadRequest,
    ReadResult,
    WriteRequest,
    entry_warnings,
)
from awase.core.formats.reading.topic_parts import (
    SentenceNames,
    abstract_named,
    blank_problem,
    known_ids,
    topic_named,
)
from awase.core.records.abstract import Abstract
from awase.core.records.addition import Addition, AlignmentPart
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic

_NO_RANK = "-"
_DEFAULT_ANNOTATOR = "1"


def read(request: ReadRequest) -> ReadResult:
    """Returns a table's alignment of the requested abstract."""
    with in_source(request.source):
        topic = topic_named(request.corpus, request.topic)
        abstract = abstract_named(topic, request.abstract)
    annotator = request.annotator or _DEFAULT_ANNOTATOR
    problems = Findings(request.source)
    if abstract.alignment_by(annotator) is not None:
        problems.add(
            None,
            what="Abstract “{abstract}” already has an alignment by annotator “{annotator}”.",
            hint="Import under another annotator's name, or remove the alignment first.",
            abstract=abstract.id,
            annotator=annotator,
        )
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
                what="Abstract sentence {n} stands a second time; the first is in line {first}.",
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
                hint="Use one of {known}, or “-” for none.",
                rank=text,
                known=Listing(sorted(self.known_ranks)),
            )
            return None
        return text

    def _warn_of_change(self, line: int, n: int, rank: str) -> None:
        old = next(sentence.rank for sentence in self.abstract.sentences if sentence.n == n)
        if old is not None and old != rank:
            what = "The rank of abstract sentence {n} changes from {old} to {rank}."
            hint = "If this is not meant, correct the table."
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


def write(request: WriteRequest) -> str:
    """Returns the table of one annotator's alignment of one abstract.

    Lost notes and states are listed in comment lines.
    """
    topic = topic_named(request.corpus, request.topic)
    abstract = abstract_named(topic, request.abstract)
    alignment = _alignment(abstract, request.annotator)
    names = SentenceNames(topic)
    lines = []
    for sentence in abstract.sentences:
        entry = alignment.of_sentence(sentence.n)
        if sentence.rank == _NO_RANK:
            raise InputError.of("The rank “-” means “no rank” in this format.", "Rename it.")
        lines += _comments(entry)
        lines.append(
            f"{sentence.n}\t{sentence.rank or _NO_RANK}\t"
            + " ".join(
                ",".join(names.name(ref, " ,\t　") for ref in alternative.members)
                for alternative in entry.alternatives
            )
        )
    return "".join(f"{line}\n" for line in lines)


def _alignment(abstract: Abstract, annotator: str | None) -> Alignment:
    if annotator is None and len(abstract.alignments) == 1:
        return abstract.alignments[0]
    alignment = abstract.alignment_by(annotator or _DEFAULT_ANNOTATOR)
    if alignment is None:
        raise InputError.of(
            "Abstract “{abstract}” has no alignment by annotator “{annotator}”.",
            "It has those of: {known}.",
            abstract=abstract.id,
            annotator=annotator or _DEFAULT_ANNOTATOR,
            known=known_ids([alignment.annotator for alignment in abstract.alignments]),
        )
    return alignment


def _comments(entry: SentenceAlignment) -> list[str]:
    as_read = AlignmentState.CONFIRMED if entry.alternatives else AlignmentState.TODO
    comments = []
    if entry.state is not as_read:
        comments.append(f"# sentence {entry.n} is {entry.state.value}")
    if entry.note:
        comments.append(f"# sentence {entry.n}: {' '.join(entry.note.split())}")
    return comments
