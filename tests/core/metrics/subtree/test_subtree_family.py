"""Subtree similarity of corpora with parses, by a model that knows a vector for every form."""

import re

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.core.language.trees import tree
from tests.core.metrics.be.test_be_family import corpus_of, summaries
from tests.laws import law
from tests.oracles import subtree as oracle
from tests.reporters import Heard

from awase.core.errors import Cancelled, InputError, ScoringUndefinedError, Silent
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.registry import encoders_for, requests_of, score_corpus, signature_of
from awase.core.records.corpus import Corpus

VECTORS = {
    "cats": (1, 0), "chased": (0, 1), "mice": (1, 1), "small": (1, -1),
    "a": (1, 2), "Bo": (2, 1), "nil": (0, 0), "c|d": (-1, 1),
}  # fmt: skip
X = tree("cats 2 nsubj", "chased 0 root", "mice 2 obj")
Y = tree("cats 2 nsubj", "chased 0 root", "small 4 amod", "mice 2 obj")
LABEL = "forms@123456789012"


class Forms:
    """An encoder that knows words by their form."""

    def __init__(self, name="forms"):
        self.name, self.digest, self.n_sentences = name, "1234567890123", 0

    def encode(self, sentences, step):
        step()
        self.n_sentences += len(sentences)
        return [
            np.array([VECTORS[one.text[start:stop]] for start, stop in one.spans], np.float32)
            for one in sentences
        ]


def scored(peer, models, *metrics, encoder=None, reporter=None):
    corpus, supplies = corpus_of(peer, models)
    requests = requests_of(metrics or ["subtree"])
    encoder = encoder or Forms()
    supplies = Supplies(
        parses=supplies.parses,
        parse_model="test",
        encoders=encoders_for(requests, "here", lambda _location: encoder),
    )
    return score_corpus(corpus, requests, reporter or Silent(), supplies)


def values(table, metric="subtree"):
    found = {one.metric: one.value for one in table.scores if one.topic == "t"}
    return tuple(found[f"{metric}.{part}"] for part in "prf")


def rounded(table):
    return [round(value, 4) for value in values(table)]


def test_that_the_worked_example_is_scored():
    table = scored([X], [[Y]])
    assert rounded(table) == [0.8222, 0.6167, 0.7048]
    (mean,) = (one for one in table.scores if one.topic is None and one.metric == "subtree.f")
    assert mean.value == pytest.approx(0.7048, abs=1e-4)
    assert re.fullmatch(
        r"subtree:head=yes,key=surface,punct=keep,dedupe=yes,vector=mean,refs=mean,"
        rf"parser=test@[0-9a-f]{{12}},model={LABEL},split=given,topics=1@[0-9a-f]{{8}},version=.*",
        mean.signature,
    )


@pytest.mark.parametrize(("option", "f"), [("head=no", 0.8059), ("dedupe=no", 0.6328)])
def test_that_options_reach_the_score(option, f):
    assert rounded(scored([X], [[Y]], f"subtree:{option}"))[2] == f


def test_that_two_references_score_their_mean_or_the_better_one():
    assert rounded(scored([X], [[Y], [X]]))[2] == round((0.7048 + 1) / 2, 4)
    assert rounded(scored([X], [[Y], [X]], "subtree:refs=max")) == [1, 1, 1]
    assert rounded(scored([X], [[X], [Y]], "subtree:refs=max")) == [1, 1, 1]


@law(10, summaries, st.lists(summaries, min_size=1, max_size=2), st.booleans())
def test_that_the_scores_are_those_of_the_slow_version(peer, models, head_filter):
    def plain(text):
        return [
            (
                [word.head for word in sentence.words],
                [word.form.lower() for word in sentence.words],
                [VECTORS[word.form] for word in sentence.words],
            )
            for sentence in text
        ]

    found = values(scored(peer, models, f"subtree:head={'yes' if head_filter else 'no'}"))
    each = [oracle.scores(plain(peer), plain(one), head_filter=head_filter) for one in models]
    each = [one for one in each if one is not None]
    if each:
        assert found == pytest.approx(np.mean(each, axis=0), abs=1e-7)
    else:
        assert found == (None, None, None)


def test_that_a_reference_without_words_scores_0_and_without_reference_nothing_is_scored():
    assert values(scored([X], [[]])) == (0, 0, 0)
    (reason,) = {str(one.reason) for one in scored([], [[]]).scores}
    assert reason.startswith("there is no reference, or neither it nor the output has a word")


def test_that_words_unknown_to_the_model_are_told():
    nil = tree("nil 0 root")
    (warning,) = scored([X, nil], [[Y]]).warnings
    assert "12 % of the words are unknown to the model “forms@123456789012”" in str(warning)
    assert scored([X], [[Y]]).warnings == ()


def test_that_each_sentence_is_encoded_once_for_all_requests():
    encoder = Forms()
    scored([X], [[Y]], "subtree", "subtree:head=no", "subtree:punct=drop", encoder=encoder)
    assert encoder.n_sentences == 2


def test_that_the_model_may_be_asked_for_as_signatures_spell_it():
    assert rounded(scored([X], [[Y]], f"subtree:model={LABEL}"))[2] == 0.7048
    with pytest.raises(InputError, match=f"requires the model x@123456789012; .* is {LABEL}"):
        scored([X], [[Y]], "subtree:model=x@123456789012")


def test_that_models_are_opened_where_requests_say():
    opened = []

    def names(texts, given):
        requests = requests_of(texts)
        return {*encoders_for(requests, given, lambda location: opened.append(location))}

    assert names(["subtree", "be", "subtree:model=a/b"], "") == {"a/b"}
    assert names(["subtree", f"subtree:model={LABEL}"], "here") == {"any", LABEL}
    assert opened == ["a/b", "here", "here"]


def test_that_without_a_model_or_a_parse_nothing_is_scored():
    corpus, supplies = corpus_of([X], [[Y]])
    requests = requests_of(["subtree"])
    with pytest.raises(InputError, match="subtree needs a language model, and none was given"):
        score_corpus(corpus, requests, Silent(), supplies)
    bare = Supplies(encoders={"any": Forms()})
    with pytest.raises(ScoringUndefinedError, match="subtree needs a parse of every sentence"):
        score_corpus(corpus, requests, Silent(), bare)
    with pytest.raises(InputError, match="key=stem is not a choice"):
        signature_of(Corpus(), requests_of(["subtree:key=stem"])[0])
    assert NO_SUPPLIES.encoders == {}


def test_that_scoring_is_stopped_in_the_middle_of_a_topic():
    reporter, encoder = Heard(calls=1), Forms()
    with pytest.raises(Cancelled):
        scored([X], [[Y]], encoder=encoder, reporter=reporter)
    assert encoder.n_sentences == 0
