"""Scores of cells, by topic and as means over topics, each with its signature."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from awase.core.errors import Problem
from awase.core.metrics.extracts.assisted import Links
from awase.core.metrics.extracts.cells import Aligned, Cell, Column
from awase.core.metrics.extracts.requests import Tsc3Request
from awase.core.metrics.extracts.warnings import WarningLog
from awase.core.metrics.kit.annotators import Choice
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.metrics.kit.signature import digest_of_names
from awase.core.records.score import Score


def scores_by_topic(cells: Iterable[Cell]) -> Iterator[Score]:
    """Yields a score a cell."""
    signatures: dict[int, str] = {}
    for cell in cells:
        column, values = cell.column, cell.by_name.values()
        if id(column) not in signatures:
            signatures[id(column)] = _signature(
                column.request, column.names, column.n_no_source, column.links, {}
            )
        yield Score(
            topic=column.topic,
            length=column.length,
            system=cell.system,
            metric=column.request.metric,
            value=cell.value,
            signature=signatures[id(column)],
            provisional=column.provisional,
            reason=cell.reason,
            n_topics=0 if cell.value is None else 1,
            spread=(min(values), max(values)) if values else None,
        )


class SystemMeans:
    """The means of all systems, of which no topic's values are held."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str | None, str], dict[int, _MeanOfSystem]] = {}
        self._numbers: dict[Tsc3Request, int] = {}
        self._columns: dict[int, tuple[Column, int]] = {}
        self._topic: str | None = None
        self._n_topics: dict[str | None, int] = {}
        self._last_topic: dict[str | None, str] = {}

    def add(self, cell: Cell) -> None:
        """Takes note of a value; those of a topic come together."""
        column = cell.column
        by_request = self._groups.setdefault((column.length, cell.system), {})
        number = self._number_of(column)
        if number not in by_request:
            by_request[number] = _MeanOfSystem(column.request)
        by_request[number].add(cell)
        if self._last_topic.get(column.length) != column.topic:
            self._last_topic[column.length] = column.topic
            self._n_topics[column.length] = self._n_topics.get(column.length, 0) + 1

    def _number_of(self, column: Column) -> int:
        """Returns which request a column is of: to hash one takes as long as all else here."""
        if self._topic != column.topic:
            self._topic, self._columns = column.topic, {}
        if id(column) not in self._columns:
            number = self._numbers.setdefault(column.request, len(self._numbers))
            self._columns[id(column)] = column, number
        return self._columns[id(column)][1]

    def scores(self, topics: TopicsOfMeans, log: WarningLog) -> Iterator[Score]:
        """Yields each system's mean, in the order length, system, metric."""
        for (length, system), by_request in self._groups.items():
            for of_system in by_request.values():
                mean_score = of_system.score(length, system, topics.facts(length))
                n_topics = self._n_topics[length]
                log.note_mean(system, length, mean_score.metric, mean_score.n_topics, n_topics)
                yield mean_score


class _MeanOfSystem:
    """The mean of one system's values of one request."""

    def __init__(self, request: Tsc3Request) -> None:
        self._request = request
        self._total_by_denominator: dict[int, int] = {}
        self._n_defined = 0
        self._n_no_source = 0
        self._links = Links()
        self._is_provisional = False
        self._aligned: list[Aligned] = []
        self._first_reason: Problem | None = None
        self._has_values = False
        self._by_name: dict[str, Fraction] | None = None

    def add(self, cell: Cell) -> None:
        column = cell.column
        if not self._has_values:
            self._has_values, self._first_reason = True, cell.reason
        self._n_no_source += column.n_no_source
        self._links = self._links.plus(column.links)
        self._is_provisional |= column.provisional
        self._aligned += column.names
        if cell.value is None:
            return
        self._n_defined += 1
        totals, value = self._total_by_denominator, cell.value
        totals[value.denominator] = totals.get(value.denominator, 0) + value.numerator
        known = self._by_name
        self._by_name = (
            {**cell.by_name}
            if known is None
            else {name: known[name] + cell.by_name[name] for name in known if name in cell.by_name}
        )

    def score(self, length: str | None, system: str, facts: Mapping[str, str]) -> Score:
        is_defined = self._n_defined > 0
        return Score(
            topic=None,
            length=length,
            system=system,
            metric=self._request.metric,
            value=self._total() / self._n_defined if is_defined else None,
            signature=_signature(
                self._request, self._aligned, self._n_no_source, self._links, facts
            ),
            provisional=self._is_provisional,
            reason=None if is_defined else self._first_reason,
            n_topics=self._n_defined,
            spread=self._spread(),
        )

    def _total(self) -> Fraction:
        """Returns the sum, added up in few steps: fractions are slow."""
        parts = self._total_by_denominator.items()
        return sum((Fraction(total, below) for below, total in parts), Fraction(0))

    def _spread(self) -> tuple[Fraction, Fraction] | None:
        """Returns the lowest and the highest mean of those annotators who are in every topic."""
        means = [total / self._n_defined for total in (self._by_name or {}).values()]
        return (min(means), max(means)) if len(means) > 1 else None


def _signature(
    request: Tsc3Request,
    aligned: Sequence[Aligned],
    n_no_source: int,
    links: Links,
    facts: Mapping[str, str],
) -> str:
    """Returns the signature of a value that rests on these alignments."""
    whose = {names for *_, names in aligned}
    own = {"no_source": str(n_no_source), **links.facts}
    if len(whose) > 1 and request.annotators.choice in (Choice.FIRST, Choice.ALL):
        own["whose"] = digest_of_names(aligned)
    names = {name for of_abstract in whose for name in of_abstract}
    return request.signature_of(names, {**own, **facts})
