"""REALSumm's correlations with human scores come out of `score_corpus` as published.

Expected is what rouge-score 0.1.2 gives, with stemming. Its stemmer is not that of ROUGE-1.5.5: r
moves by less than .006. Systems that are almost equal change places by it, and one such pair of 25
systems moves tau by .0067; so rank coefficients are held to two pairs, and those of F, which are
made of many near ties, not at all.
"""

from itertools import combinations
from statistics import correlation, fmean

import pytest
from tests.converters.realsumm import realsumm_to_awase_json
from tests.shared_data import SHARED_DATA

from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.registry import format_by_id
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import merge

REALSUMM = SHARED_DATA / "realsumm.jsonl"
pytestmark = pytest.mark.skipif(not REALSUMM.is_file(), reason="the shared data is not here")

RECALL = {
    "rouge-1.r": (0.909, 0.912, 0.747),
    "rouge-2.r": (0.961, 0.942, 0.820),
    "rouge-l.r": (0.888, 0.902, 0.753),
}
R_OF_F = {"rouge-1.f": 0.577, "rouge-2.f": 0.622}
NEAR = 0.006
TWO_PAIRS = 2 * 2 / (25 * 24 / 2) + 0.0005  # the published figure is rounded


def tau_b(x, y):
    """Kendall's tau-b, pair by pair."""

    def sign(a, b):
        return (a > b) - (a < b)

    pairs = [(sign(x[i], x[j]), sign(y[i], y[j])) for i, j in combinations(range(len(x)), 2)]
    untied = sum(a != 0 for a, _ in pairs) * sum(b != 0 for _, b in pairs)
    return sum(a * b for a, b in pairs) / untied**0.5


def ranks(x):
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def coefficients(x, y):
    return correlation(x, y), correlation(ranks(x), ranks(y)), tau_b(x, y)


@pytest.fixture(scope="module")
def corpus():
    read = format_by_id("awase-json").reader()
    result = read(ReadRequest(text=realsumm_to_awase_json(REALSUMM), source="converted"))
    return merge(Corpus(), result.addition)


@pytest.fixture(scope="module")
def table(corpus):
    return score_corpus(corpus, requests_of(["rouge:stem=yes,tokens=unicode"]), Silent())


def over_systems(corpus, table, metric):
    means = {s.system: s.value for s in table.scores if s.topic is None and s.metric == metric}
    human = [
        fmean(score.value for score in corpus.human_scores if score.system == system)
        for system in means
    ]
    assert len(human) == 25
    return coefficients([*means.values()], human)


@pytest.mark.parametrize("metric", RECALL)
def test_that_the_correlations_of_recall_over_systems_are_as_published(corpus, table, metric):
    r, rho, tau = over_systems(corpus, table, metric)
    assert (r, rho) == pytest.approx(RECALL[metric][:2], abs=NEAR)
    assert tau == pytest.approx(RECALL[metric][2], abs=TWO_PAIRS)


@pytest.mark.parametrize("metric", R_OF_F)
def test_that_r_of_f_over_systems_is_as_published(corpus, table, metric):
    assert over_systems(corpus, table, metric)[0] == pytest.approx(R_OF_F[metric], abs=NEAR)


def test_that_the_correlations_within_topics_are_as_published(corpus, table):
    human = {(score.topic, score.system): score.value for score in corpus.human_scores}
    by_topic = {}
    for score in table.scores:
        if score.topic is not None and score.metric == "rouge-2.r":
            pair = score.value, human[score.topic, score.system]
            by_topic.setdefault(score.topic, []).append(pair)
    each = [
        coefficients(*zip(*pairs, strict=True))
        for pairs in by_topic.values()
        if all(len(set(side)) > 1 for side in zip(*pairs, strict=True))
    ]
    found = [fmean(values) for values in zip(*each, strict=True)]
    assert found == pytest.approx((0.452, 0.425, 0.353), abs=NEAR)
