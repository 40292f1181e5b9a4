"""A score table laid out for the eye: a row a system, a column a length class and metric."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from awase.core.records.score import Score
from awase.gui.scores.computing import Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A metric for one length class; `metric` is empty for the number of topics."""

    length: str | None
    metric: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What stands in a column of a system's row.

    Attributes:
        score: The score; None where the system has no output, and for numbers of topics.
        n_topics: How many topics the value rests on.
        is_best: Whether no system has more.
    """

    score: Score | None
    n_topics: int
    is_best: bool = False

    @property
    def value(self) -> float | None:
        """The value as a number for bars and sorting; None when undefined."""
        return None if self.score is None or self.score.value is None else float(self.score.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """The scores of one topic, or the means.

    Attributes:
        topic: Id of the topic; None = means over topics.
        columns: In groups by length class.
        systems: In the order of the corpus.
        cells: A row a system, a cell a column.
        signatures: (columns, signature), each signature once.
        h: (length class, h) for each length class; the mean over topics when `topic` is None.
    """

    topic: str | None = None
    columns: tuple[Column, ...] = ()
    systems: tuple[str, ...] = ()
    cells: tuple[tuple[Cell, ...], ...] = ()
    signatures: tuple[tuple[tuple[Column, ...], str], ...] = ()
    h: tuple[tuple[str | None, Fraction], ...] = ()

    @property
    def is_provisional(self) -> bool:
        """Whether any value rests on unfinished annotation."""
        return any(
            cell.score is not None and cell.score.provisional for row in self.cells for cell in row
        )


def arranged(scores: Scores, topic: str | None) -> Arrangement:
    """Returns the scores of `topic`, or the means when it is None."""
    shown = [score for score in scores.table.scores if score.topic == topic]
    lengths = tuple(dict.fromkeys(score.length for score in shown))
    metrics = tuple(dict.fromkeys(score.metric for score in shown))
    systems = tuple(dict.fromkeys(score.system for score in shown))
    names = (*metrics, "") if topic is None else metrics
    columns = tuple(Column(length=length, metric=name) for length in lengths for name in names)
    found = {(score.system, score.length, score.metric): score for score in shown}
    best = _best(shown)
    cells = tuple(
        tuple(_cell(found, best, system, column, metrics) for column in columns)
        for system in systems
    )
    return Arrangement(
        topic=topic,
        columns=columns,
        systems=systems,
        cells=cells,
        signatures=_signatures(shown),
        h=tuple((length, h) for length in lengths if (h := _h(scores, topic, length)) is not None),
    )


def _best(scores: Sequence[Score]) -> dict[tuple[str | None, str], float]:
    best: dict[tuple[str | None, str], float] = {}
    for score in scores:
        if score.value is not None:
            key = (score.length, score.metric)
            best[key] = max(best.get(key, float(score.value)), float(score.value))
    return best


def _cell(
    found: dict[tuple[str, str | None, str], Score],
    best: dict[tuple[str | None, str], float],
    system: str,
    column: Column,
    metrics: Sequence[str],
) -> Cell:
    if not column.metric:
        counts = [
            found[system, column.length, metric].n_topics
            for metric in metrics
            if (system, column.length, metric) in found
        ]
        return Cell(score=None, n_topics=min(counts, default=0))
    score = found.get((system, column.length, column.metric))
    if score is None:
        return Cell(score=None, n_topics=0)
    is_best = score.value is not None and float(score.value) == best[score.length, score.metric]
    return Cell(score=score, n_topics=score.n_topics, is_best=is_best)


def _signatures(scores: Sequence[Score]) -> tuple[tuple[tuple[Column, ...], str], ...]:
    columns_by_signature: dict[str, dict[Column, None]] = {}
    for score in scores:
        column = Column(length=score.length, metric=score.metric)
        columns_by_signature.setdefault(score.signature, {})[column] = None
    return tuple((tuple(columns), text) for text, columns in columns_by_signature.items())


def _h(scores: Scores, topic: str | None, length: str | None) -> Fraction | None:
    values = [
        h
        for (topic_id, of_length), h in scores.h.items()
        if of_length == length and topic in (None, topic_id)
    ]
    return sum(values, Fraction(0)) / len(values) if values else None
