"""What is asked of metrics: parsing, refusals, groups, signatures, weights."""

import re
from collections.abc import Callable
from fractions import Fraction
from operator import attrgetter
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.building import extract, text, topic
from tests.core.metrics.small_tables import TABLE_1, abstract_of, topic_of
from tests.in_part import in_turn
from tests.laws import CHARACTERS, law

from awase.core.errors import InputError, Silent
from awase.core.metrics import registry
from awase.core.metrics.extracts.scorers import parse_request
from awase.core.metrics.kit.outputs import identical_systems
from awase.core.metrics.kit.signature import (
    MetricRequest,
    exact_weight,
    named,
    option_text,
    signature_text,
    weight_of,
    weight_text,
)
from awase.core.metrics.registry import (
    GROUPS,
    METRICS,
    Metric,
    metric_by_name,
    requests_of,
    score_corpus,
)
from awase.core.metrics.rouge.family import ManyNames
from awase.core.packages import VERSION, version_of_code
from awase.core.records.corpus import DEFAULT_RANK_WEIGHTS, Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.topic import Output

# --- parsing -------------------------------------------------------------------------------------


def test_that_a_request_is_a_name_with_options():
    assert MetricRequest.parse("coverage") == MetricRequest(name="coverage")
    found = MetricRequest.parse(" coverage:first = 3,, strict=yes, ")
    assert found == MetricRequest(name="coverage", options=(("first", "3"), ("strict", "yes")))
    assert MetricRequest.parse("rouge-2:refs=a=b").options == (("refs", "a=b"),)


@given(st.text("ab,%=:/ é25C()+", min_size=1).filter(lambda text: text == text.strip()))
def test_that_every_value_survives_its_spelling(value):
    text = signature_text("coverage", {"annotator": value, "first": "h"})
    found = MetricRequest.parse(text).options
    assert found == (("annotator", value), ("first", "h"), ("version", version_of_code()))
    assert "," not in re.sub(r"\([^()]*\)", "", option_text(value))


def test_that_the_version_and_facts_of_a_signature_are_no_options():
    request = MetricRequest.parse(f"coverage:first=3,no_source=2,version={version_of_code()}")
    assert request.chosen({"first": "h"}) == {"first": "3"}


def test_that_a_signature_of_another_version_is_not_answered_as_if_it_were_of_this_one():
    with pytest.raises(InputError, match=r"from Awase 9\.9; this is .*Leave version out"):
        MetricRequest.parse("coverage:first=3,version=9.9").chosen({"first": "h"})


def test_that_options_left_out_take_their_defaults():
    assert MetricRequest.parse("x:b=2").chosen({"a": "1", "b": "1"}) == {"a": "1", "b": "2"}


# --- refusals ------------------------------------------------------------------------------------


def test_that_a_name_like_no_other_is_refused_with_those_that_exist():
    with pytest.raises(InputError, match=r"metric “xyzzy”\. Use one of precision, coverage,"):
        requests_of(["xyzzy"])


def test_that_a_metric_without_options_says_so():
    with pytest.raises(InputError, match=re.escape("x has no option “a”. It has none.")):
        MetricRequest.parse("x:a=1").chosen({})


# --- groups, registry ----------------------------------------------------------------------------


def test_that_tsc3_stands_for_its_three_metrics_and_passes_on_the_options_each_has():
    assert requests_of(["tsc3:strict=yes,first=3"]) == (
        MetricRequest(name="precision", options=(("first", "3"),)),
        MetricRequest(name="coverage", options=(("strict", "yes"), ("first", "3"))),
        MetricRequest(name="weighted-coverage", options=(("strict", "yes"), ("first", "3"))),
    )
    found = requests_of(["tsc3", "coverage", "tsc3"])
    assert found == tuple(map(MetricRequest.parse, GROUPS["tsc3"]))


@in_turn("name", METRICS)
def test_that_each_metric_is_found_by_its_name_with_a_line_about_it(name):
    assert metric_by_name(name).name == name
    assert metric_by_name(name).what


@pytest.mark.parametrize("group", GROUPS)
def test_that_groups_hold_metrics_and_are_none_themselves(group):
    assert group not in METRICS
    assert set(GROUPS[group]) <= set(METRICS)


def with_metrics(monkeypatch, score: Callable[[str, list[str]], ScoreTable], *metrics: Metric):
    """Makes these the metrics there are; `score` is told the family and the names asked for."""

    def family(name: str) -> SimpleNamespace:
        return SimpleNamespace(
            score=lambda _corpus, requests, *_: score(name, [one.name for one in requests])
        )

    monkeypatch.setattr(registry, "METRICS", {one.name: one for one in metrics})
    monkeypatch.setattr(registry, "import_module", family)


def test_that_each_family_serves_its_requests_in_one_call(monkeypatch):
    calls = []
    metrics = (Metric(name=n, what="", family=f) for n, f in zip("abc", "fgf", strict=True))
    with_metrics(monkeypatch, lambda *call: calls.append(call) or ScoreTable(), *metrics)
    score_corpus(Corpus(), requests_of(["a", "b", "c"]), Silent())
    assert calls == [("f", ["a", "c"]), ("g", ["b"])]


@in_turn(
    ("metric", "signature", "told"),
    [
        ("d.r", "d:x=1,version=2", None),
        ("e", "d:x=1", "ValueError: a score of e was not asked for."),
        ("d", "e:x=1", "ValueError: “e:x=1” is no signature of it."),
        ("d", None, "AttributeError: "),
    ],
)
def test_that_what_a_package_scores_has_its_name_and_what_is_strange_is_told(
    metric, signature, told
):
    def score(*_):
        return ScoreTable(
            scores=(
                Score(topic="t", length=None, system="s", metric=metric, value=1.0,
                      signature=signature, n_topics=1),
            )
        )  # fmt: skip

    with pytest.MonkeyPatch.context() as patch:
        with_metrics(patch, score, Metric(name="d", what="", family="f", by="pack@1.2"))
        if told is None:
            (found,) = score_corpus(Corpus(), requests_of(["d"]), Silent()).scores
            assert found.signature == "d:x=1,by=pack@1.2,version=2"
            with pytest.raises(InputError, match=r"of d is from pack@1\.1; this is pack@1\.2"):
                requests_of(["d:by=pack@1.1"])
            return
        with pytest.raises(InputError) as caught:
            score_corpus(Corpus(), requests_of(["d"]), Silent())
        assert f"The metric d of pack@1.2 failed: {told}" in str(caught.value)


# --- the TSC-3 requests --------------------------------------------------------------------------


def test_that_a_request_is_understood_with_the_weights_of_the_corpus():
    request = parse_request(
        MetricRequest.parse("weighted-coverage:strict=yes"), DEFAULT_RANK_WEIGHTS
    )
    assert request.options.weights == (("A", 1), ("B", Fraction(1, 2)), ("C", Fraction(1, 3)))
    assert (request.options.first, request.options.strict) == ("h", True)
    assert request.signature_of(["B", "A", "B"], {"no_source": "4"}) == (
        "weighted-coverage:first=h,strict=yes,weights=1/0.5/0.3333,annotator=first(A+B),no_source=4,"
        f"version={version_of_code()}"
    )


def test_that_weights_on_the_command_line_go_before_those_of_the_corpus():
    request = parse_request(
        MetricRequest.parse("weighted-coverage:weights= 2 / 0.3333 /2:7"), DEFAULT_RANK_WEIGHTS
    )
    assert [weight for _, weight in request.options.weights] == [1, Fraction(1, 6), Fraction(1, 7)]
    assert "weights=1/0.1667/0.1429," in request.signature


def test_that_weights_in_the_same_shares_are_one_signature():
    asked = [
        parse_request(MetricRequest.parse(f"weighted-coverage{text}"), weights).signature
        for text, weights in (
            (":weights=2/1/0.6", DEFAULT_RANK_WEIGHTS),
            (":weights=1/0.5/0.3", DEFAULT_RANK_WEIGHTS),
            ("", (("A", 10.0), ("B", 5.0), ("C", 3.0))),
        )
    ]
    assert len({*asked}) == 1


def test_that_the_commit_of_a_development_version_does_not_count_when_asked_again():
    signature = f"coverage:first=h,version={VERSION}+g0123456789"
    assert parse_request(MetricRequest.parse(signature), DEFAULT_RANK_WEIGHTS).signature
    with pytest.raises(InputError, match="from Awase 9"):
        parse_request(MetricRequest.parse("coverage:version=9+g0"), DEFAULT_RANK_WEIGHTS)


def test_that_a_corpus_without_ranks_has_a_signature_that_reads_back():
    request = parse_request(MetricRequest.parse("weighted-coverage"), ())
    again = parse_request(MetricRequest.parse(request.signature), ())
    assert again.options == request.options
    assert again.signature == request.signature


# --- weights -------------------------------------------------------------------------------------


@given(
    st.one_of(st.fractions(0), st.fractions(0, 1, max_denominator=12), st.decimals(0, 9, places=4))
)
def test_that_a_weight_survives_its_text(weight):
    weight = Fraction(weight)
    assert weight_of(weight_text(weight)) == weight


@given(st.floats(0, allow_infinity=False))
def test_that_every_weight_of_a_corpus_survives_its_text(value):
    weight = exact_weight(value)
    assert weight_of(weight_text(weight)) == weight
    assert float(weight) == pytest.approx(value, rel=5e-4)


@in_turn(
    ("text", "weight"),
    [("0.3333", "1/3"), ("0.333333333", "1/3"), ("0.333", "333/1000"), ("0.3334", "3334/10000"),
     ("0.33330", "3333/10000"), ("0.6667", "2/3"), ("0.0833", "1/12"), ("0.3", "3/10"),
     ("0.25", "1/4"), (".5", "1/2"), ("1.", "1"), ("1.0000", "1"), ("0", "0"), ("1:3", "1/3"),
     ("3333:10000", "3333/10000")],
)  # fmt: skip
def test_that_a_rounded_decimal_stands_for_a_simple_fraction(text, weight):
    assert weight_of(text) == Fraction(weight)


@in_turn("text", ["", ".", "x", "-1", "+1", "1e3", "1:0", "1:-2", "0x1", " 1", "1/3"])
def test_that_other_texts_are_not_weights(text):
    with pytest.raises(ValueError, match="is not a weight"):
        weight_of(text)


@in_turn(
    ("weight", "text"),
    [("1/3", "0.3333"), ("1", "1"), ("1/2", "0.5"), ("0", "0"), ("3333/10000", "3333:10000"),
     ("1/13", "1:13"), ("100", "100"), ("1/1000000", "0.000001"), ("10", "10")],
)  # fmt: skip
def test_that_weights_are_spelled_short_and_exact(weight, text):
    assert weight_text(Fraction(weight)) == text


@in_turn(
    ("value", "weight"),
    [(1 / 3, "1/3"), (2 / 3, "2/3"), (1 / 7, "1/7"), (0.3, "3/10"), (0.3333, "1/3"), (1, "1"),
     (0, "0"), (1 / 999, "1/999"), (0.12345, "2469/20000"), (1e-05, "1/100000"),
     (1e22, "1e22")],
)  # fmt: skip
def test_that_the_number_of_a_file_is_the_fraction_it_was_meant_as(value, weight):
    assert exact_weight(value) == Fraction(weight)


def test_that_systems_whose_outputs_are_all_the_same_are_told():
    def copies_among(*outputs: list[Output]) -> list[str]:
        topics = tuple(
            topic_of(abstract_of(*TABLE_1), outputs=of_topic, id=f"t{n}")
            for n, of_topic in enumerate(outputs)
        )
        table = score_corpus(Corpus(topics=topics), requests_of(["coverage"]), Silent())
        return [str(w) for w in table.warnings if "same in every topic" in str(w)]

    first, second = ([extract("a", 1), extract("b", 1), extract("c", third)] for third in (1, 2))
    by_reference = [text(one, "x", references=[[one]]) for one in "ab"]
    same = "The outputs of {} are the same in every topic. Is one of them a copy?"
    assert copies_among(first) == [same.format("a, b, c")]
    assert copies_among(first, second) == [same.format("a, b")]
    assert copies_among(by_reference) == []


@in_turn(
    ("fails", "why"),
    [
        ("subtree", "needs a language model"),
        ("be", "needs a parse"),
        ("rouge-we-1", "needs word vectors"),
        ("coverage:annotator=nobody", "nobody"),  # of the family of another that is scored
    ],
)
def test_that_a_metric_that_cannot_be_computed_keeps_no_other_from_it(fails, why):
    of_topic = topic_of(abstract_of(*TABLE_1), outputs=[extract("a", 1, 2)], id="t")
    corpus = Corpus(topics=(of_topic,))
    alone = score_corpus(corpus, requests_of(["precision"]), Silent())
    table = score_corpus(corpus, requests_of([fails, "precision"]), Silent())
    values = {(one.topic, one.metric): one.value for one in table.scores}
    expected = {(one.topic, one.metric): one.value for one in alone.scores}
    failed = fails.partition(":")[0]
    assert values == expected | {("t", failed): None, (None, failed): None}
    (mean,) = table.failed()
    assert why in str(mean.reason)
    assert mean.reason in table.warnings
    with pytest.raises(InputError, match=why):
        score_corpus(corpus, requests_of([fails]), Silent())


def test_that_each_request_of_a_metric_that_fails_tells_its_own_reason():
    of_topic = topic_of(abstract_of(*TABLE_1), outputs=[extract("a", 1, 2)], id="t")
    asked = requests_of(["coverage", "precision:annotator=nobody", "precision:annotator=nemo"])
    failed = score_corpus(Corpus(topics=(of_topic,)), asked, Silent()).failed()
    assert ["nobody" in str(failed[0].reason), "nemo" in str(failed[1].reason)] == [True, True]


def test_that_a_unit_needs_what_it_needs_as_a_signature_spells_it_too():
    asked = requests_of(["pseudo-pyramid:unit=edu-parse", "pseudo-pyramid:unit=edu-parse-1"])
    assert [METRICS["pseudo-pyramid"].needs_of(one) for one in asked] == [{"parses"}] * 2


@given(st.lists(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from((1, 2, 3))))))
@example([[("a", 1), ("b", 1), ("d", 2)], [("a", 2), ("b", 2), ("c", 2), ("d", 1)]])
@example([[("a", 1), ("b", 1), ("c", 2), ("d", 2)], [("a", 3), ("b", 3), ("c", 3), ("d", 3)]])
def test_that_twins_are_the_systems_with_equal_outputs_in_each_topic(drawn):
    topics = []
    for idx, of_topic in enumerate(drawn):
        outputs = [extract(system, n) for system, n in dict(of_topic).items()]
        topics.append(topic(f"t{idx}", docs=["a", "b", "c"], outputs=outputs))
    found = identical_systems(topics, attrgetter("sentences"))
    systems = dict.fromkeys(output.system for one in topics for output in one.outputs)
    by_all: dict[object, list[str]] = {}
    for system in systems:
        mine = tuple(tuple(o.sentences for o in t.outputs if o.system == system) for t in topics)
        by_all.setdefault(mine, []).append(system)
    assert found == [one for one in by_all.values() if len(one) > 1]


AWKWARD = ["a", "a'", 'a"', "a'\"", "a\\", "a\n", "a\0", "", "雪", "\ud800", "\ue000", "😀"]
AWKWARD += ["10", "1"]


def taken(portions):
    names = ManyNames()
    for portion in portions:
        names.add(portion)
    return names


@law(
    60,
    st.lists(
        st.text(CHARACTERS, max_size=4) | st.sampled_from(AWKWARD) | st.just("x" * 500), unique=True
    ),
    st.integers(1, 5),
)
@example(AWKWARD, 3)
@example(["x" * 500, *map(str, range(40))], 7)
def test_that_they_are_named_as_signatures_name_them(names, size):
    found = taken(names[at : at + size] for at in range(0, len(names), size))
    assert len(found) == len(names)
    assert found.named() == named(names)


@pytest.mark.parametrize("others", [[], ["x" * 500]])
def test_that_a_name_that_came_twice_is_told(others):
    with pytest.raises(InputError, match="two items “b'”"):
        taken([["a", "b'"], ["c", *others], ["b'"]]).named()
