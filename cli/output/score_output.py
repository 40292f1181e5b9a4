"""Scores in every form that the command line prints them in."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from awase.cli.output.messages import counted, full_text, warning_record
from awase.cli.output.report import Output, Report, emit
from awase.core.errors import NOTHING, Problem
from awase.core.metrics.significance import ALPHA, MetricColumn, ScoreArrays, column_of
from awase.core.records.score import (
    REASON_COLUMN,
    SPREAD_COLUMNS,
    Score,
    ScoreTable,
    means_in,
    undefined_in,
)
from awase.core.reports.grid import Cell, Grid, Shown, TableRows, attributes, spread_text
from awase.core.reports.score_report import (
    FRAME_COLUMNS,
    SPREAD_LEGEND,
    TIDY_COLUMNS,
    Arrangement,
    ScoreCell,
    ScoreColumn,
    ScoreViewRow,
    ScoreWording,
    View,
    ViewKind,
    arranged,
    fields_of,
    grid_of_scores,
    report_of_means,
    spread_of,
    statistics_of,
    tidy_rows,
)
from awase.jobs.files.writing import BINARY_FORMS, TableForm


def emit_scores(
    scores: ScoreArrays,
    output: Output,
    *,
    level: str | None,
    warnings: Sequence[Problem],
    is_wide: bool = False,
    is_complete: bool = True,
    shown: Callable[[], Shown] | None = None,
) -> None:
    """Prints or writes the scores; for people as `awase score`, or `shown`.

    `level` is `system` = means alone, or `topic` = every topic, too; None = means alone in tables
    for people, everything elsewhere.
    """
    chosen = means_in(scores.table.scores) if level == "system" else scores.table.scores
    report = Report(
        shown=shown or (lambda: score_table(scores, by_topic=level == "topic")),
        json=lambda: score_members(chosen, scores, lambda: warnings),
        grid=lambda: report_of_means(scores),
        rows=None if is_wide else lambda: score_rows(chosen, scores, output.form),
        is_complete=is_complete,
    )
    emit(report, output)


def score_rows(scores: Iterable[Score], made: ScoreArrays, form: TableForm) -> TableRows:
    """Returns a row a score, in the order of the rows; files that type their columns hold more."""
    return tidy_rows(scores, made, FRAME_COLUMNS if form in BINARY_FORMS else TIDY_COLUMNS)


def score_members(
    scores: Iterable[Score],
    made: ScoreArrays,
    warnings: Callable[[], Iterable[Problem]],
    taken_as: Iterator[Mapping[str, object]] | None = None,
) -> list[tuple[str, object]]:
    """Returns the JSON members of scores, streaming.

    The warnings, and the assigned columns of files, None = none, are read after them.
    """
    # The scores, not formatted reasons: half a million would fill the memory.
    undefined: list[tuple[Score, Problem]] = []
    names = made.names()

    def records() -> Iterator[dict[str, object]]:
        for score in scores:
            if score.reason and score.reason not in made.table.warnings:
                undefined.append((score, score.reason))
            yield _record(score, made, names)

    def told() -> Iterator[dict[str, object]]:
        yield from map(warning_record, warnings())
        for score, reason in undefined:
            yield _undefined_record(score, reason, names)

    members: list[tuple[str, object]] = [("scores", records()), ("warnings", told())]
    if taken_as is not None:
        members.append(("taken_as", taken_as))
    if made.resampling:
        members.append(("statistics", [*made.resampling]))
    return members


_Names = Mapping[MetricColumn, str]


def _record(score: Score, made: ScoreArrays, names: _Names) -> dict[str, object]:
    record: dict[str, object] = {**fields_of(score, names)}
    absent = (
        *(() if score.reason else (REASON_COLUMN,)),
        *(() if score.spread else SPREAD_COLUMNS),
    )
    for name in absent:
        del record[name]
    if made.resampling and score.topic is None:
        record |= statistics_of(score, made)
    return record


def _undefined_record(score: Score, reason: Problem, names: _Names) -> dict[str, object]:
    metric = names.get(column_of(score), score.metric)
    place = "as a mean over topics" if score.topic is None else f"in topic “{score.topic}”"
    place += f", length “{score.length}”" if score.length else ""
    return {
        **warning_record(reason),
        "message": f"{metric} of “{score.system}” is undefined {place}: {full_text(reason)}",
        **attributes(score, "topic", "length", "system"),
        "metric": metric,
        "signature": score.signature,
    }


def undefined_in_short(table: ScoreTable) -> list[Problem]:
    """Returns one problem for each column and kind of reason, with the first case in full.

    Reasons in the table's warnings are not repeated.
    """
    cases: dict[tuple[str, str], list[Score]] = {}
    names = ScoreArrays(table=table).names()
    for score in undefined_in(table.scores):
        if score.topic is None or score.reason is None:
            continue
        if score.reason not in table.warnings:
            name = names.get(column_of(score), score.metric)
            cases.setdefault((name, score.reason.what), []).append(score)
    return [
        Problem(
            what="{metric} is undefined for {systems} in {topics}; "
            "for “{system}” in topic “{topic}”{length}: {reason}",
            fields={
                "metric": metric,
                "systems": counted(len({score.system for score in scores}), "system"),
                "topics": counted(len({score.topic for score in scores}), "topic"),
                "system": scores[0].system,
                "topic": scores[0].topic or "",
                "length": f", length “{scores[0].length}”" if scores[0].length else "",
                "reason": "" if (reason := scores[0].reason) is None else full_text(reason),
            },
        )
        for (metric, _), scores in cases.items()
    ]


PROVISIONAL = "*"
BETTER, WORSE = ">", "<"
_UNDEFINED = "undefined"


def score_table(made: ScoreArrays, *, by_topic: bool) -> Shown:
    """Yields the means, below each topic's scores when `by_topic`, and what they rest on."""
    kind = ViewKind.LIST_BY_TOPIC if by_topic else ViewKind.LIST
    shown = arranged(made, View(kind=kind))
    yield _grid(shown, made)
    yield from _legend(shown, made)


def _grid(shown: Arrangement, made: ScoreArrays) -> Grid:
    """Returns the table, grouped by topic or length class."""
    counts = {row: cells[-1].n_topics for row, cells in zip(shown.rows, shown.cells, strict=True)}

    def cell(row: ScoreViewRow, column: ScoreColumn, cell: ScoreCell) -> Cell:
        if column.metric is None:
            return Cell(text=str(cell.n_topics) if row.topic is None else "")
        statistics = _statistics(cell, made) if row.topic is None else ""
        return Cell(text=_value(cell, counts[row]) + statistics)

    groups: dict[str | None, list[int]] = {}
    for at, row in enumerate(shown.rows):
        is_by_topic = shown.view.kind is ViewKind.LIST_BY_TOPIC
        groups.setdefault(row.topic if is_by_topic else row.length, []).append(at)
    order = [at for group in groups.values() for at in group]
    last = [group[-1] for group in groups.values()]
    grid = grid_of_scores(shown, ScoreWording(cell=cell, no_length=NOTHING), order)
    return Grid(columns=grid.columns, rows=grid.rows, breaks=frozenset(map(order.index, last)))


def _value(cell: ScoreCell, n_topics: int) -> str:
    if cell.score is None:
        return NOTHING + " "
    mark = PROVISIONAL if cell.score.provisional else " "
    if cell.value is None:
        return _UNDEFINED + mark
    over = f" ({cell.n_topics})" if cell.n_topics != n_topics else ""
    spread = spread_of(cell.score)
    of_annotators = "" if spread is None else f" {spread_text(spread)}"
    return f"{cell.value:.4f}{over}{of_annotators}{mark}"


def _statistics(cell: ScoreCell, made: ScoreArrays) -> str:
    """Returns the interval and mark of a mean, aligned with its column's."""
    if cell.score is None:
        return ""
    text = ""
    if made.intervals is not None:
        bounds = cell.interval
        text += " " * 17 if bounds is None else f" [{bounds.low:.4f}, {bounds.high:.4f}]"
    if made.comparisons is not None:
        direction = 0 if cell.comparison is None else cell.comparison.direction
        text += " " + {1: BETTER, -1: WORSE, 0: " "}[direction]
    return text


def _legend(shown: Arrangement, made: ScoreArrays) -> Iterator[str]:
    yield ""
    if shown.is_provisional:
        yield f"{PROVISIONAL} provisional: the annotation it is based on is not finished"
    scores = [[cell.score for cell in row if cell.score is not None] for row in shown.cells]
    counts = ({score.n_topics for score in row if score.value is not None} for row in scores)
    if any(len(of_row) > 1 for of_row in counts):
        yield "(n) mean over n topics only, as it is undefined in the others"
    if any(score.spread is not None for row in scores for score in row):
        yield SPREAD_LEGEND
    if made.comparisons is not None:
        yield f"{BETTER} better than {made.baseline}, p <= {ALPHA:g} after Holm"
        yield f"{WORSE} worse than {made.baseline}, p <= {ALPHA:g} after Holm"
    means = means_in(made.table.scores)
    lengths_by_signature: dict[str, list[str]] = {}
    for length, signature in dict.fromkeys((score.length, score.signature) for score in means):
        lengths_by_signature.setdefault(signature, []).append(length or "")
    for signature, lengths in lengths_by_signature.items():
        is_of_all = len(lengths) == len({score.length for score in means})
        yield signature if is_of_all else f"{', '.join(lengths)}: {signature}"
    yield from made.resampling
