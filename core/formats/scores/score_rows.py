"""Rows of score files of any format, human or metrics'.

Such files are often dirty. An unusable row is skipped with a warning; only contradictory rows, or a
file without any usable one, are refused.
"""

import csv
import json
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import Final

from awase.core.errors import NOTHING, CorpusFormatError, Findings, Missing
from awase.core.formats.reading.records import csv_rows, is_json, json_records, unclosed_quote
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import known_ids
from awase.core.records.addition import Addition
from awase.core.records.score import Score, ScoreTable, without_facts
from awase.core.records.topic import HumanScore, Topic
from awase.core.text.script import from_cell

_BYTE_ORDER_MARK: Final = "\ufeff"
_MOST_COLUMNS: Final = 1 << 14  # Excel's limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """A row of the table."""

    line: int  # 1-based; the last one of a row with line breaks in its cells
    # Stripped cells, as many as the line has.
    texts: tuple[str, ...]

    def at(self, roles: Mapping[str, int], role: str) -> str:
        """Returns the cell of a role; empty when the table or the row has none."""
        place = roles.get(role)
        return self.texts[place] if place is not None and place < len(self.texts) else ""


def rows_of_cells(text: str, problems: Findings) -> list[Cells]:
    """Returns the non-blank rows, the heading first; on errors none.

    Cells are separated by tabs, else commas or semicolons, as in the heading; quotation marks and
    spreadsheet escapes are removed. A JSON row is an object with the heading as keys: a line each,
    in a list, or in the list `scores` of one object.
    """
    if is_json(text):
        return _rows_of_json(text, problems)
    lines = text.lstrip(_BYTE_ORDER_MARK)
    heading = next((line for line in lines.split("\n") if line.strip()), "")
    n_before = len(problems.found)
    rows = [*rows_of_lines(StringIO(lines, newline=""), heading, problems)]
    if len(problems.found) > n_before:
        return []
    # Only files with a byte order mark were written for a spreadsheet, with escaped texts.
    if not text.startswith(_BYTE_ORDER_MARK):
        return rows
    return [replace(row, texts=tuple(map(from_cell, row.texts))) for row in rows]


def rows_of_lines(lines: Iterable[str], heading: str, problems: Findings) -> Iterator[Cells]:
    """Yields the non-blank rows, the first of which is `heading`, streaming; an error ends them."""
    reader = csv_rows(lines, heading)
    try:
        for row in reader:
            if len(row) > _MOST_COLUMNS:
                problems.add(
                    None,
                    what="A row has up to {n} cells; a table has at most {most} columns.",
                    hint="Is this a table?",
                    n=len(row),
                    most=_MOST_COLUMNS,
                )
                return
            texts = tuple([cell.strip() for cell in row])
            if any(texts):
                yield Cells(line=reader.line_num, texts=texts)
    except csv.Error as error:
        problems.note(None, [unclosed_quote(error)])


def _rows_of_json(text: str, problems: Findings) -> list[Cells]:
    found = [*json_records(text)]
    for line, whole in found[:1]:
        if isinstance(whole, dict) and isinstance(whole.get("scores"), list):
            found = [(line, one) for one in whole["scores"]]
    records: list[tuple[int, dict[str, object]]] = []
    for line, one in found:
        if not isinstance(one, dict):
            problems.add(
                line, what="The line is not a JSON object.", hint="Write one object per item."
            )
            return []
        records.append((line, one))
    heading = (*dict.fromkeys(name for _, one in records for name in one),)
    rows = [
        Cells(line=line, texts=tuple(_text_of(one.get(name)) for name in heading))
        for line, one in records
    ]
    return [Cells(line=1, texts=heading), *rows]


def _text_of(value: object) -> str:
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value)


HUMAN, METRIC = "human", "auto"
_WHAT_SECOND = (
    "System “{system}” has a second {measure} in topic “{topic}”; the first is in line {first}, "
    "and they differ."
)
_HINT_SECOND = (
    "Do two systems share a name, or two topics an id? Rename one, or give the annotators."
)

_MISSING = frozenset(("", "-", "–", NOTHING, "none", "nan", "na", "n/a", "null", "nil"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFileRow:
    """One score as a file has it."""

    line: int
    system: str
    measure: str
    value: float
    topic: str | None = None  # None = the system as a whole
    annotator: str | None = None
    kind: str | None = None  # `human`, `auto`, or None if not declared
    length: str | None = None  # length class; None if not declared
    signature: str = ""  # the metric's signature; empty if not declared

    @property
    def key(self) -> Hashable:
        """Key with a single value."""
        return (*self.human.key, self.length, without_facts(self.signature))

    @property
    def human(self) -> HumanScore:
        """The human score, where it is no metric's."""
        return HumanScore(
            system=self.system, measure=self.measure, value=self.value, topic=self.topic,
            annotator=self.annotator,
        )  # fmt: skip

    @property
    def named(self) -> dict[str, str]:
        """Name in messages."""
        topic = self.topic or "(whole)"
        return {"system": self.system, "measure": self.measure, "topic": topic}


@dataclass(slots=True)
class Rows:
    """Collects rows and warnings of a file."""

    problems: Findings
    rows: list[ScoreFileRow] = field(default_factory=list)
    n_missing: int = 0
    references: Counter[str] = field(default_factory=Counter)  # scores of what is no system
    _by_key: dict[Hashable, ScoreFileRow] = field(default_factory=dict)

    def take(
        self,
        line: int,
        text: str,
        *,
        system: str,
        measure: str,
        topic: str | None = None,
        annotator: str | None = None,
        kind: str | None = None,
        length: str | None = None,
        signature: str = "",
    ) -> None:
        """Adds one value as text; names are stripped."""
        value = self._number(line, text, system)
        if value is None:
            return
        row = ScoreFileRow(
            line=line,
            system=system.strip(),
            measure=measure.strip(),
            value=value,
            topic=(topic or "").strip() or None,
            annotator=(annotator or "").strip() or None,
            kind=kind,
            length=(length or "").strip() or None,
            signature=signature.strip(),
        )
        try:
            is_new = self._is_new(row)  # which names a person's score: the ids are checked
        except CorpusFormatError as error:
            for problem in error.problems:
                self.problems.remark(line, what="{problem} The row is left out.", problem=problem)
            return
        if is_new:
            self.rows.append(row)

    def _number(self, line: int, text: str, system: str) -> float | None:
        if text.strip().lower() in _MISSING:
            self.n_missing += 1
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.problems.remark(
                line,
                what="“{text}”, a score of “{system}”, is not a number; the row is left out.",
                hint="Write it with a point, as 0.41, and leave missing scores empty.",
                text=text.strip(),
                system=system,
            )
            return None
        return value

    def _is_new(self, row: ScoreFileRow) -> bool:
        first = self._by_key.setdefault(row.key, row)
        if first is row:
            return True
        if first.value == row.value:
            self.problems.remark(
                row.line,
                what="System “{system}” has its {measure} in topic “{topic}” twice, with the same "
                "value; the first is in line {first}.",
                hint="One is kept.",
                **row.named,
                first=first.line,
            )
        else:
            self.add_second(row, first.line)
        return False

    def add_second(self, row: ScoreFileRow, first: int) -> None:
        """Notes that a score contradicts the one in line `first`."""
        self.problems.add(row.line, what=_WHAT_SECOND, hint=_HINT_SECOND, **row.named, first=first)

    def finish(self) -> None:
        """Reports rows skipped as missing or as references."""
        if not self.rows and not self.problems.found:
            self.problems.add(
                None,
                what="The file has no score that can be used.",
                hint="Check its columns; awase formats and the manual describe the layouts.",
            )
            self.problems.found += self.problems.warnings
        self.problems.refuse_if_any()
        if self.n_missing:
            what = "{n} {n:score is|scores are} missing in the file."
            self.problems.remark(None, what=what, n=self.n_missing)
        if self.references:
            self.problems.remark(
                None,
                what="{n} {n:score of a reference is|scores of references are} left out "
                "({names}); references are never systems.",
                n=self.references.total(),
                names=known_ids([*self.references]),
            )


def human_scores(rows: Rows) -> tuple[HumanScore, ...]:
    """Returns the scores that are not of metrics."""
    return tuple(row.human for row in rows.rows if row.kind != METRIC)


def human_result(rows: Rows, request: ReadRequest) -> ReadResult:
    """Returns the human scores of a file as an addition to the corpus.

    A corpus without topics gets the file's, empty; otherwise scores of unknown topics are skipped.
    """
    rows.finish()
    metrics = {row.measure for row in rows.rows if row.kind == METRIC}
    if metrics:
        rows.problems.remark(
            None, what="Scores of metrics are left out: {names}.", names=known_ids(sorted(metrics))
        )
    scores = [row for row in rows.rows if row.kind != METRIC]
    new_topics: tuple[Topic, ...] = ()
    if request.corpus.topics:
        scores = _of_known_topics(scores, rows, request)
    else:
        topics = dict.fromkeys(row.topic for row in scores if row.topic is not None)
        new_topics = tuple(Topic(id=topic) for topic in topics)
    _check_new(scores, rows, request)
    if not scores and not rows.problems.found:
        rows.problems.add(
            None,
            what="No score of the file is a human score of a topic of this corpus.",
            hint="Do file and corpus use the same names for topics? Metrics' scores are not part "
            "of a corpus.",
            missing=Missing.STUDY_OF_METRICS,
        )
    rows.problems.refuse_if_any()
    return ReadResult(
        addition=Addition(topics=new_topics, human_scores=tuple(row.human for row in scores)),
        warnings=tuple(rows.problems.warnings),
    )


def _of_known_topics(
    scores: Sequence[ScoreFileRow], rows: Rows, request: ReadRequest
) -> list[ScoreFileRow]:
    known = dict.fromkeys(topic.id for topic in request.corpus.topics)
    unknown = [row for row in scores if row.topic is not None and row.topic not in known]
    if unknown:
        rows.problems.remark(
            unknown[0].line,
            what="The corpus has no {names:topic|topics} {names}; {n} {n:score is|scores are} "
            "left out.",
            hint="It has: {known}." if known else "It has none yet: import its documents first.",
            names=known_ids([*dict.fromkeys(row.topic or "" for row in unknown)]),
            n=len(unknown),
            known=known_ids([*known]),
        )
    return [row for row in scores if row.topic is None or row.topic in known]


def _check_new(scores: Iterable[ScoreFileRow], rows: Rows, request: ReadRequest) -> None:
    present = {score.key for score in request.corpus.human_scores}
    lines: dict[Hashable, int] = {}
    for row in scores:
        key = row.human.key
        first = lines.setdefault(key, row.line)
        if key in present:
            rows.problems.add(
                row.line,
                what="The corpus already has a {measure} of “{system}” in topic “{topic}” by this "
                "annotator.",
                hint="Name the annotator or the measure differently.",
                **row.named,
            )
        elif first != row.line:  # of two lengths, which human scores do not distinguish
            rows.add_second(row, first)


def metric_table(rows: Rows) -> ScoreTable:
    """Returns the metrics' scores of a file, without human ones."""
    rows.finish()
    scores = [row for row in rows.rows if row.kind != HUMAN]
    if not scores:
        rows.problems.add(None, what="The file has no score of a metric.")
    rows.problems.refuse_if_any()
    return ScoreTable(
        scores=tuple(
            Score(
                topic=row.topic, length=row.length, system=row.system, metric=row.measure,
                value=row.value, signature=row.signature or row.measure,
            )
            for row in scores
        ),
        warnings=tuple(rows.problems.warnings),
    )  # fmt: skip
