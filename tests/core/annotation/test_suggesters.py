"""What each suggester suggests, and what none of them does."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import building
from tests.benchmarks.candidates import FAR
from tests.building import alternatives, entry, ref, topic
from tests.in_part import in_part, in_turn

from awase.core.agreement.effect_study import assisted_entries, without_assisted
from awase.core.annotation.evidence import (
    RIDGE,
    TopicEvidence,
    fitted_logistic,
    shipped_weights,
    weights_of,
    weights_text,
)
from awase.core.annotation.fitting import (
    AssistExamples,
    Examples,
    average_precision,
    confirmed_entries,
)
from awase.core.annotation.suggesters import (
    SUGGESTERS,
    Closure,
    LexicalFamily,
    OtherLength,
    build_suggesters,
)
from awase.core.annotation.suggestion import (
    ANOTHER,
    CARRIED,
    CLOSURE,
    FAMILY,
    KINDS,
    AssistLevel,
    Suggestion,
    is_shown,
    own_view,
)
from awase.core.errors import CorpusFormatError, InputError
from awase.core.records.abstract import Alignment, AssistOrigin, GoldEntry, GoldSource
from awase.core.records.topic import Topic

SOURCES = (
    "The storm sank a ferry in the harbour of Porto on Monday.",
    "The mayor of Lisbon spoke of a budget for schools.",
    "On Monday a ferry was lost in the harbour of Porto in a storm.",
    "Twelve passengers of the ferry were rescued by fishermen.",
    "Rain is expected.",
)
SHORT = "A storm sank a ferry in Porto."
LONG = "A storm sank a ferry in the harbour of Porto, and fishermen rescued twelve passengers."
rows = st.sampled_from(["", "s1", "s1|s3", "s2&s4", "-", "?s4", "s1|s2|s3|s4|s5", "s1&s4"])


def topic_linked_by(short: str = "", long: str = "", others: str = "s2", again: str = "") -> Topic:
    parts = [
        building.abstract(id, {"1": [own, again], "2": [others]}, texts=[text] * 2, length=id)
        for id, text, own in (("short", SHORT, short), ("long", LONG, long))
    ]
    return topic("t", docs=SOURCES, abstracts=parts)


def suggested(suggester, topic: Topic, abstract_idx: int = 0):
    view = own_view(topic, "1")
    abstract = view.abstracts[abstract_idx]
    return suggester.suggest(view, abstract.sentences[0], abstract.alignments[0].sentences[0])


def test_that_the_best_is_suggested_first_and_what_says_the_same_once_it_is_linked():
    first = suggested(LexicalFamily(), topic_linked_by())[0]
    assert (first.family, first.kind) == (alternatives("s1"), FAMILY)
    assert 0.5 < first.confidence <= 1.0
    first = suggested(LexicalFamily(), topic_linked_by(short="?s1"))[0]
    assert (first.family, first.kind) == (alternatives("s3"), ANOTHER)
    # The other member of a pair stays when one is exchanged.
    families = [one.family for one in suggested(LexicalFamily(), topic_linked_by(long="?s1&s4"), 1)]
    assert alternatives("s3&s4")[0].as_set in [family[0].as_set for family in families]


def test_that_the_closure_is_what_near_duplicates_make_and_nothing_once_it_is_there():
    (found,) = suggested(Closure(), topic_linked_by(long="?s1&s4"), 1)
    assert found.kind == CLOSURE
    assert [one.as_set for one in found.family] == [frozenset({ref(3), ref(4)})]
    assert suggested(Closure(), topic_linked_by(long="?s1&s4|s3&s4"), 1) == ()
    assert suggested(Closure(), topic_linked_by()) == ()


def test_that_what_was_linked_for_the_other_length_is_suggested_and_others_work_is_not():
    (found,) = suggested(OtherLength(), topic_linked_by(long="s1|s3", again="s2"))
    assert (found.family, found.kind) == (alternatives("s1|s3"), CARRIED)
    assert suggested(OtherLength(), topic_linked_by(others="s1")) == ()
    (rest,) = suggested(OtherLength(), topic_linked_by(short="?s1", long="s1&s4|s3"))
    assert rest.family == alternatives("s3")


@pytest.mark.parametrize("name", in_part(SUGGESTERS))
@given(rows, rows, st.sampled_from((*SOURCES, SHORT, LONG, "", "…")))
def test_that_a_suggester_changes_nothing_and_suggests_only_what_would_add_something(
    name, short, long, text
):
    topic = topic_linked_by(short, long)
    view = own_view(topic, "1")
    before = repr(view)
    suggester = build_suggesters([name])[name]
    sentence = replace(view.abstracts[0].sentences[0], text=text or "–")
    own = entry(1, short)
    found = suggester.suggest(view, sentence, own)
    assert suggester.suggest(view, sentence, own) == found
    assert repr(view) == before
    known = [one.as_set for one in own.alternatives]
    confidences = [one.confidence for one in found]
    assert confidences == sorted(confidences, reverse=True)
    for suggestion in found:
        assert suggestion.kind in KINDS
        for one in suggestion.family:
            assert set(topic.refs()) >= one.as_set
            assert one.as_set not in known


def test_that_features_are_those_of_terms_in_common():
    evidence = TopicEvidence(topic(docs=["storm sank ferry", "storm sank", "storm", "rain"]))
    jaccards = [[evidence.likeness(a, b)[0] for b in range(3)] for a in range(3)]
    assert jaccards == [[1, 2 / 3, 1 / 3], [2 / 3, 1, 1 / 2], [1 / 3, 1 / 2, 1]]
    asked = evidence.of_sentence("rain storm news")
    *_, bm25, alone = asked.exchange_features((), 0, 2)
    assert (bm25, alone) == (asked.scores[2] / max(asked.scores), 0.0)
    assert evidence.weight("news") > evidence.weight("rain") > evidence.weight("storm") > 0
    only = TopicEvidence(topic(docs=["storm"])).of_sentence("storm news")
    assert only.single_features()[2] == only.cosine(0) > 0


def test_that_a_topic_without_documents_has_no_suggestions():
    nothing = Topic(id="t", abstracts=(building.abstract("a", texts=["A storm."]),))
    for suggester in build_suggesters().values():
        assert suggester.suggest(nothing, nothing.abstracts[0].sentences[0], entry(1)) == ()


def test_what_is_shown_at_which_level():
    sure = [Suggestion(family=alternatives("s1"), confidence=0.9, why="x", kind=k) for k in KINDS]
    shown = {level: {one.kind for one in sure if is_shown(one, level)} for level in AssistLevel}
    kinds = (set(), set(), {CLOSURE}, {CLOSURE, ANOTHER, CARRIED}, set(KINDS))
    assert shown == dict(enumerate(kinds))
    unsure = Suggestion(family=alternatives("s1"), confidence=0.1, why="x")
    assert not is_shown(unsure, AssistLevel.FAMILIES)


@in_turn("wrong", [{"family": ()}, {"confidence": 1.2}, {"kind": "guess"}])
def test_that_a_suggestion_of_nothing_or_of_no_kind_is_refused(wrong):
    values = {"family": alternatives("s1"), "confidence": 0.5, "why": "x", "kind": FAMILY} | wrong
    with pytest.raises(InputError):
        Suggestion(**values)


def test_that_only_confirmed_entries_teach_and_few_of_them_change_no_weight():
    topic = topic_linked_by(short="?s1", long="s4", others="-")
    assert [one.entry.alternatives for one in confirmed_entries([topic])] == [alternatives("s4")]
    for label in (True, False):  # many, but all alike
        one_sided = Examples(rows=[(float(at),) for at in range(20)], labels=[label] * 20)
        assert one_sided.fitted(shipped_weights().single) == shipped_weights().single
    examples = AssistExamples(confirmed_entries([topic]))
    assert examples.n_sentences == 1
    assert examples.single.labels == [True]
    shipped = LexicalFamily()
    fitted = LexicalFamily(examples.fitted("a corpus"))
    assert suggested(shipped, topic) == suggested(fitted, topic)


ORIGINS = {1: AssistOrigin.TAKEN, 2: AssistOrigin.CHANGED, 3: AssistOrigin.REFUSED}


def assisted() -> Topic:
    """Returns a topic where `x` was helped with two sentences, and gold took two of `x`'s."""
    made = topic("t", docs=6, links={"x": ["s1|s2", "s3", "s4"], "y": ["s1", "s3", "s4"]})
    (own,) = made.abstracts
    x, y = own.alignments
    told = tuple(replace(one, assist=ORIGINS.get(one.n)) for one in x.sentences)
    gold = (
        GoldEntry(entry=x.sentences[0], sources=(source(1, 2), source(1, "y"))),
        GoldEntry(entry=y.sentences[1], sources=(source(1, "y"),)),
        GoldEntry(entry=x.sentences[2], sources=(source(1),)),
    )
    own = replace(own, alignments=(replace(x, sentences=told), y), gold=gold)
    return replace(made, abstracts=(own,))


def source(*alternatives: int | str) -> GoldSource:
    numbers = tuple(one for one in alternatives if isinstance(one, int))
    name = next((one for one in alternatives if isinstance(one, str)), "x")
    return GoldSource(annotator=name, digest="d", alternatives=numbers)


def numbers(alignment: Alignment) -> list[int]:
    return [one.n for one in alignment.sentences]


def test_that_what_was_suggested_and_taken_is_left_out_with_what_gold_has_of_it():
    made = assisted()
    (own,) = without_assisted(made).abstracts
    assert [numbers(one) for one in own.alignments] == [[3], [1, 2, 3]]
    assert [one.n for one in own.gold] == [2, 3]
    assert [*map(str, assisted_entries(made))] == [
        f"t · {own.id} · {end}" for end in ("1 (x)", "2 (x)", "1 (gold)")
    ]
    assert [*assisted_entries(without_assisted(made))] == []
    unassisted = topic("t", docs=3, links={"x": ["s1|s2", "s3"]})
    assert without_assisted(unassisted) == unassisted


ranked = st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=1, max_size=30)


@pytest.mark.slow
def test_that_the_regression_is_the_maximum_that_a_general_optimiser_finds():
    from scipy.optimize import minimize

    rng = np.random.default_rng(3)
    rows = rng.normal(size=(80, 2)) * [1.0, 50.0] + [3.0, -10.0]
    labels = rng.random(80) < 1 / (1 + np.exp(-(rows[:, 0] - 3.0)))
    fitted = fitted_logistic(rows.tolist(), labels.tolist())
    standard = (rows - rows.mean(axis=0)) / rows.std(axis=0)

    def loss(weights: np.ndarray) -> float:
        odds = weights[0] + standard @ weights[1:]
        return float(
            np.logaddexp(0, odds).sum() - odds[labels].sum() + RIDGE * (weights[1:] ** 2).sum() / 2
        )

    best = minimize(loss, np.zeros(3), tol=1e-12).x
    slopes = best[1:] / rows.std(axis=0)
    assert fitted.weights == pytest.approx(slopes, abs=1e-4)
    odds = best[0] + standard[0] @ best[1:]
    assert fitted.probability(rows[0]) == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-4)


def test_that_a_clean_split_has_finite_weights():
    fitted = fitted_logistic([[0.0], [1.0]] * 20, [False, True] * 20)
    assert 0.0 < fitted.probability([0.0]) < 0.1
    assert 0.9 < fitted.probability([1.0]) < 1.0


@given(ranked)
def test_that_average_precision_is_that_of_the_textbook(rows):
    sure, right = [one / 20 for one, _ in rows], [one for _, one in rows]
    order = sorted(rows, key=lambda row: -row[0])
    hits = [sum(one for _, one in order[: n + 1]) for n in range(len(order))]
    at_hits = [hits[n] / (n + 1) for n, (_, one) in enumerate(order) if one]
    mean = sum(at_hits) / len(at_hits) if at_hits else None
    assert average_precision(sure, right) == (None if mean is None else pytest.approx(mean))


def test_that_weights_survive_their_text_and_name_their_data():
    weights = shipped_weights()
    assert weights_of(weights_text(weights)) == weights
    assert "FAR" in weights.data
    assert weights.n_sentences == 310


@in_turn(
    "damage",
    [
        lambda parts: parts.pop("single"),
        lambda parts: parts["pair"].pop("gain"),
        lambda parts: parts["pair"].update(gain=float("nan")),
        lambda parts: parts.update(closure=1.5),
        lambda parts: parts.update(n_sentences="many"),
    ],
)
def test_that_damaged_weights_are_refused(damage):
    parts = json.loads(weights_text(shipped_weights()))
    damage(parts)
    with pytest.raises(CorpusFormatError, match="weights of suggestions"):
        weights_of(json.dumps(parts))


@pytest.mark.slow
@pytest.mark.skipif(not FAR.exists(), reason="FAR is shared data")
def test_that_the_tables_on_far_have_the_independent_figures_within_their_intervals(capsys):
    from tests.benchmarks.assist import main

    main()
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("| FAR |")
    ]
    expected = {  # independent code on the same data
        0: (2, [0.806, 0.987, 0.923, 0.875, 0.026]),
        3: (4, [0.613, 0.413, 0.610]),
        4: (2, [0.452, 0.667, 0.810, 0.607, 0.905]),
    }
    assert (rows[0][1], rows[3][1], rows[3][2], rows[4][1]) == ("310", "8435", "172", "42")
    for at, (first, figures) in expected.items():
        for cell, figure in zip(rows[at][first:], figures, strict=False):
            low, high = cell.partition("[")[2].rstrip("]").split(",")
            assert float(low) <= figure <= float(high), (at, cell, figure)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right_of", "least"),
    [(lambda sure: sure, 0.9), (lambda sure: max(0.0, sure - 0.1), 0.8)],
    ids=["calibrated", "too sure"],
)
def test_that_the_interval_of_a_calibration_error_covers_the_truth(right_of, least):
    """Percentiles of a bootstrap never do where the confidences are right."""
    from tests.benchmarks.assist import calibration_coverage

    rng = np.random.default_rng(3)
    by_topic = [[(float(one), True) for one in rng.beta(4, 1, 4)] for _ in range(60)]
    covered = calibration_coverage(by_topic, right_of, 20)
    assert covered["ours"] >= least
    if right_of(0.5) == 0.5:
        assert covered["percentile"] == 0
