import math

import pytest
from tests.in_part import in_turn
from tests.reporters import Heard

from awase.core.errors import Cancelled, InputError, ScoringUndefinedError, Silent
from awase.core.records.topic import HumanScore
from awase.core.statistics.bootstraps import holm
from awase.core.statistics.coefficients import (
    Coefficient,
    Joining,
    Level,
    NamedScores,
    aligned,
    join_judgements,
    outliers,
)
from awase.core.statistics.study import PairTest, StudyRequest, study

HUMAN = [1, 2, 3, 4, 5, 6]


def named(name, rows):
    """`rows` is a value by topic for each of the systems s0, s1, …; None = missing."""
    values = {
        (f"s{s}", f"t{t}"): float(value)
        for s, row in enumerate(rows)
        for t, value in enumerate(row)
        if value is not None
    }
    return NamedScores(name=name, values=values)


def by_whole(name, values):
    return NamedScores(name=name, values={(f"s{s}", None): float(v) for s, v in enumerate(values)})


PEOPLE = named("people", [[v, v + (v % 2)] for v in HUMAN])
GOOD = named("good", [[v * 2, v * 2 + 1] for v in HUMAN])
BAD = named("bad", [[v % 3, -v] for v in HUMAN])
FAST = StudyRequest(n_resamples=99)


def test_that_a_study_says_what_each_figure_rests_on():
    found = study(PEOPLE, [GOOD], FAST, Silent())
    (result,) = found.results
    assert (result.n_systems, result.n_topics, result.n_scores) == (6, 2, 12)
    assert [one.coefficient for one in result.estimates] == ["r", "rho", "tau-b"]
    # People's means are 1.5 2 3.5 4 5.5 6: of the metric's order.
    rho = result.estimates[1]
    assert rho.value == pytest.approx(1)
    assert rho.closed_form is None
    assert result.estimates[0].bootstrap.low <= result.estimates[0].value
    assert found.warnings == ()
    assert [(p.system, p.metric, p.human) for p in result.points[:2]] == [
        ("s0", 2.5, 1.5), ("s1", 4.5, 2.0)
    ]  # fmt: skip


def test_that_a_figure_does_not_depend_on_the_other_metrics():
    alone = study(PEOPLE, [BAD], FAST, Silent()).results[0]
    assert study(PEOPLE, [GOOD, BAD], FAST, Silent()).results[1] == alone


def test_that_two_systems_are_too_few_and_the_reason_is_told():
    few = StudyRequest(n_resamples=9, excluded=("s0", "s1", "s2", "s3"))
    estimate = study(PEOPLE, [GOOD], few, Silent()).results[0].estimates[0]
    assert estimate.value is None
    assert "there are 2 values" in str(estimate.reason)
    assert estimate.bootstrap is None


def test_that_undefined_topics_are_named():
    flat = named("flat", [[5, v] for v in HUMAN])
    request = StudyRequest(level=Level.TOPIC, n_resamples=9)
    estimate = study(PEOPLE, [flat], request, Silent()).results[0].estimates[0]
    assert estimate.undefined_topics == ("t0",)
    none = named("none", [[5, 5] for _ in HUMAN])
    estimate = study(PEOPLE, [none], request, Silent()).results[0].estimates[0]
    assert (estimate.value, estimate.undefined_topics) == (None, ("t0", "t1"))
    assert "in every topic one side is constant" in str(estimate.reason)


def test_that_scores_of_whole_systems_serve_the_level_of_systems_only():
    people = by_whole("da", HUMAN)
    found = study(people, [GOOD], FAST, Silent()).results[0]
    assert found.estimates[0].value == pytest.approx(1)
    assert found.n_topics == 2
    assert study(people, [by_whole("m", HUMAN)], FAST, Silent()).results[0].n_topics == 0
    with pytest.raises(ScoringUndefinedError, match="da scores systems as wholes"):
        study(people, [GOOD], StudyRequest(level=Level.TOPIC), Silent())


def test_that_sides_without_a_common_system_are_refused_with_their_names():
    other = NamedScores(name="other", values={("x", "t0"): 1.0})
    with pytest.raises(ScoringUndefinedError, match=r"People scored s0, s1, .*scored x\."):
        study(PEOPLE, [other], FAST, Silent())


def test_that_missing_scores_are_missing_on_both_sides_and_told():
    holes = named("holes", [[v, None if v == 3 else v] for v in HUMAN])
    found = study(PEOPLE, [holes, GOOD], FAST, Silent())
    assert [one.n_scores for one in found.results] == [11, 12]
    assert any("share 11 of 12 scores" in str(problem) for problem in found.warnings)
    assert any("are not based on the same scores" in str(problem) for problem in found.warnings)
    both = aligned((PEOPLE, holes))
    assert [m[2].tolist()[0] for m in both.matrices] == [3, 3]
    assert all(m[2][1] != m[2][1] for m in both.matrices)  # NaN on both sides


@pytest.mark.parametrize("test", PairTest)
def test_that_metrics_are_compared_in_pairs_with_holms_correction(test):
    third = named("third", [[v, 7 - v] for v in HUMAN])
    request = StudyRequest(n_resamples=199, test=test, has_bootstrap=False)
    found = study(PEOPLE, [GOOD, BAD, third], request, Silent())
    of_r = [one for one in found.comparisons if one.coefficient is Coefficient.R]
    assert [(one.first, one.second) for one in of_r] == [
        ("good", "bad"), ("good", "third"), ("bad", "third")
    ]  # fmt: skip
    defined = [one for one in of_r if one.p is not None]
    assert defined
    assert {one.reason is None for one in defined} == {True}
    assert [one.p_holm for one in defined] == pytest.approx(holm([one.p for one in defined]))
    values = {r.metric: r.estimates[0].value for r in found.results}
    for one in defined:
        assert one.difference == pytest.approx(values[one.first] - values[one.second])


@in_turn(
    ("second", "test", "options", "reason"),
    [
        (BAD, PairTest.WILLIAMS, {"level": Level.TOPIC}, "knows neither averages over topics nor"),
        (BAD, PairTest.WILLIAMS, {"coefficients": (Coefficient.ACCURACY,)}, "nor accuracy"),
        (named("even", [[5, 5]] * 6), PairTest.WILLIAMS, {}, "one of the two coefficients"),
        (named("even", [[5, 5]] * 6), PairTest.PERMUTATION, {}, "one of the two coefficients"),
        (named("twice", [[v * 4, v * 4 + 2] for v in HUMAN]), PairTest.WILLIAMS, {}, "their scale"),
        (BAD, PairTest.WILLIAMS, {"excluded": ("s0", "s1", "s2")}, "there are 3 values with a "
         "score by people and by both metrics; the test needs 4."),
        (BAD, PairTest.PERMUTATION, {"excluded": ("s0", "s1", "s2", "s3", "s4")}, "there is 1 "
         "value with a score by people and by both metrics; the test needs 3."),
    ],
)  # fmt: skip
def test_that_a_comparison_that_is_undefined_has_its_reason(second, test, options, reason):
    request = StudyRequest(test=test, n_resamples=9, has_bootstrap=False, **options)
    for one in study(PEOPLE, [GOOD, second], request, Silent()).comparisons:
        assert (one.p, one.p_holm) == (None, None)
        assert reason in str(one.reason)


def test_that_progress_covers_everything_and_can_stop():
    heard = Heard(calls=5)
    with pytest.raises(Cancelled):
        study(PEOPLE, [GOOD, BAD, GOOD], StudyRequest(n_resamples=9, test=PairTest.PERMUTATION),
              heard)  # fmt: skip
    assert heard.steps == [(done, 600) for done in (0, 0, 100, 100, 100, 200)]


def scores(*rows):
    return [
        HumanScore(system=system, measure="m", value=value, topic=topic, annotator=annotator)
        for system, topic, annotator, value in rows
    ]


STRICT = scores(("a", "1", "x", 1), ("b", "1", "x", 3), ("a", "1", "y", 4), ("c", "1", "y", 6))


def test_that_a_mean_over_annotators_of_different_systems_is_warned_about():
    values, (warning,) = join_judgements(STRICT, Joining())
    assert values == {("a", "1"): 2.5, ("b", "1"): 3, ("c", "1"): 6}
    assert "mixes how strict they are" in str(warning)
    same = scores(("a", "1", "x", 1), ("a", "1", "y", 2))
    assert join_judgements(same, Joining())[1] == []


def test_that_z_scores_take_away_how_strict_an_annotator_is():
    values, _ = join_judgements(STRICT, Joining.parse("z"))
    half = 1 / math.sqrt(2)  # two judgements lie 1/sqrt(2) standard deviations from their mean
    expected = pytest.approx({("a", "1"): -half, ("b", "1"): half, ("c", "1"): half})
    assert values == expected
    flat = scores(("a", "1", "flat", 5), ("b", "1", "flat", 5))
    values, warnings = join_judgements([*STRICT, *flat], Joining(kind="z"))
    assert "flat do not vary" in str(warnings[0])
    assert values == expected


def test_that_a_majority_is_of_more_than_half_or_of_the_number_asked_for():
    judged = scores(
        ("a", "1", "x", 1), ("a", "1", "y", 1), ("a", "1", "z", 0),
        ("b", "1", "x", 1), ("b", "1", "y", 0),
        ("c", "1", "w", 1), ("c", "1", "x", 1), ("c", "1", "y", 0), ("c", "1", "z", 2),
    )  # fmt: skip
    values, warnings = join_judgements(judged, Joining.parse("majority"))
    assert values == {("a", "1"): 1}
    assert "2 of 3 judged outputs have no majority" in str(warnings[0])
    assert join_judgements(judged, Joining.parse("majority:3"))[0] == {}
    assert str(Joining.parse("majority:3")) == "majority:3"
    with pytest.raises(InputError, match="“median” is not a way"):
        Joining.parse("median")


def test_that_a_far_system_is_suggested_with_its_distance():
    # Median 3, absolute deviations 2 1 0 1 97, MAD 1: 97 / 1.4826.
    assert outliers({"a": 1, "b": 2, "c": 3, "d": 4, "e": 100}) == {"e": pytest.approx(97 / 1.4826)}
    # 2.5 * 1.4826 = 3.7065 above the median is still in.
    assert outliers({"a": 1, "b": 2, "c": 3, "d": 4, "e": 6.7}) == {}
    assert list(outliers({"a": 1, "b": 2, "c": 3, "d": 4, "e": 6.71})) == ["e"]
    assert outliers({"a": 1, "b": 1, "c": 1, "d": 9}) == {}  # most systems are equal
    assert outliers({}) == {}
