"""The columns of a score table: a metric with its options, whatever the data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from awase.core.errors import InputError
from awase.core.metrics.kit.annotators import OPTION as ANNOTATOR
from awase.core.metrics.kit.annotators import without_names
from awase.core.metrics.kit.signature import FACTS, MetricRequest
from awase.core.records.score import Score, means_in

_SPLIT, _RECORDED = "split", "recorded"
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
    return _column(score.metric, score.signature)


def _column(metric: str, signature: str) -> MetricColumn:
    return MetricColumn(metric=metric, options=_options(signature))


def names_of(scores: Sequence[Score]) -> Mapping[MetricColumn, str]:
    """Returns what each column is called, unlike any other of these scores."""
    means = means_in(scores)
    known = dict.fromkeys((one.metric, one.signature) for one in means or scores)
    columns = [*dict.fromkeys(_column(metric, signature) for metric, signature in known)]
    return dict(zip(columns, titles_of(columns), strict=True))


def titles_of(columns: Sequence[MetricColumn]) -> list[str]:
    """Returns the metrics' names, with the options in which columns of one name differ."""
    titles = []
    for column in columns:
        own = dict(column.options)
        others = [dict(other.options) for other in columns if other.metric == column.metric]
        differing = [
            f"{option}={value}"
            for option, value in column.options
            if option not in (_FOLLOWS_FROM_OTHERS, _SPLIT)
            and any(other.get(option) != value for other in others)
        ]
        if _SPLIT not in own and {**own, _SPLIT: _RECORDED} in others:
            differing.append("splitting not recorded")
        titles.append(f"{column.metric}:{','.join(differing)}" if differing else column.metric)
    return titles


@lru_cache(maxsize=1024)
def _options(signature: str) -> tuple[tuple[str, str], ...]:
    try:
        request = MetricRequest.parse(signature)
    except InputError:
        return ()  # a score from outside: its name is all there is
    options = [
        (option, without_names(value) if option == ANNOTATOR else value)
        for option, value in request.options
        if option not in (*FACTS, "version")
    ]
    # Scores of before that did not say how texts were split are never those of one column with
    # scores that do, however they say it.
    has_split = any(option == _SPLIT for option, _ in request.options)
    return (*options, (_SPLIT, _RECORDED)) if has_split else tuple(options)
