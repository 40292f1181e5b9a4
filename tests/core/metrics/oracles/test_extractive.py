"""Oracles: what is maximised is what ROUGE counts, and every odd case has a defined answer."""

import json
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from tests.building import abstract, topic
from tests.in_part import in_turn
from tests.laws import law
from tests.oracles import budget as brute

from awase.core.errors import Silent
from awase.core.metrics import oracles
from awase.core.metrics.kit.extractive import (
    OnNews,
    Oracle,
    OracleEffort,
    ReferenceOracle,
    Unit,
    digest_of_oracles,
    find_oracle,
    ngrams,
    oracles_record,
    places_of,
    read_oracles,
)
from awase.core.metrics.kit.oracle_choices import chosen_with
from awase.core.metrics.kit.supplies import NO_SUPPLIES
from awase.core.metrics.oracles import OracleFinder, Reference, oracle_options
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import TextOutput, Topic
from awase.core.solvers.budget import BudgetProblem
from awase.core.text import tokenisers

ALL = OracleEffort(max_optima=1_000)


def topic_of(sentences: list[str], reference: list[str]) -> Topic:
    return topic(docs=sentences, language="en", abstracts=[abstract("a", texts=reference)])


def oracle_of(topic: Topic, effort: OracleEffort = ALL, **options: str) -> Oracle:
    chosen = chosen_with({"unit": "sentence"} | options)
    finder = OracleFinder(oracle_options(chosen), NO_SUPPLIES, effort)
    return finder.source_of(topic).oracle_for(Reference.of(topic.abstracts[0]))


def test_that_the_dictionary_of_words_goes_once_while_a_search_takes_long(monkeypatch):
    is_held = []

    def long_search(*arguments: object, on_news: OnNews, **options: object) -> Oracle:
        for value in (0, 3, 4):
            held = tokenisers.analyser  # somebody may have looked a word up meanwhile
            on_news(value, 9)
            is_held.append(tokenisers.analyser is held)
        return find_oracle(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(oracles, "find_oracle", long_search)
    snow = topic(docs=["東京都の雪"], language="ja", abstracts=[abstract("a", texts=["東京の雪"])])
    assert oracle_of(snow, oracle="rouge-1", tokens="ja", limit="9w").value == 3
    assert is_held == [True, False, True]


WORDS = st.lists(st.sampled_from(["boats", "boat", "the", "oak", "peat", "rain"]), min_size=1,
                 max_size=6).map(" ".join)  # fmt: skip
SOURCES = st.lists(WORDS, min_size=1, max_size=7)


@law(
    30,
    SOURCES,
    WORDS,
    st.integers(1, 15),
    st.sampled_from(["1", "2"]),
    st.sampled_from([("no", "no"), ("yes", "no"), ("yes", "yes")]),
)
def test_that_the_oracle_s_recall_is_that_of_our_rouge(sentences, reference, limit, n, how):
    stem, stop = how
    topic = topic_of(sentences, [reference])
    oracle = oracle_of(topic, oracle=f"rouge-{n}", limit=f"{limit}w", stem=stem, stop=stop)
    if not oracle.total:
        return
    # A word that the reference lacks between the units keeps n-grams from crossing them.
    summary = TextOutput(system="o", sentences=tuple(f"{u.text} qqq" for u in oracle.units))
    corpus = Corpus(topics=(replace(topic, outputs=(summary,)),))
    (request,) = requests_of([f"rouge-{n}:stem={stem},stop={stop}"])
    scores = score_corpus(corpus, [request], Silent()).scores
    assert scores[0].value == pytest.approx(oracle.value / oracle.total, abs=6e-6)


@law(30, SOURCES, WORDS, st.integers(1, 12))
def test_that_the_oracles_are_those_of_all_subsets(sentences, reference, limit):
    oracle = oracle_of(topic_of(sentences, [reference]), limit=f"{limit}w")
    pairs = ngrams(reference.split(), 2)
    numbers = {pair: idx for idx, pair in enumerate(pairs)}
    problem = BudgetProblem(
        lengths=[len(s.split()) for s in sentences],
        gains=[
            {numbers[p]: k for p, k in ngrams(s.split(), 2).items() if p in numbers}
            for s in sentences
        ],
        caps=tuple(pairs.values()),
        limit=limit,
    )

    def places(units: tuple[Unit, ...]) -> tuple[int, ...]:
        return tuple(unit.ref.n - 1 for unit in units)

    assert places(oracle.units) == brute.best(problem)
    assert {places(optimum) for optimum in oracle.optima} == brute.optima(problem)
    assert oracle.are_all
    assert oracle.is_proved
    assert oracle.is_settled
    assert oracle.greedy <= oracle.value


def test_that_limits_count_words_characters_or_sentences():
    topic = topic_of(["a b", "c d", "e f g h"], ["a b c d e f g h"])
    for limit, chosen in (("4w", ["e f g h"]), ("2s", ["a b", "e f g h"]), ("4c", ["e f g h"])):
        assert [unit.text for unit in oracle_of(topic, limit=limit).units] == chosen


def test_that_a_reference_s_own_length_is_its_limit():
    topic = topic_of(["a b c", "d e f"], ["a b c d"])
    assert oracle_of(topic).limit == 4
    assert [unit.text for unit in oracle_of(topic).units] == ["a b c"]


def test_that_equal_sentences_are_two_units_and_the_first_is_taken():
    oracle = oracle_of(topic_of(["a b", "a b"], ["a b"]), limit="4w")
    assert [str(unit.ref) for unit in oracle.units] == ["d:1"]
    assert len(oracle.optima) == 2


@in_turn(
    ("sentences", "reference", "limit", "upper", "total"),
    [
        (["a b"], ["a"], "4w", 0, 0),  # no pair of words
        (["a b"], ["。"], "4w", 0, 0),
        (["a b c"], ["a b c"], "2w", 0, 2),  # a unit longer than the limit
        (["x y"], ["a b"], "2w", 0, 1),
        ([], ["a b"], "2w", 0, 1),
    ],
)
def test_that_nothing_to_find_is_a_result(sentences, reference, limit, upper, total):
    oracle = oracle_of(topic_of(sentences, reference), limit=limit)
    assert (oracle.units, oracle.value, oracle.upper, oracle.total) == ((), 0, upper, total)


def test_that_a_limit_of_0_leaves_nothing():
    unit = Unit(ref=SentenceRef("d", 1), start=0, end=3, text="a b")
    pair = {("a", "b"): 1}
    assert find_oracle([unit], places_of([pair]), [2], pair, 0, effort=ALL).units == ()


@pytest.mark.slow
def test_that_5000_units_are_solved():
    import random

    rng = random.Random(1)
    words = [f"w{n}" for n in range(300)]
    sentences = [" ".join(rng.choices(words, k=12)) for _ in range(5_000)]
    topic = topic_of(sentences, [" ".join(rng.choices(words, k=40))])
    oracle = oracle_of(topic, OracleEffort(), limit="36w")
    assert oracle.is_proved
    assert oracle.length <= 36
    assert oracle.greedy_by_rate <= oracle.value


def test_that_the_digest_in_signatures_hangs_on_no_name_of_a_class():
    class OtherUnit(Unit):
        __slots__ = ()

    class OtherOracle(Oracle):
        __slots__ = ()

    unit = OtherUnit(ref=SentenceRef("d", 1), start=0, end=3, text="a b")
    oracle = OtherOracle(
        units=(unit,), value=1, total=2, upper=1, is_settled=True, length=2, limit=3,
        optima=((unit,),), are_all=True, greedy=1, greedy_by_rate=1,
    )  # fmt: skip
    digest = digest_of_oracles({"k": oracle})
    assert digest == "d59499643db015d23d287f32c4737fdfbec8b5479d6581b4a0f523bd07ed90c0"


def test_that_oracles_are_found_once_and_come_back_from_a_file():
    topic = topic_of(["a b c", "b c d"], ["a b c d"])
    options = oracle_options(chosen_with({}))
    source = OracleFinder(options, NO_SUPPLIES, ALL).source_of(topic)
    reference = Reference.of(topic.abstracts[0])
    oracle = source.oracle_for(reference)
    assert source.oracle_for(reference) is oracle
    found = ReferenceOracle(key=source.key_for(reference), topic="t", reference="a", oracle=oracle)
    kept = read_oracles(json.dumps(oracles_record("options", [found])), "f")
    assert kept == {found.key: oracle}
    again = OracleFinder(options, replace(NO_SUPPLIES, oracles=kept), ALL).source_of(topic)
    assert again.oracle_for(reference) is kept[found.key]
    edited = topic_of(["a b c", "b c e"], ["a b c d"])
    assert OracleFinder(options, NO_SUPPLIES, ALL).source_of(edited).key_for(reference) != found.key
