"""BE on corpora with parses: against the slow version, and the laws of a measure of overlap."""

import re

import pytest
from hypothesis import strategies as st
from tests import building
from tests.core.language.strategies import heads
from tests.core.language.trees import tree
from tests.laws import law
from tests.oracles.be import be
from tests.reporters import Heard

from awase.core.errors import InputError, Missing, ScoringUndefinedError, Silent
from awase.core.language.conllu import conllu_of
from awase.core.metrics.kit.supplies import UNDECIDED, Supplies
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.rouge.be import SETTINGS, be_files, parse_request
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic

MODES = ("h", "hm", "hmr", "hm1", "hmr1", "hmr2")
RELATIONS = st.sampled_from(["nsubj", "punct", "nmod:poss", "flat"])


@st.composite
def trees(draw, words=("a", "Bo", "nil", "c|d")):
    found = draw(heads(draw(st.integers(1, 5))))
    return tree(
        *(
            f"{draw(st.sampled_from(words))}//{draw(st.sampled_from(['NOUN', 'ADP', 'VERB']))} "
            f"{head} {draw(RELATIONS) if head else 'root'}"
            for head in found
        )
    )


summaries = st.lists(trees(), max_size=3)


def corpus_of(peer, models):
    """One system's text and its references; sentences are called by number."""
    parses = {}

    def named(summary):
        names = [f"{len(parses) + at}{'.' * 30}" for at in range(len(summary))]
        parses.update(zip(names, ((one,) for one in summary), strict=True))
        return tuple(names)

    output = building.text("s", " ", *named(peer), references=[named(model) for model in models])
    supplies = Supplies(
        parses={text: conllu_of(parse) for text, parse in parses.items()}, parse_model="test"
    )
    return Corpus(topics=(Topic(id="t", outputs=(output,)),)), supplies


def scores(peer, models, metric="be:labels=basic"):
    corpus, supplies = corpus_of(peer, models)
    table = score_corpus(corpus, requests_of([metric]), Silent(), supplies)
    values = tuple(score.value for score in table.scores if score.topic == "t")
    return None if values[0] is None else values


@law(
    35,
    summaries,
    st.lists(summaries, min_size=1, max_size=3),
    st.sampled_from(MODES),
    st.booleans(),
)
def test_that_the_scores_are_those_of_the_slow_version(peer, models, mode, best):
    metric = f"be:labels=basic,mode={mode},refs={'b' if best else 'a'}"
    assert scores(peer, models, metric) == be(peer, models, mode, best=best)


JOHN = tree("John//PROPN 2 nsubj", "saw//VERB 0 root", "a 4 det", "man/man/NOUN 2 obj")
MARY = tree("Mary//PROPN 2 nsubj", "saw//VERB 0 root", "a 4 det", "man/man/NOUN 2 obj")


def test_that_a_hand_worked_pair_has_two_of_three_elements_in_common():
    # (saw|mary|nsubj) is not shared; (man|a|det) and (saw|man|obj) are.
    assert scores([MARY], [[JOHN]]) == (0.66667, 0.66667, 0.66667)
    # Heads: mary saw man | john saw man.
    assert scores([MARY], [[JOHN]], "be:mode=h") == (0.66667, 0.66667, 0.66667)
    # Both kinds: saw and man, (man|a) and (saw|man) of 3 + 3.
    assert scores([MARY], [[JOHN]], "be:mode=hm1") == (0.66667, 0.66667, 0.66667)


def test_that_words_and_labels_and_stems_follow_the_options():
    runs = tree("dogs/dog/NOUN 2 nsubj", "running/run/VERB 0 root")
    run = tree("dog/dog/NOUN 2 nsubj", "runs/run/VERB 0 root")
    assert scores([runs], [[run]])[0] == 0.0
    assert scores([runs], [[run]], "be:words=lemma")[0] == 1.0
    assert scores([runs], [[run]], "be:stem=yes")[0] == 1.0
    to = tree("went 0 root", "to/to 3 case", "Rome 1 obl")
    of = tree("went 0 root", "of/of 3 case", "Rome 1 obl")
    assert scores([to], [[of]], "be:labels=basic")[0] == 0.5
    assert scores([to], [[of]], "be")[0] == 0.0
    # A word that is spelled as the program spells that there is none.
    nil = tree("nil//PROPN 2 nsubj", "saw 0 root")
    assert scores([nil], [[nil]], "be:labels=basic,mode=hm")[0] == 1.0


def test_that_without_parses_the_request_is_understood_all_the_same():
    (request,) = requests_of(["be:parser=other"])
    assert parse_request(request, UNDECIDED).spelled["parser"] == "other"


def test_that_parses_by_another_parser_than_the_one_requested_are_refused():
    with pytest.raises(InputError, match="by “other” were requested; those here are by “test@"):
        scores([JOHN], [[JOHN]], "be:parser=other")


def test_that_a_missing_parse_is_told_and_nothing_is_scored():
    corpus, supplies = corpus_of([JOHN, MARY], [[JOHN]])
    parses = dict([*supplies.parses.items()][:1])
    with pytest.raises(ScoringUndefinedError) as caught:
        score_corpus(
            corpus, requests_of(["be"]), Silent(), Supplies(parses=parses, parse_model="test")
        )
    message = str(caught.value)
    assert "1 of 2 sentences of systems and 1 of 1 of references have none by test" in message
    assert f"“1{'.' * 29}…” in topic “t”" in message
    assert caught.value.problems[0].missing is Missing.PARSES
    assert "CoNLL-U" in message


def test_that_a_reference_without_elements_leaves_the_score_undefined():
    assert scores([JOHN], [[tree("Yes//INTJ 0 root")]]) is None


def test_that_extracts_are_scored_by_the_parses_of_their_sentences():
    corpus = building.corpus(
        building.topic(
            docs=["John", "Mary"],
            abstracts=[building.abstract(texts=["John"])],
            outputs=[building.extract("s", 2)],
        )
    )
    supplies = Supplies(
        parses={"John": conllu_of((JOHN,)), "Mary": conllu_of((MARY,))}, parse_model="test"
    )
    table = score_corpus(corpus, requests_of(["be"]), Silent(), supplies)
    assert table.scores[0].value == 0.66667


def test_that_files_for_the_program_hold_equal_texts_once_and_tell_evaluations_apart():
    john, mary = [["John"]], [["Mary"]]
    outputs = [
        building.text("x", "Mary", references=john, length="short"),
        building.text("y", "John", references=john, length="short"),
        building.text("x", "Mary", "John", references=john),
        building.text("z", "Mary", references=mary),
    ]
    supplies = Supplies(
        parses={"John": conllu_of((JOHN,)), "Mary": conllu_of((MARY,))}, parse_model="test"
    )
    files, heard = {}, Heard()
    for name, chunk in be_files(
        building.corpus(building.topic("t&", outputs=outputs)), supplies, heard
    ):
        files[name] = files.get(name, "") + chunk
    settings = files.pop(SETTINGS)
    assert re.findall(r'ID="(t[^"]*)"|<(P|M) ID="(.)">(.*?)<', settings) == [
        ("t&amp;.short", "", "", ""), ("", "P", "x", "00001.be"), ("", "P", "y", "00002.be"),
        ("", "M", "1", "00002.be"),
        ("t&amp;", "", "", ""), ("", "P", "x", "00003.be"), ("", "M", "1", "00002.be"),
        ("t&amp;.2", "", "", ""), ("", "P", "z", "00001.be"), ("", "M", "1", "00001.be"),
    ]  # fmt: skip
    of_mary = "saw|mary|nsubj man|a|det saw|man|obj mary|nil|nil saw|nil|nil man|nil|nil".split()
    of_john = [line.replace("mary", "john") for line in of_mary]
    assert [text.splitlines() for text in files.values()] == [of_mary, of_john, of_mary + of_john]
    assert heard.calls == [(0, 1, "t&")]
