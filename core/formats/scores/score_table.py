"""Tidy score tables: CSV or TSV with a heading, long (a row a score) or wide (a column a measure).

topic,system,measure,value,annotator
0310,lead,coverage,0.41,7
"""

import csv
import io
from collections.abc import Mapping, Sequence

from awase.core.errors import InputError
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult, WriteRequest
from awase.core.formats.scores.score_cells import Cells, rows_of_cells
from awase.core.formats.scores.score_rows import HUMAN, METRIC, Rows, human_result

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
_KINDS = {"human": HUMAN, "auto": METRIC, "metric": METRIC, "": None}


def read(request: ReadRequest) -> ReadResult:
    """Returns the human scores of a table.

    Raises:
        CorpusFormatError: With every problem of the file.
    """
    return human_result(rows_of(request.text, request.source), request)


def rows_of(text: str, source: str) -> Rows:
    """Returns the scores of a table, human or not.

    Raises:
        CorpusFormatError: The heading lacks a column, or a column stands twice.
    """
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
                what="The row has {n} cells, the heading {n_head}.",
                hint="Put quotation marks around cells with a separator.",
                n=len(row.texts),
                n_head=len(head.texts),
            )
        elif is_long:
            _take_long(row, roles, rows)
        else:
            _take_wide(row, roles, head.texts, rows)
    return rows


def _roles(row: Cells, rows: Rows) -> dict[str, int]:
    """Returns the column of each role."""
    roles: dict[str, int] = {}
    line, head = row.line, row.texts
    for idx, title in enumerate(head):
        role = _ROLE_OF.get(title.lower())
        if role is not None and role in roles:
            rows.problems.add(
                line,
                what="Columns “{first}” and “{second}” both tell the {role}.",
                hint="Keep one.",
                first=head[roles[role]],
                second=title,
                role=role,
            )
        elif role is not None:
            roles[role] = idx
    needed = ["system"]
    if "measure" in roles or "value" in roles:
        needed += ["measure", "value"]
    for role in needed:
        if role not in roles:
            rows.problems.add(
                line,
                what="The heading has no column “{role}”.",
                hint="Begin the file with a heading such as: {columns}.",
                role=role,
                columns=",".join(COLUMNS),
            )
    rows.problems.refuse_if_any()
    return roles


def _take_long(row: Cells, roles: Mapping[str, int], rows: Rows) -> None:
    signature = row.at(roles, "signature")
    kind = _KINDS.get(row.at(roles, "kind").lower())
    rows.take(
        row.line,
        row.at(roles, "value"),
        system=row.at(roles, "system"),
        measure=row.at(roles, "measure"),
        topic=row.at(roles, "topic"),
        annotator=row.at(roles, "annotator"),
        kind=METRIC if kind is None and signature else kind,
        length=row.at(roles, "length"),
        signature=signature,
    )


def _take_wide(row: Cells, roles: Mapping[str, int], head: Sequence[str], rows: Rows) -> None:
    for idx, title in enumerate(head):
        if idx not in roles.values() and title:
            rows.take(
                row.line,
                row.at({title: idx}, title),
                system=row.at(roles, "system"),
                measure=title,
                topic=row.at(roles, "topic"),
                annotator=row.at(roles, "annotator"),
                length=row.at(roles, "length"),
            )


def write(request: WriteRequest) -> str:
    """Returns the human scores of the corpus or of the topic asked for, a row each.

    Raises:
        InputError: There is none.
    """
    scores = [
        score for score in request.corpus.human_scores if request.topic in (None, score.topic)
    ]
    if not scores:
        raise InputError.of("There is no human score to write.")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for score in scores:
        writer.writerow(
            [score.topic or "", score.system, score.measure, repr(score.value),
             score.annotator or ""]
        )  # fmt: skip
    return text.getvalue()
