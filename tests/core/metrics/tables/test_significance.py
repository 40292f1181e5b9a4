"""Intervals and tests of a score table: which topics they rest on, and what they are."""

import numpy as np
import pytest
from tests.in_part import in_turn

from awase.core.errors import InputError, Silent
from awase.core.metrics.significance import (
    BaselineComparison,
    CellKey,
    PairedTest,
    Resampling,
    column_of,
    comparisons,
    intervals,
    names_of,
    partial_comparisons,
    titles_of,
    without_interval,
)
from awase.core.records.score import Score, ScoreTable
from awase.core.statistics.bootstraps import bootstrap_interval, holm, randomisation_p_values

FEW = Resampling(n_resamples=500, seed=3)


def table_of(
    values: dict[str, dict[str, float | None]], metric: str = "m", signature: str = ""
) -> ScoreTable:
    return ScoreTable(
        scores=tuple(
            Score(topic=topic, length=None, system=system, metric=metric, value=value,
                  signature=signature or f"{metric}:x=1,version=0")
            for system, by_topic in values.items()
            for topic, value in by_topic.items()
        )
    )  # fmt: skip


def key(system: str, table: ScoreTable) -> CellKey:
    (column,) = {*map(column_of, table.scores)}
    return CellKey(system=system, length=None, column=column)


def topics(values: list[float]) -> dict[str, float | None]:
    return {f"t{at:02}": value for at, value in enumerate(values)}


A = [0.9, 0.8, 0.7, 0.95, 0.6, 0.85, 0.7, 0.9, 0.75, 0.8, 0.66, 0.91]
B = [0.5, 0.6, 0.4, 0.75, 0.3, 0.65, 0.55, 0.5, 0.6, 0.5, 0.4, 0.6]
C = [0.52, 0.55, 0.45, 0.7, 0.35, 0.6, 0.6, 0.45, 0.62, 0.5, 0.38, 0.61]


def compare(table: ScoreTable, baseline: str = "base") -> dict[CellKey, BaselineComparison]:
    return comparisons(table, baseline, PairedTest.RANDOMISATION, FEW, Silent())


def test_that_each_system_is_tested_against_the_baseline_and_holm_spans_the_table():
    table = table_of({"base": topics(B), "good": topics(A), "same": topics(C)})
    compared = compare(table)
    expected = [
        randomisation_p_values(
            np.array(values)[:, None] - np.array(B)[:, None],
            n_resamples=500, rng=np.random.default_rng(3),
        )[0]
        for values in (A, C)
    ]  # fmt: skip
    found = [compared[key(system, table)] for system in ("good", "same")]
    assert [one.p for one in found] == pytest.approx(expected)
    assert [one.adjusted_p for one in found] == pytest.approx(holm(expected).tolist())
    assert [one.direction for one in found] == [1, 0]
    assert found[0].difference == pytest.approx(np.mean(A) - np.mean(B))
    assert key("base", table) not in compared
    assert compare(table, "good")[key("base", table)].direction == -1


def test_that_only_common_topics_are_compared_and_their_number_is_told():
    with_gap = {**topics(A[:5]), "t05": None, "u": 0.1}
    table = table_of({"base": topics(B), "partial": with_gap})
    one = compare(table)[key("partial", table)]
    assert one.n_topics == 5
    assert one.difference == pytest.approx(np.mean(A[:5]) - np.mean(B[:5]))
    whole = table_of({"base": topics(B), "partial": topics(A)}, "another")
    third = table_of({"base": topics(B), "partial": topics(A)}, "third")
    table = ScoreTable(scores=(*whole.scores, *table.scores, *third.scores))  # those lack nothing
    (warning,) = partial_comparisons(compare(table), table, "base")
    assert "partial is compared with base (any length) on 5 of 13 topics" in str(warning)


def test_that_systems_without_a_common_topic_have_no_p_value():
    table = table_of({"base": {"t": 0.5}, "other": {"u": 0.7}})
    one = compare(table)[key("other", table)]
    assert (one.n_topics, one.p, one.adjusted_p, one.direction) == (0, None, None, 0)


def test_that_an_interval_is_that_of_the_topics_with_a_value_and_below_eight_there_is_a_reason():
    table = table_of({"a": {**topics(A), "z": None}, "seven": topics(B[:7]), "b": topics(B[:8])})
    found = intervals(table, FEW, Silent())
    assert found.keys() == {key("a", table), key("b", table)}
    made = found[key("a", table)]
    low, high = bootstrap_interval(
        np.array(A)[:, None], n_resamples=500, level=0.95, rng=np.random.default_rng(3)
    )
    assert (made.low, made.high) == pytest.approx((low[0], high[0]), abs=1e-12)
    assert made.n_topics == 12
    told = [str(one) for one in without_interval([7, 8, 0])]
    assert told == ["No interval: too few topics (7); at least 8 are needed."]


def test_that_intervals_and_p_values_do_not_depend_on_what_else_is_in_the_table():
    alone = table_of({"base": topics(B), "good": topics(A)})
    more = alone + table_of({"other": topics(C), "short": topics(A[:4])})
    at = key("good", alone)
    one, other = (intervals(table, FEW, Silent())[at] for table in (alone, more))
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)
    assert compare(alone)[at].p == compare(more)[at].p


def test_that_a_baseline_without_scores_is_refused_with_those_there_are():
    with pytest.raises(InputError, match=r"baseline “lead”. Use one of a, b."):
        compare(table_of({"a": topics(A), "b": topics(B)}), "lead")


@in_turn("wrong", [{"n_resamples": 0}, {"n_resamples": 10**7}, {"seed": -1},
                                   {"level": 0.0}, {"level": 1.0}])  # fmt: skip
def test_that_resampling_that_cannot_be_done_is_refused(wrong):
    with pytest.raises(InputError):
        Resampling(**wrong)


def test_that_the_signature_lines_tell_everything_that_can_change_the_numbers():
    text = Resampling(n_resamples=10, seed=4, level=0.9).interval_signature()
    assert text.startswith(
        "interval:method=percentile-bootstrap,level=0.9,resample=topics,n=10,seed=4,version="
    )
    test = Resampling().test_signature(PairedTest.BOOTSTRAP, "lead", "2@ab", "3@cd", 7)
    assert test.startswith("test:method=paired-bootstrap,two-sided=yes,baseline=lead,resample=")
    assert ",systems=2@ab,topics=3@cd,holm=7,version=" in test


def test_that_columns_of_one_metric_are_named_by_what_differs():
    scores = [
        *table_of({"a": {"t": 1.0}}, "m", "m:x=1,y=2,no_source=3,version=0").scores,
        *table_of({"a": {"u": 1.0}}, "m", "m:x=1,y=2,no_source=0,version=0").scores,
        *table_of({"a": {"t": 1.0}}, "m", "m:x=4,y=2,vectors=v,version=0").scores,
        *table_of({"a": {"t": 1.0}}, "BERTScore F1", "BERTScore F1").scores,
    ]
    assert [*names_of(scores).values()] == ["m:x=1", "m:x=4", "BERTScore F1"]
    means = table_of({"a": {None: 1.0}}, "m", "m:x=1,y=2,version=0").scores
    assert [*names_of([*scores, *means]).values()] == ["m"]


def test_that_scores_of_before_splitting_was_told_are_no_column_with_new_ones():
    table = table_of({"a": {"t": 1.0}}, "m", "m:x=1,version=0")
    told = table_of({"a": {"t": 0.5}}, "m", "m:x=1,split=en-2,version=0")
    other = table_of({"b": {"t": 0.5}}, "m", "m:x=1,split=lines,version=0")
    columns = [*dict.fromkeys(column_of(one.scores[0]) for one in (table, told, other))]
    assert titles_of(columns) == ["m:splitting not recorded", "m"]
