"""Columns of a score table, intervals of means, and paired tests against a baseline.

Topics are resampled. Every interval and p-value depends on the seed alone, not on the rest of the
table.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from awase.core.errors import NOTHING, InputError, Listing, Problem, Reporter
from awase.core.metrics.kit.outputs import OPTION as ANNOTATOR
from awase.core.metrics.kit.outputs import without_names
from awase.core.metrics.kit.signature import FACTS, MetricRequest, signature_text
from awase.core.records.score import Score, ScoreTable, means_in

_SPLIT, _RECORDED = "split", "recorded"
# An option in which columns of one run differ only where others make it irrelevant.
_FOLLOWS_FROM_OTHERS = "vectors"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """Key of a column of scores: common to topics, systems and length classes."""

    metric: str  # metric name, with its component after a dot when it has several
    # As signatures spell them, without facts about the data and the version.
    options: tuple[tuple[str, str], ...] = ()


def column_of(score: Score) -> MetricColumn:
    """Returns a score's column."""
    return column_signed(score.metric, score.signature)


def column_signed(metric: str, signature: str) -> MetricColumn:
    """Returns the column of a metric's scores with such signatures."""
    return MetricColumn(metric=metric, options=_options(signature))


def names_of(scores: Sequence[Score]) -> Mapping[MetricColumn, str]:
    """Returns distinct names of the columns."""
    means = means_in(scores)
    known = dict.fromkeys((one.metric, one.signature) for one in means or scores)
    columns = [*dict.fromkeys(column_signed(metric, signature) for metric, signature in known)]
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
    # Older scores without `split` never share a column with scores that have it.
    has_split = any(option == _SPLIT for option, _ in request.options)
    return (*options, (_SPLIT, _RECORDED)) if has_split else tuple(options)


if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_RESAMPLES = 1_000_000
ALPHA = 0.05  # adjusted p-values up to this are marked


class PairedTest(Enum):
    """Tests of two systems on common topics."""

    RANDOMISATION = "randomisation"
    BOOTSTRAP = "bootstrap"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How often and from which seed topics are resampled."""

    n_resamples: int = 10_000  # from 1 to `MOST_RESAMPLES`
    seed: int = 1
    level: float = 0.95  # of intervals, over 0 and under 1

    def __post_init__(self) -> None:
        if not 1 <= self.n_resamples <= MOST_RESAMPLES:
            raise InputError.of(
                "{n} resamples cannot be drawn.", "Choose from 1 to {most}.",
                n=self.n_resamples, most=MOST_RESAMPLES,
            )  # fmt: skip
        if self.seed < 0:
            raise InputError.of("A seed cannot be negative.", "Choose 0 or more.")
        if not 0 < self.level < 1:
            raise InputError.of("The level of an interval is over 0 and under 1.")

    def interval_signature(self) -> str:
        """Returns the signature of the intervals; a mean's own signature names its topics."""
        method = {"method": "percentile-bootstrap", "level": f"{self.level:g}"}
        return signature_text("interval", {**method, **self._drawn()})

    def test_signature(
        self, test: PairedTest, baseline: str, systems: str, topics: str, n_tests: int
    ) -> str:
        """Returns the signature of a table's `n_tests` comparisons."""
        method = {"method": f"paired-{test.value}", "two-sided": "yes", "baseline": baseline}
        facts = {"systems": systems, "topics": topics, "holm": str(n_tests)}
        return signature_text("test", {**method, **self._drawn(), **facts})

    def _drawn(self) -> dict[str, str]:
        return {"resample": "topics", "n": str(self.n_resamples), "seed": str(self.seed)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CellKey:
    """A mean in a score table."""

    system: str
    length: str | None
    column: MetricColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanInterval:
    """Bounds of a mean over `n_topics` topics."""

    low: float
    high: float
    n_topics: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineComparison:
    """A system against the baseline."""

    n_topics: int  # how many topics have a value of both; nothing else is compared
    # Mean of system minus baseline over these topics; None when there are none.
    difference: float | None = None
    p: float | None = None  # two-sided p-value; None when there are no common topics
    adjusted_p: float | None = None  # `p` after Holm over all comparisons of the table

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted p-value is at most `ALPHA`."""
        return self.adjusted_p is not None and self.adjusted_p <= ALPHA

    @property
    def direction(self) -> int:
        """1 = significantly over the baseline, -1 = under it, 0 = neither."""
        if not self.is_significant or not self.difference:
            return 0
        return 1 if self.difference > 0 else -1


_Values = dict[str, float]  # topic to value


def intervals(
    table: ScoreTable, resampling: Resampling, reporter: Reporter
) -> dict[CellKey, MeanInterval]:
    """Returns the intervals of all means over enough topics; `table` has a score for each topic."""
    result: dict[CellKey, MeanInterval] = {}
    values_by_key = _values_by_key(table)
    for topics, keys in _by_topics(values_by_key).items():
        reporter.advance(len(result), len(values_by_key))
        values = _matrix([values_by_key[key] for key in keys], topics)
        result |= mean_intervals(values, keys, resampling)
    return {key: result[key] for key in values_by_key if key in result}


def mean_intervals(
    values: "Floats", keys: Iterable[CellKey], resampling: Resampling
) -> dict[CellKey, MeanInterval]:
    """Returns the intervals of means of (n_topics, n_keys) values; none of too few topics."""
    from awase.core.statistics.bootstraps import FEWEST_TOPICS, bootstrap_interval

    if len(values) < FEWEST_TOPICS:
        return {}
    bounds = bootstrap_interval(
        values,
        n_resamples=resampling.n_resamples,
        level=resampling.level,
        rng=_rng(resampling),
    )
    return {
        key: MeanInterval(low=low, high=high, n_topics=len(values))
        for key, low, high in zip(keys, *bounds.tolist(), strict=True)
    }


def without_interval(n_topics: Iterable[int]) -> tuple[Problem, ...]:
    """Returns why means have no interval, from their numbers of topics."""
    from awase.core.statistics.bootstraps import FEWEST_TOPICS

    return tuple(
        Problem(
            what="No interval: too few topics ({n}); at least {fewest} are needed.",
            fields={"n": n, "fewest": FEWEST_TOPICS},
        )
        for n in sorted({*n_topics})
        if 0 < n < FEWEST_TOPICS
    )


def comparisons(
    table: ScoreTable,
    baseline: str,
    test: PairedTest,
    resampling: Resampling,
    reporter: Reporter,
) -> dict[CellKey, BaselineComparison]:
    """Returns each system's comparison with the baseline in each common column.

    Only topics with both values count. Without common topics there is no p-value.
    """
    from awase.core.statistics.bootstraps import holm

    values_by_key = _values_by_key(table)
    _check_baseline(baseline, table)
    differences: dict[CellKey, _Values] = {}
    result: dict[CellKey, BaselineComparison] = {}
    for key, values in values_by_key.items():
        if key.system == baseline:
            continue
        rival = CellKey(system=baseline, length=key.length, column=key.column)
        theirs = values_by_key.get(rival, {})
        common = {
            topic: value - theirs[topic] for topic, value in values.items() if topic in theirs
        }
        if common:
            differences[key] = common
        else:
            result[key] = BaselineComparison(n_topics=0)
    p_by_key = _p_values(differences, test, resampling, reporter)
    adjusted = dict(zip(p_by_key, holm([*p_by_key.values()]).tolist(), strict=True))
    for key, common in differences.items():
        result[key] = BaselineComparison(
            n_topics=len(common),
            difference=sum(common.values()) / len(common),
            p=p_by_key[key],
            adjusted_p=adjusted[key],
        )
    return {key: result[key] for key in values_by_key if key in result}


def partial_comparisons(
    compared: Mapping[CellKey, BaselineComparison], table: ScoreTable, baseline: str
) -> tuple[Problem, ...]:
    """Returns a warning for each system compared on fewer topics than there are."""
    n_by_length: dict[str | None, set[str]] = defaultdict(set)
    for score in table.scores:
        if score.topic is not None:
            n_by_length[score.length].add(score.topic)
    fewest: dict[tuple[str, str | None], int] = {}
    for key, comparison in compared.items():
        place = key.system, key.length
        fewest[place] = min(fewest.get(place, comparison.n_topics), comparison.n_topics)
    return tuple(
        Problem(
            what="{system} is compared with {baseline} ({length}) on {common} of {topics} "
            "{topics:topic|topics}: those in which both have scores.",
            fields={
                "system": system,
                "baseline": baseline,
                "length": length or "any length",
                "common": n_common,
                "topics": len(n_by_length[length]),
            },
        )
        for (system, length), n_common in fewest.items()
        if n_common < len(n_by_length[length])
    )


def _values_by_key(table: ScoreTable) -> dict[CellKey, _Values]:
    values: dict[CellKey, _Values] = {}
    for score in table.scores:
        if score.topic is not None and score.value is not None:
            values.setdefault(key_of(score), {})[score.topic] = float(score.value)
    return values


def _check_baseline(baseline: str, table: ScoreTable) -> None:
    known = dict.fromkeys(score.system for score in table.scores)
    if baseline not in known:
        raise InputError.of(
            "There are no scores of the baseline “{system}”.", "Use one of {known}.",
            system=baseline, known=Listing(known) or NOTHING,
        )  # fmt: skip


def _by_topics(values_by_key: Mapping[CellKey, _Values]) -> dict[tuple[str, ...], list[CellKey]]:
    """Groups keys by their values' topics, to be resampled together."""
    groups: dict[tuple[str, ...], list[CellKey]] = {}
    for key, values in values_by_key.items():
        groups.setdefault(tuple(sorted(values)), []).append(key)
    return groups


def _p_values(
    differences: Mapping[CellKey, _Values],
    test: PairedTest,
    resampling: Resampling,
    reporter: Reporter,
) -> dict[CellKey, float]:
    from awase.core.statistics import bootstraps

    function = {
        PairedTest.RANDOMISATION: bootstraps.randomisation_p_values,
        PairedTest.BOOTSTRAP: bootstraps.bootstrap_p_values,
    }[test]
    result: dict[CellKey, float] = {}
    for topics, keys in _by_topics(differences).items():
        reporter.advance(len(result), len(differences))
        matrix = _matrix([differences[key] for key in keys], topics)
        p = function(matrix, n_resamples=resampling.n_resamples, rng=_rng(resampling))
        result.update(zip(keys, p.tolist(), strict=True))
    return result


def _matrix(columns: Sequence[_Values], topics: Iterable[str]) -> "Floats":
    import numpy as np

    rows = [[values[topic] for values in columns] for topic in topics]
    return np.array(rows, dtype=np.float64)


def _rng(resampling: Resampling) -> "np.random.Generator":
    import numpy as np

    return np.random.default_rng(resampling.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreArrays:
    """Scores with their statistics."""

    table: ScoreTable
    intervals: Mapping[CellKey, MeanInterval] | None = None  # of the means; None = not requested
    # With the baseline; None = not requested.
    comparisons: Mapping[CellKey, BaselineComparison] | None = None
    resampling: tuple[str, ...] = ()
    baseline: str = ""  # the system compared with; empty = none
    warnings: tuple[Problem, ...] = ()
    # Of scores outside the table, computed while they are written.
    columns: tuple[MetricColumn, ...] = ()

    def names(self) -> Mapping[MetricColumn, str]:
        """Returns the columns' names: metric, and distinguishing options."""
        if self.columns:
            return dict(zip(self.columns, titles_of(self.columns), strict=True))
        return names_of(self.table.scores)

    def interval_of(self, score: Score) -> MeanInterval | None:
        """Returns the interval of a mean; None = it has none, or this is no mean."""
        if self.intervals is None or score.topic is not None:
            return None
        return self.intervals.get(key_of(score))

    def comparison_of(self, score: Score) -> BaselineComparison | None:
        """Returns a mean's comparison with the baseline, or None."""
        if self.comparisons is None or score.topic is not None:
            return None
        return self.comparisons.get(key_of(score))


def key_of(score: Score) -> CellKey:
    """Returns the key of a mean's statistics."""
    return CellKey(system=score.system, length=score.length, column=column_of(score))
