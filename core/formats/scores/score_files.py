"""Files of scores: tidy tables, those of WMT, sacrerouge's JSONL, tables of DUC 2004.

topic,system,measure,value,annotator        a row a score; or wide, a column a measure
0310,lead,coverage,0.41,7

RAW.SCR Z.SCR N SYS N.ALL           a heading, then a row a system (SID: a segment)
METRIC  LP  TESTSET  REFSET  SYSTEM  [SEGMENT]  SCORE          tab-separated
SYSTEM  SCORE                       of files such as en-de.mqm.seg.score; None = missing

{"instance_id": "t1", "summarizer_id": "11", "summarizer_type": "peer",
 "metrics": {"rouge-1": {"recall": 0.5}, "grade": [2, 3, 3]}}

Human scores of DUC 2004 are columns separated by blanks, below lines of explanation. Counted from
0, SEE's 23 columns have the document set in 0, the summarizer in 7, questions of quality in 8 to 14
and the mean coverage in 20; the 5 of responsiveness have the document set in 0, the summarizer in 3
and the score in 4.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from types import MappingProxyType
from typing import Any, Final

from awase.core.errors import Findings, InputError, Listing, Missing
from awase.core.formats.reading.records import json_objects, system_called
from awase.core.formats.reading.requests import ReadRequest, ReadResult, WriteRequest
from awase.core.formats.scores.score_rows import (
    HUMAN,
    METRIC,
    Cells,
    Rows,
    human_result,
    rows_of_cells,
)
from awase.core.text.script import is_number

COLUMNS = ("topic", "system", "measure", "value", "annotator")

_NAMES = {
    "topic": ("topic", "docset", "instance", "instance_id", "doc", "doc_id", "segment"),
    "system": ("system", "sys", "system_id", "summarizer", "summarizer_id", "peer", "model_id"),
    "measure": ("measure", "metric", "dimension"),
    "value": ("value", "score", "rating"),
    "annotator": ("annotator", "judge", "assessor", "rater", "worker"),
    "kind": ("kind",),
    "reference": ("reference",),
    "length": ("length",),
    "signature": ("signature",),
    "n_topics": ("n_topics", "topics"),
}
_ROLE_OF = {name: role for role, names in _NAMES.items() for name in names}
_KINDS = {"human": HUMAN, "auto": METRIC, "metric": METRIC}


def read_table(request: ReadRequest) -> ReadResult:
    """Returns the human scores of a table."""
    return human_result(rows_of_table(request.text, request.source), request)


def rows_of_table(text: str, source: str) -> Rows:
    """Returns the scores of a table, human or not."""
    rows = Rows(Findings(source))
    lines = rows_of_cells(text, rows.problems)
    if not lines:
        return rows
    head, *body = lines
    roles = _roles(head, rows)
    is_long = "measure" in roles or "value" in roles
    for row in body:
        if len(row.texts) > len(head.texts):
            rows.problems.add(
                row.line,
                what="The row has {n} {n:cell|cells}, the heading {n_head}.",
                hint="Put quotation marks around cells with a separator.",
                n=len(row.texts),
                n_head=len(head.texts),
            )
        elif is_long:
            signature = row.at(roles, "signature")
            kind = _KINDS.get(row.at(roles, "kind").lower(), METRIC if signature else None)
            measured = [(row.at(roles, "measure"), row.at(roles, "value"))]
            _take(row, roles, measured, rows, kind=kind, signature=signature)
        else:
            measured = [
                (title, row.at({title: at}, title))
                for at, title in enumerate(head.texts)
                if title and at not in roles.values()
            ]
            _take(row, roles, measured, rows)
    return rows


def _roles(row: Cells, rows: Rows) -> dict[str, int]:
    roles: dict[str, int] = {}
    for idx, title in enumerate(row.texts):
        role = _ROLE_OF.get(title.lower())
        if role is not None and roles.setdefault(role, idx) != idx:
            rows.problems.add(
                row.line,
                what="Columns “{first}” and “{second}” both give the {role}.",
                hint="Keep one.",
                first=row.texts[roles[role]],
                second=title,
                role=role,
            )
    is_long = "measure" in roles or "value" in roles
    for role in ("system", "measure", "value") if is_long else ("system",):
        if role not in roles:
            rows.problems.add(
                row.line,
                what="The heading has no column “{role}”.",
                hint="Begin the file with a heading such as: {columns}.",
                role=role,
                columns=",".join(COLUMNS),
            )
    rows.problems.refuse_if_any()
    return roles


def _take(
    row: Cells,
    roles: Mapping[str, int],
    measured: Iterable[tuple[str, str]],
    rows: Rows,
    *,
    kind: str | None = None,
    signature: str = "",
) -> None:
    for measure, value in measured:
        rows.take(
            row.line,
            value,
            system=row.at(roles, "system"),
            measure=measure,
            topic=row.at(roles, "topic"),
            annotator=row.at(roles, "annotator"),
            kind=kind,
            length=row.at(roles, "length"),
            signature=signature,
        )


def write(request: WriteRequest) -> str:
    """Returns the human scores of the corpus or of the requested topic, a row each."""
    scores = [
        score for score in request.corpus.human_scores if request.topic in (None, score.topic)
    ]
    if not scores:
        raise InputError.of("There is no human score to export.")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for score in scores:
        writer.writerow(
            [score.topic or "", score.system, score.measure, repr(score.value),
             score.annotator or ""]
        )  # fmt: skip
    return text.getvalue()


_DA_MEASURES = {"RAW.SCR": "da-raw", "Z.SCR": "da-z"}
_ENDING = re.compile(r"\.(sys|doc|seg|domain)(\.score)?$|\.(score|scores|scr|txt|tsv)$")


def read_wmt(request: ReadRequest) -> ReadResult:
    """Returns the human scores of a file."""
    return human_result(rows_of_wmt(request.text, request.source, request.part), request)


def rows_of_wmt(text: str, source: str, part: str | None = None) -> Rows:
    """Returns the scores of a file, human or not; `part` selects one of several language pairs."""
    rows = Rows(Findings(source))
    lines = [*_lines(text)]
    if not lines:
        return rows
    first = _wmt_cells(lines[0][1])
    if "SYS" in first and set(first) & set(_DA_MEASURES):
        _take_assessment(lines, rows)
    elif lines[0][1].count("\t") >= 5:
        _take_metrics(lines, rows, part)
    else:
        _take_pairs(lines, rows, source)
    return rows


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if line.strip():
            yield number, line


def _take_assessment(lines: list[tuple[int, str]], rows: Rows) -> None:
    (_, heading), *body = lines
    head = _wmt_cells(heading)
    for line, text in body:
        cells = _wmt_cells(text)
        if len(cells) != len(head):
            _complain(rows, line, len(cells), len(head))
            continue
        by_title = dict(zip(head, cells, strict=True))
        for title, measure in _DA_MEASURES.items():
            if title in by_title:
                rows.take(
                    line, by_title[title], system=by_title["SYS"], measure=measure,
                    topic=by_title.get("SID"),
                )  # fmt: skip


def _wmt_cells(text: str) -> list[str]:
    """Splits a line at commas if it has any, else at blanks."""
    cells = text.split(",") if "," in text else text.split()
    return [cell.strip().strip('"') for cell in cells]


def _take_metrics(lines: list[tuple[int, str]], rows: Rows, part: str | None) -> None:
    pairs: dict[str, int] = {}
    for line, text in lines:
        cells = text.split("\t")
        if len(cells) < 6:
            _complain(rows, line, len(cells), 6)
            continue
        pairs.setdefault(cells[1], line)
        if part is not None and cells[1] != part:
            continue
        # Later years add columns (ensemble, available) behind the score.
        has_segment = len(cells) > 6 and cells[5].strip().isdecimal() and is_number(cells[6])
        rows.take(
            line,
            cells[6] if has_segment else cells[5],
            system=cells[4],
            measure=cells[0],
            topic=cells[5] if has_segment else None,
            kind=METRIC,
        )
    if part is not None and part not in pairs:
        rows.problems.add(
            None,
            what="The file has no language pair “{part}”; it has {pairs}.",
            part=part,
            pairs=Listing(pairs),
        )
    elif part is None and len(pairs) > 1:
        line = [*pairs.values()][1]
        rows.problems.found = []
        rows.problems.add(
            line,
            what="The file has several language pairs: {pairs}.",
            hint="Name the one to read.",
            pairs=Listing(pairs),
            missing=Missing.PART_OF_FOLDER.value,
        )


def _take_pairs(lines: list[tuple[int, str]], rows: Rows, source: str) -> None:
    name = re.split(r"[/\\]", source)[-1]
    is_of_segments = ".seg" in name or ".doc" in name
    measure = _measure(name)
    seen: Counter[str] = Counter()
    for line, text in lines:
        cells = text.split("\t") if "\t" in text else text.split()
        if len(cells) != 2:
            _complain(rows, line, len(cells), 2)
            continue
        system = cells[0].strip()
        seen[system] += 1
        topic = str(seen[system]) if is_of_segments else None
        rows.take(line, cells[1], system=system, measure=measure, topic=topic)


def _measure(name: str) -> str:
    """Returns a file's measure: `mqm` of `en-de.mqm.seg.score`, `BLEU-refA` of `BLEU-refA…`."""
    while (shorter := _ENDING.sub("", name)) != name:
        name = shorter
    return re.sub(r"^[a-z]{2,3}-[a-z]{2,3}\.", "", name) or name


def _complain(rows: Rows, line: int, n_cells: int, n_expected: int) -> None:
    rows.problems.add(
        line,
        what="The line has {n} {n:column|columns} instead of {expected}.",
        hint="Is the file cut off, or in another format?",
        n=n_cells,
        expected=n_expected,
    )


def read_sacrerouge(request: ReadRequest) -> ReadResult:
    """Returns the human scores of a file; every value counts as one."""
    return human_result(rows_of_sacrerouge(request.text, request.source), request)


def rows_of_sacrerouge(text: str, source: str) -> Rows:
    """Returns the scores of a file, human or not."""
    rows = Rows(Findings(source))
    for line, record in json_objects(text, rows.problems):
        _take_record(line, record, rows)
    return rows


def _take_record(line: int, record: Mapping[str, Any], rows: Rows) -> None:
    if not isinstance(record.get("metrics"), dict):
        rows.problems.add(
            line,
            what="The line has no metrics.",
            hint='Each line is an object with "instance_id", "summarizer_id" and "metrics".',
        )
        return
    topic, system = record.get("instance_id"), record.get("summarizer_id")
    if not isinstance(topic, str | int) or not isinstance(system, str | int):
        rows.problems.add(
            line,
            what="The line lacks an instance_id or a summarizer_id.",
            hint="Both are strings.",
        )
        return
    if record.get("summarizer_type") == "reference":
        rows.references[str(system)] += 1
        return
    for measure, value in _flat(record["metrics"], ""):
        rows.take(line, value, system=str(system), measure=measure, topic=str(topic))


def _flat(metrics: Mapping[str, object], prefix: str) -> Iterator[tuple[str, str]]:
    """Yields (name, value as text): keys of nested objects joined by `_`, lists averaged."""
    for key, value in metrics.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _flat(value, f"{name}_")
        elif isinstance(value, list):
            numbers = [one for one in value if isinstance(one, int | float)]
            yield name, repr(fmean(numbers)) if numbers and len(numbers) == len(value) else ""
        else:
            yield name, "" if value is None else str(value)


# Formats with scores of people and of metrics, and what reads either.
ROWS_OF: Final[Mapping[str, Callable[[str, str], Rows]]] = {
    "score-table": rows_of_table,
    "wmt-scores": rows_of_wmt,
    "sacrerouge": rows_of_sacrerouge,
}


_DOCSET: Final = re.compile(r"[A-Za-z][0-9]{2,6}[A-Za-z]?(-[A-Za-z])?")
_SUMMARIZER: Final = re.compile(r"[A-Za-z]|[0-9]{1,3}")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]*)?|-?\.[0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    n_columns: int
    summarizer: int
    measures: Mapping[int, str]


_TABLES: Final = (
    _Table(
        n_columns=23,
        summarizer=7,
        measures=MappingProxyType(
            {20: "coverage", **{7 + number: f"quality-{number}" for number in range(1, 8)}}
        ),
    ),
    _Table(n_columns=5, summarizer=3, measures=MappingProxyType({4: "responsiveness"})),
)


def read_duc(request: ReadRequest) -> ReadResult:
    """Returns the human scores of a file."""
    rows = Rows(Findings(request.source))
    topics = {topic.id.casefold(): topic.id for topic in request.corpus.topics}
    for line, text in enumerate(request.text.removeprefix("\ufeff").splitlines(), start=1):
        cells = text.split()
        for table in _TABLES:
            if _is_row(cells, table):
                for column, measure in table.measures.items():
                    rows.take(
                        line,
                        cells[column],
                        system=system_called(cells[table.summarizer]),
                        measure=measure,
                        topic=topics.get(cells[0].casefold(), cells[0]),
                        annotator=request.annotator,
                    )
    return human_result(rows, request)


def _is_row(cells: list[str], table: _Table) -> bool:
    """Whether the cells are a row, not a line of explanation."""
    return (
        len(cells) == table.n_columns
        and _DOCSET.fullmatch(cells[0]) is not None
        and _SUMMARIZER.fullmatch(cells[table.summarizer]) is not None
        and _NUMBER.fullmatch(cells[-1]) is not None
    )
