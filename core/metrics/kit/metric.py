"""What a metric is: its name, its options, what it needs, and the family that scores it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from awase.core.metrics.kit.options.option import Option, defaults_in
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable


class Family(Protocol):
    """Scores every system of a corpus with the requested metrics."""

    def __call__(
        self,
        corpus: Corpus,
        requests: Sequence[MetricRequest],
        reporter: Reporter,
        supplies: Supplies,
    ) -> ScoreTable:
        """Returns the scores by topic, then the means, with warnings."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric as the command line and stored signatures name it.

    Attributes:
        family: Module with `score`, or with `begin`, which scores topics in portions, too.
        options: In the order in which signatures spell them.
        page: Its page below `docs/metrics/`; empty = it is called as the metric is.
        needs: What of `Supplies` it cannot do without: `parses`, `vectors`, `model`.
        needs_with: (option, value) to what it cannot do without under that option.
        by: The package that adds it, with its version; empty = this program has it.
    """

    name: str
    what: str
    family: str
    options: tuple[Option[Any], ...] = ()
    page: str = ""
    needs: tuple[str, ...] = ()
    needs_with: Mapping[tuple[str, str], str] = field(default_factory=dict)
    reads_sources: bool = True
    greatest: float = 1.0
    by: str = ""

    @property
    def defaults(self) -> dict[str, str]:
        """Returns option to default value, in the order in which signatures spell them."""
        return defaults_in(self.options)

    def needs_of(self, request: MetricRequest) -> set[str]:
        """Returns what of `Supplies` a request for this metric cannot do without."""
        return {*self.needs} | {
            self.needs_with[pair] for pair in request.options if pair in self.needs_with
        }


def options_for(metrics: Sequence[Metric], request: MetricRequest) -> tuple[Option[Any], ...]:
    """Returns the options of the one of a family's metrics that is asked for."""
    (found,) = (metric.options for metric in metrics if metric.name == request.name)
    return found
