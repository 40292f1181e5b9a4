"""Pruned ROUGE and BE through `score_corpus`: the worked example, options, refusals, warnings."""

from dataclasses import replace
from math import floor

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from tests.core.metrics.rouge.test_rouge_family import abstract, against, text, topic
from tests.core.metrics.vector_tables import apart, given, table
from tests.in_part import in_turn
from tests.laws import tries
from tests.oracles import pruned as paper
from tests.oracles.clusters import complete_linkage

from awase.core.errors import InputError, Silent
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.pruned_reading import recall, replaced
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.rouge.tokens import stop_list
from awase.core.records.corpus import Corpus

law = settings(deadline=None, max_examples=tries(25))
WORDS = ("john", "killed", "man", "the", "died")
VECTORS = apart(*WORDS, murdered="killed", guy="man")


def conllu(*words):
    """A parse in CoNLL-U of words `form/head/relation`."""
    rows = [word.split("/") for word in words]
    return "".join(
        f"{number}\t{form}\t{form.lower()}\tX\t_\t_\t{head}\t{relation}\t_\t_\n"
        for number, (form, head, relation) in enumerate(rows, start=1)
    )


PARSES = {
    "John killed the man": conllu("John/2/nsubj", "killed/0/root", "the/4/det", "man/2/obj"),
    "The man died": conllu("The/2/det", "man/3/nsubj", "died/0/root"),
    "John murdered the guy": conllu("John/2/nsubj", "murdered/0/root", "the/4/det", "guy/2/obj"),
    "John killed": conllu("John/2/nsubj", "killed/0/root"),
    "John murdered": conllu("John/2/nsubj", "murdered/0/root"),
    "the man": conllu("the/2/det", "man/0/root"),
    "Died": conllu("Died/0/root"),
}
EXAMPLE = topic(
    text("x", "John killed", "John murdered", "the man", "the man"),
    abstracts=[
        abstract("John killed the man", "The man died"),
        abstract("John murdered the guy", id="b"),
    ],
)


def parsed(vectors=VECTORS):
    return given(vectors, parses=PARSES, parse_model="by-hand-1")


def table_of(topics, *metrics, supplies):
    topics = (topics,) if not isinstance(topics, list) else tuple(topics)
    return score_corpus(Corpus(topics=topics), requests_of(metrics), Silent(), supplies)


def value(topics, metric, supplies, system="x", topic_id="t"):
    (found,) = [
        s.value
        for s in table_of(topics, metric, supplies=supplies).scores
        if (s.system, s.topic) == (system, topic_id)
    ]
    return found


def warnings(topics, *metrics, supplies):
    return [str(problem) for problem in table_of(topics, *metrics, supplies=supplies).warnings]


# --- the worked example --------------------------------------------------------------------------


@in_turn(
    ("prune", "expected"), [("none", 4 / 8), ("cnt", 3 / 7), ("cls", 5 / 8), ("cnt+cls", 4 / 7)]
)
def test_that_the_worked_example_comes_out_of_parses_and_vectors(prune, expected):
    assert value(EXAMPLE, f"pbe:prune={prune},ratio=0.7143", parsed()) == expected


def test_that_seven_words_are_too_few_for_the_papers_ratio():
    assert value(EXAMPLE, "pbe", parsed()) == 3 / 7
    assert warnings(EXAMPLE, "pbe", supplies=parsed()) == [
        "pbe merged no word of x: so few have a vector that their share rounds to all of them "
        "(topics t)."
    ]


def test_that_pruned_rouge_counts_words_and_pairs_across_sentence_ends():
    of_topic = against(("a man died", "a man ran"), "a guy died a guy ran")
    vectors = apart("a", "man", "died", "ran", guy="man")
    for metric, none, cnt, cls_ in [("prouge-1", 4 / 6, 3 / 4, 1), ("prouge-2", 1 / 5, 1 / 4, 1)]:
        stop = f"{metric}:stop=no,ratio=0.8,prune="
        assert value(of_topic, f"{stop}none", given(None)) == none
        assert value(of_topic, f"{stop}cnt", given(None)) == cnt
        assert value(of_topic, f"{stop}cnt+cls", given(vectors)) == cls_


# --- options -------------------------------------------------------------------------------------


def test_that_stop_words_are_dropped_from_words_and_kept_in_pairs():
    of_topic = against(("the man of the sea",), "the sea")
    assert value(of_topic, "prouge-1:prune=cnt", given(None)) == 1 / 2
    assert value(of_topic, "prouge-2:prune=cnt", given(None)) == 1 / 4
    assert value(of_topic, "prouge-1:prune=cnt,stop=no", given(None)) == 2 / 4


def test_that_a_limit_cuts_references_and_outputs():
    of_topic = against(("one two", "three four"), "one two three four")
    assert value(of_topic, "prouge-1:prune=cnt,stop=no,limit=3w", given(None)) == 1
    assert value(of_topic, "prouge-2:prune=cnt,limit=3b", given(None)) is None


def test_that_japanese_is_read_in_words():
    of_topic = against(("犬が走る。",), "猫は走る。")
    vectors = table(犬=(1, 0.1), 猫=(1, 0.2), 走る=(0, 1), が=(-1, -1), は=(-1, -1.01))
    assert value(of_topic, "prouge-1:tokens=ja,prune=cnt", given(None)) == 1 / 2
    assert value(of_topic, "prouge-1:tokens=ja,ratio=0.67", given(vectors)) == 1
    assert value(of_topic, "prouge-2:tokens=ja,ratio=0.6", given(vectors)) == 1


def test_that_words_are_looked_up_as_they_are_written_first():
    vectors = table(US=(1, 0), america=(1, 0.01), us=(0, 1), we=(0.01, 1))
    assert value(against(("US US",), "america"), "prouge-1:stop=no,ratio=0.5", given(vectors)) == 1
    assert value(against(("us us",), "america"), "prouge-1:stop=no,ratio=0.9", given(vectors)) == 0


def test_that_a_word_of_an_element_may_be_looked_up_by_its_lemma():
    lemma = "1\tdogs\tdog\tX\t_\t_\t2\tnsubj\t_\t_\n2\tran\trun\tX\t_\t_\t0\troot\t_\t_\n"
    parses = {"dogs ran": lemma, "hounds ran": lemma.replace("dog", "hound")}
    supplies = given(apart("run", "x", dog="run", hound="x"), parses=parses, parse_model="m")
    supplies.vectors["hound"] = supplies.vectors["dog"] * 2
    of_topic = against(("dogs ran",), "hounds ran")
    assert value(of_topic, "pbe:ratio=0.6", supplies) == 0
    assert value(of_topic, "pbe:ratio=0.6,lookup=lemma", supplies) == 1
    assert value(against(("dogs ran",), "dogs ran"), "pbe:words=lemma,prune=cnt", supplies) == 1


def test_that_a_vocabulary_of_the_topic_clusters_all_its_systems_at_once():
    supplies = given(table(a=(1, 0), b=(1, 0.3), c=(0, 1), d=(0, 1.05)))
    together = topic(text("y", "b c d"), text("x", "a"), abstracts=[abstract("a b")])
    pair = "prouge-1:stop=no,ratio=0.67"
    whole, half = (f"prouge-1:stop=no,ratio={one},vocabulary=topic" for one in (0.67, 0.5))
    assert value(together, pair, supplies) == value(against(("a b",), "a"), pair, supplies) == 1
    outputs = [replace(one, length="short") for one in together.outputs]
    abstracts = [abstract("a b", id=one, length=one) for one in ("short", "long")]
    of_both = topic(*outputs, text("x", "a", length="long"), abstracts=abstracts)
    found = table_of(of_both, whole, half, supplies=supplies).scores
    values = [one.value for one in found if (one.system, one.topic) == ("x", "t")]
    assert values == [1 / 2, 1, 1, 1]  # c and d are nearer than a and b; a long one has these alone


def test_that_the_distance_is_an_option():
    vectors = table(a=(1, 0), b=(9, 0), c=(1, 1))
    assert value(against(("a",), "b c"), "prouge-1:stop=no,ratio=0.67", given(vectors)) == 1
    assert value(against(("b",), "a c"), "prouge-1:stop=no,ratio=0.67", given(vectors)) == 1
    euclidean = "prouge-1:stop=no,ratio=0.67,distance=euclidean"
    assert value(against(("b",), "a c"), euclidean, given(vectors)) == 0


# --- truth and laws ------------------------------------------------------------------------------

VOCABULARY = "police killed the gunman murdered a man in town near it".split()
sentences = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=7).map(" ".join)
summaries = st.lists(sentences, min_size=1, max_size=2).map(tuple)
RANDOM = np.random.default_rng(7)
RANDOM_TABLE = table(**{word: RANDOM.standard_normal(4) for word in VOCABULARY[:-1]})


@law
@drawn(
    st.lists(summaries, min_size=1, max_size=3), summaries,
    st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from([1, 2]), st.booleans(),
)  # fmt: skip
def test_that_scores_are_those_of_the_formulas_on_paper(references, summary, ratio, n, stop):
    dropped = {*stop_list()} if stop else set()
    read = [
        [word for word in " ".join(one).split() if word not in dropped]
        for one in (*references, summary)
    ]
    vocabulary = {word for words in read for word in words}
    vectors = {word: RANDOM_TABLE[word].tolist() for word in vocabulary if word in RANDOM_TABLE}
    n_left = max(floor(ratio * len(vectors) + 0.5), min(1, len(vectors)))
    clusters, _ = complete_linkage(vectors, n_left, True)
    abstracts = [abstract(*one, id=f"{i}") for i, one in enumerate(references)]
    of_topic = topic(text("x", *summary), abstracts=abstracts)
    for prune, merged, formula in [
        ("none", [], paper.equation_1), ("cnt", [], paper.equation_2),
        ("cls", clusters, paper.equation_1), ("cnt+cls", clusters, paper.equation_2),
    ]:  # fmt: skip
        units = [paper.renamed(paper.ngrams(words, n), n, merged) for words in read]
        metric = f"prouge-{n}:prune={prune},ratio={ratio},stop={'yes' if stop else 'no'}"
        found = value(of_topic, metric, given(RANDOM_TABLE))
        assert found == formula(units[:-1], units[-1])


@law
@drawn(st.lists(summaries, min_size=1, max_size=3), summaries, st.sampled_from([1, 2]))
def test_that_without_pruning_it_is_the_recall_of_rouge(references, summary, n):
    abstracts = [abstract(*one, id=f"{i}") for i, one in enumerate(references)]
    of_topic = topic(text("x", *summary), abstracts=abstracts)
    asked = [f"prouge-{one}:prune=none,stop=no,vectors=none" for one in (3 - n, n)]
    table_ = table_of(of_topic, *asked, f"rouge-{n}", supplies=Supplies())
    found = {s.metric: s.value for s in table_.scores if s.topic == "t"}
    if found[f"prouge-{n}"] is None:
        assert found[f"rouge-{n}.r"] == 0
    else:
        assert round(found[f"prouge-{n}"], 5) == found[f"rouge-{n}.r"]


# --- signatures, refusals, warnings --------------------------------------------------------------


@in_turn(
    ("metric", "message"),
    [
        ("pbe:parser=other", "Parses by “other” were requested; those here are by"),
        ("prouge-1:vectors=glove@1", "prouge-1 requires the vectors glove@1; those given are "
         "table@0123456789ab."),
    ],
)  # fmt: skip
def test_that_parses_and_vectors_that_are_not_those_requested_are_refused(metric, message):
    with pytest.raises(InputError) as error:
        table_of(EXAMPLE, metric, supplies=parsed())
    assert message in str(error.value)


def test_that_text_that_would_lose_letters_is_refused():
    with pytest.raises(InputError, match=r"Choose tokens=ja for words of Japanese"):
        table_of(against(("犬が走る。",), "犬"), "prouge-1:prune=cnt", supplies=Supplies())


def test_that_vectors_of_another_language_are_told():
    of_topic = against(("police killed gunman man",), "police")
    found = warnings(of_topic, "prouge-1:ratio=0", supplies=given(table(police=(1, 0))))
    assert found[0].startswith("Only 25 % of the words of prouge-1 have a vector in “table@0123")
    half = against(("police gunman",), "police")
    found = warnings(half, "prouge-1:ratio=0", supplies=given(table(police=(1, 0))))
    assert not any(one.startswith("Only") for one in found)


def test_that_relations_are_never_replaced():
    units = [("det", "det", "det")]
    assert replaced(units, 2, lambda _: "x") == [("x", "x", "det")]


letters = st.sampled_from("abcdef")
lists = st.lists(st.tuples(letters, letters, st.sampled_from("rs")), max_size=8)
groups = st.lists(st.sampled_from(["ab", "cd", "ef", "ad"]), max_size=2, unique=True).filter(
    lambda chosen: len({*"".join(chosen)}) == len("".join(chosen))
)


@drawn(st.lists(lists, max_size=3), lists, groups)
def test_that_the_formulas_are_those_on_paper(references, summary, clusters):
    of = {word: group[0] for group in clusters for word in group}
    for merged in ([], clusters):
        ours = [
            replaced(text, 2, lambda word: of.get(word, word) if merged else word)  # noqa: B023
            for text in (*references, summary)
        ]
        theirs = [paper.renamed(text, 2, merged) for text in (*references, summary)]
        for by_type, formula in ((False, paper.equation_1), (True, paper.equation_2)):
            value = recall(ours[:-1], ours[-1], by_type=by_type)
            expected = formula(theirs[:-1], theirs[-1])
            assert (value is None) == (expected is None)
            if value is not None:
                assert float(value) == expected


def test_that_without_a_unit_in_the_references_there_is_no_recall():
    assert recall([], [("man", "the", "det")], by_type=True) is None
    assert recall([[], []], [("man", "the", "det")], by_type=False) is None
