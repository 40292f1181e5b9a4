"""Scores as a table for people: systems by metrics, means last, signatures below."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import click

from awase.cli.output.tables import print_table
from awase.core.metrics.tables.columns import MetricColumn, column_of, titles_of
from awase.core.metrics.tables.significance import ALPHA, CellKey
from awase.core.records.score import Score
from awase.core.reports.grid import Column, spread_text
from awase.core.reports.score_report import SPREAD_LEGEND, spread_of
from awase.jobs.scoring import Scores

PROVISIONAL = "*"
BETTER, WORSE = ">", "<"
_UNDEFINED = "undefined"
_NO_LENGTH = "–"

_RowKey = tuple[str | None, str | None, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Scores by row and column.

    Attributes:
        columns: One for each metric with its options.
        rows: (length, topic, system) to the scores by column.
    """

    columns: tuple[MetricColumn, ...]
    rows: dict[_RowKey, dict[MetricColumn, Score]]


def print_score_table(made: Scores, *, by_topic: bool) -> None:
    """Prints the means, below each topic's scores when `by_topic`, and what they rest on."""
    shown = [score for score in made.table.scores if by_topic or score.topic is None]
    grid = _grid(shown)
    has_lengths = any(length is not None for length, _, _ in grid.rows)
    head = [Column(title="topic")] if by_topic else []
    head += [Column(title="length")] if has_lengths else []
    columns = [
        *head,
        Column(title="system"),
        *(Column(title=title, is_number=True) for title in titles_of(grid.columns)),
        Column(title="topics", is_number=True),
    ]
    groups: dict[str | None, list[list[str]]] = {}
    for key, scores in grid.rows.items():
        length, topic, _ = key
        cells = _cells(key, scores, grid.columns, made, by_topic=by_topic, has_lengths=has_lengths)
        groups.setdefault(topic if by_topic else length, []).append(cells)
    print_table(columns, [*groups.values()])
    _print_legend(shown, grid, made)


def _grid(scores: Iterable[Score]) -> _Grid:
    rows: dict[_RowKey, dict[MetricColumn, Score]] = {}
    columns: dict[MetricColumn, None] = {}
    for score in scores:
        key = column_of(score)
        columns[key] = None
        rows.setdefault((score.length, score.topic, score.system), {})[key] = score
    return _Grid(columns=tuple(columns), rows=rows)


def _cells(
    key: _RowKey,
    scores: dict[MetricColumn, Score],
    columns: Sequence[MetricColumn],
    made: Scores,
    *,
    by_topic: bool,
    has_lengths: bool,
) -> list[str]:
    length, topic, system = key
    n_topics = max(score.n_topics for score in scores.values())
    head = [("mean" if topic is None else topic)] if by_topic else []
    head += [length or _NO_LENGTH] if has_lengths else []
    values = [
        _value(scores.get(column), n_topics) + _statistics(scores.get(column), column, made)
        for column in columns
    ]
    return [*head, system, *values, str(n_topics) if topic is None else ""]


def _value(score: Score | None, n_topics: int) -> str:
    if score is None:
        return _NO_LENGTH + " "
    mark = PROVISIONAL if score.provisional else " "
    if score.value is None:
        return _UNDEFINED + mark
    over = f" ({score.n_topics})" if score.n_topics != n_topics else ""
    spread = spread_of(score)
    of_annotators = "" if spread is None else f" {spread_text(spread)}"
    return f"{float(score.value):.4f}{over}{of_annotators}{mark}"


def _statistics(score: Score | None, column: MetricColumn, made: Scores) -> str:
    """Returns the interval and the mark of a mean, as wide as those of its column's others."""
    if score is None or score.topic is not None:
        return ""
    key = CellKey(system=score.system, length=score.length, column=column)
    text = ""
    if made.intervals is not None:
        bounds = made.intervals.get(key)
        text += " " * 17 if bounds is None else f" [{bounds.low:.4f}, {bounds.high:.4f}]"
    if made.comparisons is not None:
        compared = made.comparisons.get(key)
        text += " " + {1: BETTER, -1: WORSE, 0: " "}[0 if compared is None else compared.direction]
    return text


def _print_legend(shown: Sequence[Score], grid: _Grid, made: Scores) -> None:
    click.echo()
    if any(score.provisional for score in shown):
        click.echo(f"{PROVISIONAL} provisional: the annotation it rests on is not finished")
    rows = grid.rows.values()
    if any(len({score.n_topics for score in row.values()}) > 1 for row in rows):
        click.echo("(n) mean over n topics only, as it is undefined in the others")
    if any(score.spread is not None for score in shown):
        click.echo(SPREAD_LEGEND)
    if made.comparisons is not None:
        click.echo(f"{BETTER} better than {made.baseline}, p <= {ALPHA:g} after Holm")
        click.echo(f"{WORSE} worse than {made.baseline}, p <= {ALPHA:g} after Holm")
    means = [score for score in shown if score.topic is None]
    lengths_by_signature: dict[str, list[str]] = {}
    for length, signature in dict.fromkeys((score.length, score.signature) for score in means):
        lengths_by_signature.setdefault(signature, []).append(length or "")
    for signature, lengths in lengths_by_signature.items():
        is_of_all = len(lengths) == len({score.length for score in means})
        click.echo(signature if is_of_all else f"{', '.join(lengths)}: {signature}")
    for line in made.resampling:
        click.echo(line)
