"""Texts in JSON lines that are too long to be held: the topics of some lines at a time.

The lines are gone through for their columns, then for the topic that each is about, then for what
they hold. Lines about one topic may stand far apart, as where one system follows another: what
would be too much to be held until its last line has come is left for another turn.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.records import NOT_JSON, json_value, long_lines
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import told_joining
from awase.core.formats.scores.score_rows import Rows
from awase.core.formats.tables.text_records import TextTopics, tell_own_references
from awase.core.formats.tables.text_table import (
    Columns,
    Record,
    checked_record,
    columns_of,
    taken,
    tell_columns,
    topic_of,
)
from awase.core.records.edits.addition import Addition
from awase.core.text.encoding import Pieces

PORTION_LETTERS: Final = 8_000_000
"""So many letters of lines are held."""


class _Line(NamedTuple):
    """A line: its number among those that are not blank, its number, its length, its columns."""

    nth: int
    number: int
    n_letters: int
    record: Record


def portions(request: ReadRequest, pieces: Pieces) -> Iterator[ReadResult] | None:
    """Returns what `text_table.read` does, some topics at a time; None = it is no JSON lines.

    Args:
        request: What is asked, but for the text.
        pieces: Gives the text.

    Raises:
        CorpusFormatError: As `read`, maybe after some portions.
    """
    first = next((line for _, line in long_lines(pieces())), "")
    if not first.lstrip().startswith("{") or json_value(first) is NOT_JSON:
        return None
    return _portions(request, pieces)


def _portions(request: ReadRequest, pieces: Pieces) -> Iterator[ReadResult]:
    problems = Findings(request.source)
    names = [*dict.fromkeys(name for line in _lines(pieces, problems) for name in line.record)]
    problems.refuse_if_any()
    columns = columns_of(names, request.columns, request.source)
    tell_columns(columns, names, problems)
    made = _Made(request, columns)
    lines = _LinesByTopic(pieces, columns)
    while lines.is_open:
        for some in lines.turn():
            yield ReadResult(addition=made.addition(some))
    yield ReadResult(addition=Addition(), warnings=made.warnings(problems))


def _lines(pieces: Pieces, problems: Findings) -> Iterator[_Line]:
    nth = 0
    for number, text in long_lines(pieces()):
        record = checked_record(number, json_value(text), problems)
        if record is not None:
            nth += 1
            yield _Line(nth, number, len(text), record)


class _LinesByTopic:
    """The lines of a file, those about one topic together, topics as they first appear."""

    def __init__(self, pieces: Pieces, columns: Columns) -> None:
        self._pieces, self._columns = pieces, columns
        # Of each topic that was not given yet, the last line.
        self._last = {self._topic(line): line.nth for line in self._each()}

    @property
    def is_open(self) -> bool:
        """Whether some were not given yet."""
        return bool(self._last)

    def turn(self) -> Iterator[list[_Line]]:
        """Yields the lines of the next topics, as many as the memory takes in one turn."""
        held: dict[str, list[_Line]] = {}
        n_held, is_full = 0, False
        for line in self._each():
            topic = self._topic(line)
            if topic not in self._last or (is_full and topic not in held):
                continue
            held.setdefault(topic, []).append(line)
            n_held += line.n_letters
            if n_held >= PORTION_LETTERS or is_full:
                some = self._whole(held, line.nth)
                n_held -= sum(one.n_letters for one in some)
                is_full = is_full or n_held >= PORTION_LETTERS
                if some:
                    yield some
                if is_full and not held:
                    return
        yield self._whole(held, line.nth if held else 0)

    def _whole(self, held: dict[str, list[_Line]], nth: int) -> list[_Line]:
        """Takes out the first topics, as long as they have no line behind this one."""
        some: list[_Line] = []
        for topic in [*held]:
            if self._last[topic] > nth:
                break
            some += held.pop(topic)
            del self._last[topic]
        return sorted(some)

    def _topic(self, line: _Line) -> str:
        return topic_of(line.nth, line.record, self._columns)

    def _each(self) -> Iterator[_Line]:
        return _lines(self._pieces, Findings(""))


class _Made:
    """What was made of lines so far, but for the topics themselves."""

    def __init__(self, request: ReadRequest, columns: Columns) -> None:
        self._request, self._columns = request, columns
        self._in_lines: list[Problem] = []
        self._in_topics: list[Problem] = []
        self._with_own: list[str] = []
        self._joining: list[str] = []

    def addition(self, lines: Iterable[_Line]) -> Addition:
        """Returns the topics of some lines; none once anything is wrong."""
        rows = Rows(Findings(self._request.source))
        topics = TextTopics(self._request, rows)
        for line in lines:
            record = taken(line.nth, line.number, line.record, self._columns, rows.problems)
            topics.take(record)
        made = topics.made()
        self._in_lines += rows.problems.found
        self._in_topics += made.problems
        self._with_own += topics.with_own
        self._joining += made.joining
        if self._in_lines or self._in_topics:
            return Addition()
        return Addition(topics=tuple(made.topics))

    def warnings(self, problems: Findings) -> tuple[Problem, ...]:
        """Returns what is odd in the file; raises CorpusFormatError with what was wrong."""
        problems.found += self._in_lines
        problems.refuse_if_any()
        if self._in_topics:
            raise CorpusFormatError(self._in_topics)
        tell_own_references(self._with_own, problems)
        return (*problems.warnings, *told_joining(self._joining))
