"""Whether the alignments that scores rest on are of those who were asked for."""

from awase.core.metrics.extracts.cells import PlaceValues
from awase.core.metrics.extracts.requests import Tsc3Request


class ExpectedAnnotators:
    """Whom the alignments are asked of, against each topic's and each mean's."""

    def __init__(self) -> None:
        self._by_topic: dict[Tsc3Request, set[frozenset[str]]] = {}
        self._of_means: dict[Tsc3Request, dict[tuple[str | None, str], set[str]]] = {}

    def add(self, place: PlaceValues) -> None:
        """Takes note of values."""
        for column, *_ in place.columns:
            if column.request.annotators.expected is None:
                continue
            found = frozenset(name for *_, names in column.names for name in names)
            self._by_topic.setdefault(column.request, set()).add(found)
            of_means = self._of_means.setdefault(column.request, {})
            for system in place.systems:
                of_means.setdefault((column.length, system), set()).update(found)

    def check(self) -> None:
        """Does nothing when they are those asked for."""
        for request, by_topic in self._by_topic.items():
            request.annotators.check_names([*by_topic, *self._of_means[request].values()])
