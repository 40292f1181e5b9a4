"""Scores as a table for people: systems by metrics, means last, signatures below."""

from awase.cli.output.streams import say
from awase.cli.output.tables import print_grid
from awase.core.errors import NOTHING
from awase.core.metrics.tables.scores import Scores
from awase.core.metrics.tables.significance import ALPHA
from awase.core.records.score import means_in
from awase.core.reports.grid import Cell, Grid, spread_text
from awase.core.reports.score_report import (
    SPREAD_LEGEND,
    ScoreWording,
    grid_of_scores,
    spread_of,
)
from awase.core.reports.score_views import (
    Arrangement,
    ScoreCell,
    ScoreColumn,
    ScoreRow,
    View,
    ViewKind,
    arranged,
)

PROVISIONAL = "*"
BETTER, WORSE = ">", "<"
_UNDEFINED = "undefined"


def print_score_table(made: Scores, *, by_topic: bool) -> None:
    """Prints the means, below each topic's scores when `by_topic`, and what they rest on."""
    kind = ViewKind.LIST_BY_TOPIC if by_topic else ViewKind.LIST
    shown = arranged(made, View(kind=kind))
    print_grid(_grid(shown, made))
    _print_legend(shown, made)


def _grid(shown: Arrangement, made: Scores) -> Grid:
    """Returns the table, the rows of a topic together, or those of a length class."""
    counts = {row: cells[-1].n_topics for row, cells in zip(shown.rows, shown.cells, strict=True)}

    def cell(row: ScoreRow, column: ScoreColumn, cell: ScoreCell) -> Cell:
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


def _statistics(cell: ScoreCell, made: Scores) -> str:
    """Returns the interval and the mark of a mean, as wide as those of its column's others."""
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


def _print_legend(shown: Arrangement, made: Scores) -> None:
    say()
    if shown.is_provisional:
        say(f"{PROVISIONAL} provisional: the annotation it rests on is not finished")
    scores = [[cell.score for cell in row if cell.score is not None] for row in shown.cells]
    if any(len({score.n_topics for score in row}) > 1 for row in scores):
        say("(n) mean over n topics only, as it is undefined in the others")
    if any(score.spread is not None for row in scores for score in row):
        say(SPREAD_LEGEND)
    if made.comparisons is not None:
        say(f"{BETTER} better than {made.baseline}, p <= {ALPHA:g} after Holm")
        say(f"{WORSE} worse than {made.baseline}, p <= {ALPHA:g} after Holm")
    means = means_in(made.table.scores)
    lengths_by_signature: dict[str, list[str]] = {}
    for length, signature in dict.fromkeys((score.length, score.signature) for score in means):
        lengths_by_signature.setdefault(signature, []).append(length or "")
    for signature, lengths in lengths_by_signature.items():
        is_of_all = len(lengths) == len({score.length for score in means})
        say(signature if is_of_all else f"{', '.join(lengths)}: {signature}")
    for line in made.resampling:
        say(line)
