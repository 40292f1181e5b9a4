"""The columns of a score table: a metric with its options, whatever the data."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from awase.core.errors import InputError
from awase.core.metrics.kit.annotators import OPTION as ANNOTATOR
from awase.core.metrics.kit.annotators import without_names
from awase.core.metrics.kit.signature import FACTS, MetricRequest
from awase.core.records.score import Score

_FOLLOWS_FROM_OTHERS = "vectors"
"""An option of which columns of one run differ only where others keep it from being used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """What scores of different topics, systems and length classes have in common.

    Attributes:
        metric: Metric name, with its component after a dot when it has several.
        options: As signatures spell them, without facts about the data and the version.
    """

    metric: str
    options: tuple[tuple[str, str], ...] = ()


def column_of(score: Score) -> MetricColumn:
    """Returns the column in which a score stands."""
    return MetricColumn(metric=score.metric, options=_options(score.signature))


def titles_of(columns: Sequence[MetricColumn]) -> list[str]:
    """Returns the metrics' names, with the options in which columns of one name differ."""
    titles = []
    for column in columns:
        others = [dict(other.options) for other in columns if other.metric == column.metric]
        differing = [
            f"{option}={value}"
            for option, value in column.options
            if option != _FOLLOWS_FROM_OTHERS
            and any(other.get(option) != value for other in others)
        ]
        titles.append(f"{column.metric}:{','.join(differing)}" if differing else column.metric)
    return titles


@lru_cache(maxsize=1024)
def _options(signature: str) -> tuple[tuple[str, str], ...]:
    try:
        request = MetricRequest.parse(signature)
    except InputError:
        return ()  # a score from outside: its name is all there is
    return tuple(
        (option, without_names(value) if option == ANNOTATOR else value)
        for option, value in request.options
        if option not in (*FACTS, "version")
    )
