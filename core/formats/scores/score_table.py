"""Tidy score tables: CSV or TSV with a heading, long (a row a score) or wide (a column a measure).

topic,system,measure,value,annotator
0310,lead,coverage,0.41,7
"""

import csv
import io
from collections.abc import Iterable, Mapping

from awase.core.errors import InputError
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult, WriteRequest
from awase.core.formats.scores.score_rows import (
    HUMAN,
    METRIC,
    Cells,
    Rows,
    human_result,
    rows_of_cells,
)

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


def read(request: ReadRequest) -> ReadResult:
    """Returns the human scores of a table."""
    return human_result(rows_of(request.text, request.source), request)


def rows_of(text: str, source: str) -> Rows:
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
                what="The row has {n} cells, the heading {n_head}.",
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
                what="Columns “{first}” and “{second}” both tell the {role}.",
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
