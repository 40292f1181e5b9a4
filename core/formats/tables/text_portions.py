"""Texts in JSON lines, CSV or TSV that are too long to be held: the topics of some at a time.

The file is gone through for its columns, then for the topics that it is about, then for what it
holds.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.lines.lines_by_topic import Line, LinesByTopic
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.records import (
    NOT_JSON,
    is_json,
    json_value,
    lines_in,
    long_lines,
)
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import told_joining
from awase.core.formats.scores.score_cells import rows_of_lines
from awase.core.formats.scores.score_rows import Rows
from awase.core.formats.tables.text_records import TextTopics, tell_own_references
from awase.core.formats.tables.text_table import (
    Columns,
    Record,
    checked_record,
    columns_of,
    records_of_rows,
    taken,
    tell_columns,
    topic_of,
)
from awase.core.records.edits.addition import Addition
from awase.core.text.encoding import Pieces


def portions(request: ReadRequest, pieces: Pieces) -> Iterator[ReadResult] | None:
    """Returns what `text_table.read` does, some topics at a time.

    Args:
        request: What is asked, but for the text.
        pieces: Gives the text; None is returned where it is JSON, but no object a line.

    Raises:
        CorpusFormatError: As `read`, maybe after some portions.
    """
    first = next((line for _, line in long_lines(pieces())), "")
    if is_json(first):
        is_a_line = first.lstrip().startswith("{") and json_value(first) is not NOT_JSON
        return _portions(request, partial(_of_json, pieces)) if is_a_line else None
    return _portions(request, partial(_of_table, pieces, first))


def _portions(request: ReadRequest, records: "_Records") -> Iterator[ReadResult]:
    problems = Findings(request.source)
    names = [*dict.fromkeys(name for _, _, record in records(problems) for name in record)]
    problems.refuse_if_any()
    columns = columns_of(names, request.columns, request.source)
    tell_columns(columns, names, problems)
    made = _Made(request, columns)
    for some in LinesByTopic(partial(_lines, records, columns)).portions():
        yield ReadResult(addition=made.addition(some))
    yield ReadResult(addition=Addition(), warnings=made.warnings(problems))


_Records = Callable[[Findings], Iterator[tuple[int, int, Record]]]
"""Reads the file: of each record the line, the number of letters, the columns. Notes problems."""


def _of_json(pieces: Pieces, problems: Findings) -> Iterator[tuple[int, int, Record]]:
    for number, text in long_lines(pieces()):
        record = checked_record(number, json_value(text), problems)
        if record is not None:
            yield number, len(text), record


def _of_table(
    pieces: Pieces, heading: str, problems: Findings
) -> Iterator[tuple[int, int, Record]]:
    rows = rows_of_lines(lines_in(pieces()), heading, problems)
    for number, record in records_of_rows(rows):
        yield number, sum(map(len, record.values())), record


def _lines(records: _Records, columns: Columns) -> Iterator[Line[Record]]:
    for nth, (number, n_letters, record) in enumerate(records(Findings("")), start=1):
        yield Line(nth, number, topic_of(nth, record, columns), n_letters, record)


class _Made:
    """What was made of lines so far, but for the topics themselves."""

    def __init__(self, request: ReadRequest, columns: Columns) -> None:
        self._request, self._columns = request, columns
        self._in_lines: list[Problem] = []
        self._in_topics: list[Problem] = []
        self._with_own: list[str] = []
        self._joining: list[str] = []

    def addition(self, lines: Iterable[Line[Record]]) -> Addition:
        """Returns the topics of some lines; none once anything is wrong."""
        rows = Rows(Findings(self._request.source))
        topics = TextTopics(self._request, rows)
        for line in lines:
            record = taken(line.nth, line.number, line.value, self._columns, rows.problems)
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
