import math

import pytest

from awase.core.errors import InputError
from awase.core.records.output import HumanScore
from awase.core.statistics.score_matrix import Joining, join_judgements, outliers


def scores(*rows):
    return [
        HumanScore(system=system, measure="m", value=value, topic=topic, annotator=annotator)
        for system, topic, annotator, value in rows
    ]


STRICT = scores(("a", "1", "x", 1), ("b", "1", "x", 3), ("a", "1", "y", 4), ("c", "1", "y", 6))


def test_that_a_mean_is_over_the_annotators_of_a_cell():
    joined = join_judgements(STRICT, Joining())
    assert joined.values == {("a", "1"): 2.5, ("b", "1"): 3, ("c", "1"): 6}
    assert joined.annotators == ("x", "y")


def test_that_raw_means_over_annotators_of_different_systems_are_warned_about():
    (warning,) = join_judgements(STRICT, Joining()).warnings
    assert "mixes how strict they are" in str(warning)
    same = scores(("a", "1", "x", 1), ("a", "1", "y", 2))
    assert join_judgements(same, Joining()).warnings == ()


def test_that_z_scores_take_away_how_strict_an_annotator_is():
    joined = join_judgements(STRICT, Joining.parse("z"))
    half = 1 / math.sqrt(2)  # two judgements lie 1/sqrt(2) standard deviations from their mean
    assert joined.values == pytest.approx({("a", "1"): -half, ("b", "1"): half, ("c", "1"): half})


def test_that_an_annotator_who_does_not_vary_has_no_z_scores():
    joined = join_judgements(
        [*STRICT, *scores(("a", "1", "flat", 5), ("b", "1", "flat", 5))], Joining(kind="z")
    )
    assert "flat do not vary" in str(joined.warnings[0])
    assert joined.values[("b", "1")] == pytest.approx(1 / math.sqrt(2))


def test_that_a_majority_is_of_more_than_half_or_of_the_number_asked_for():
    judged = scores(
        ("a", "1", "x", 1), ("a", "1", "y", 1), ("a", "1", "z", 0),
        ("b", "1", "x", 1), ("b", "1", "y", 0),
    )  # fmt: skip
    joined = join_judgements(judged, Joining.parse("majority"))
    assert joined.values == {("a", "1"): 1}
    assert "1 of 2 judged outputs have no majority" in str(joined.warnings[0])
    assert join_judgements(judged, Joining.parse("majority:3")).values == {}
    assert str(Joining.parse("majority:3")) == "majority:3"


def test_that_another_way_to_join_is_refused():
    with pytest.raises(InputError, match="“median” is not a way"):
        Joining.parse("median")


def test_that_a_far_system_is_suggested_with_its_distance():
    # Median 3, absolute deviations 2 1 0 1 97, MAD 1: 97 / 1.4826.
    assert outliers({"a": 1, "b": 2, "c": 3, "d": 4, "e": 100}) == {"e": pytest.approx(97 / 1.4826)}
    # 2.5 * 1.4826 = 3.7065 above the median is still in.
    assert outliers({"a": 1, "b": 2, "c": 3, "d": 4, "e": 6.7}) == {}
    assert list(outliers({"a": 1, "b": 2, "c": 3, "d": 4, "e": 6.71})) == ["e"]


def test_that_nothing_is_suggested_when_most_systems_are_equal():
    assert outliers({"a": 1, "b": 1, "c": 1, "d": 9}) == {}
    assert outliers({}) == {}
