"""Human scores in the results of DUC 2004: SEE's tables, and responsiveness.

Columns are separated by blanks, below lines of explanation. Counted from 0, SEE's 23 columns have
the document set in 0, the summarizer in 7, questions of quality in 8 to 14 and the mean coverage in
20; the 5 of responsiveness have the document set in 0, the summarizer in 3 and the score in 4.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from awase.core.formats.duc.names import system_called
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.scores.score_rows import Rows, human_result

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


def read(request: ReadRequest) -> ReadResult:
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
