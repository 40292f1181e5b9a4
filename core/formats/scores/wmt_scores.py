"""Score files of the WMT evaluations: direct assessment, metrics' scores, and one score a line.

RAW.SCR Z.SCR N SYS N.ALL           a heading, then a row a system (SID: a segment)
METRIC  LP  TESTSET  REFSET  SYSTEM  [SEGMENT]  SCORE          tab-separated
SYSTEM  SCORE                       of files such as en-de.mqm.seg.score; None = missing
"""

import re
from collections import Counter
from collections.abc import Iterator

from awase.core.errors import Listing, Missing
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.scores.score_rows import METRIC, Rows, human_result
from awase.core.text.script import is_number

_DA_MEASURES = {"RAW.SCR": "da-raw", "Z.SCR": "da-z"}
_ENDING = re.compile(r"\.(sys|doc|seg|domain)(\.score)?$|\.(score|scores|scr|txt|tsv)$")


def read(request: ReadRequest) -> ReadResult:
    """Returns the human scores of a file."""
    return human_result(rows_of(request.text, request.source, request.part), request)


def rows_of(text: str, source: str, part: str | None = None) -> Rows:
    """Returns the scores of a file, human or not; `part` selects one of several language pairs."""
    rows = Rows(Findings(source))
    lines = [*_lines(text)]
    if not lines:
        return rows
    first = _cells(lines[0][1])
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
    head = _cells(heading)
    for line, text in body:
        cells = _cells(text)
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


def _cells(text: str) -> list[str]:
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
            hint="Say which one is wanted.",
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
        what="The line has {n} columns instead of {expected}.",
        hint="Is the file cut, or of another format?",
        n=n_cells,
        expected=n_expected,
    )
