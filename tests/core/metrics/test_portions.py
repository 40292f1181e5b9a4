"""Topics that are read in portions score as those in memory do, to the last digit and word."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from tests.building import abstract, extract, text, topic
from tests.core.metrics.vector_tables import apart
from tests.core.parsing.trees import tree
from tests.in_part import in_part

from awase.core.errors import Cancelled, InputError, ScoringUndefinedError
from awase.core.metrics.encoders_asked import encoders_for
from awase.core.metrics.kit.signature import MetricRequest, named
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.pruned.cluster_report import ClusterReport, cluster_reports
from awase.core.metrics.pseudo_pyramid.family import Explained
from awase.core.metrics.pseudo_pyramid.family import explain as pyramids_explained
from awase.core.metrics.registry import METRICS as OF_METRICS
from awase.core.metrics.registry import read_sources, requests_of, score_corpus
from awase.core.metrics.rouge.family import begin
from awase.core.metrics.subtree.explaining import ExplainedPair
from awase.core.metrics.subtree.explaining import explain as pairs_explained
from awase.core.metrics.tables.scores import Scores
from awase.core.parsing.conllu import conllu_of, digest_of_models, sha256_of
from awase.core.parsing.corpus_texts import distinct_texts
from awase.core.parsing.texts_on_demand import ParsesOnDemand
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.core.records.score import (
    PackedScores,
    Score,
    ScoreBlock,
    ScoreTable,
    by_topic_in,
    means_in,
    undefined_in,
)
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicsOnDemand
from awase.core.reports.score_views import View, arranged

WORDS = "a fire broke out in the old town hall and nobody was hurt said the mayor".split()


def _sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(3, 9))) + "."


def _corpus() -> Corpus:
    """Returns topics with two lengths, two annotators, gaps, twins and undefined scores."""
    rng = random.Random(4)
    topics = []
    for idx in range(11):
        links = {
            who: [rng.choice(["s1|s2", "s3", "s2 & s4", "", "- "]) for _ in range(3)]
            for who in ("A1", "A2")[: rng.randint(1, 2)]
        }
        texts = [_sentence(rng) for _ in range(3)]
        abstracts = [abstract("s", links, texts=texts, length="short")]
        if idx % 3:
            abstracts.append(abstract("l", {"A2": ["s1", "s4"]}, texts=texts[:2], length="long"))
        places = rng.sample(range(1, 6), 3)
        outputs = [
            extract("lead", 1, 2, 3),
            extract("twin", 1, 2, 3),
            extract("drawn", *places, length="short"),
            text("writer", *[_sentence(rng) for _ in range(2)], length="long"),
        ]
        docs = [_sentence(rng) for _ in range(5)]
        kept = outputs[: rng.randint(2, 4)]
        topics.append(topic(f"t{idx}", docs=docs, abstracts=abstracts, outputs=kept))
    return Corpus(topics=tuple(topics))


WHOLE = _corpus()
METRICS = (
    "tsc3", "coverage:annotator=all,strict=yes", "precision:annotator=A2,first=2", "rouge-1",
    "rouge-2:average=perl,stem=yes", "rouge-l:limit=5w,tokens=unicode", "rouge-su", "bleu",
    "bleu:average=corpus,tokens=char", "chrf", "chrf:average=corpus,nw=2",
)  # fmt: skip


def _lazy(at_once: int, whole: Corpus = WHOLE) -> Corpus:
    by_id = {one.id: one for one in whole.topics}
    topics = TopicsOnDemand([*by_id], lambda ids: [by_id[one] for one in ids], at_once=at_once)
    return replace(whole, topics=topics)


def _by_number_of_outputs() -> Corpus:
    """Returns the topics in such an order that some systems stand in none of the first ones."""
    return replace(WHOLE, topics=tuple(sorted(WHOLE.topics, key=lambda one: len(one.outputs))))


@pytest.mark.parametrize("at_once", [1, 4, 100])
def test_that_portions_change_no_score_mean_signature_or_warning(at_once: int):
    requests = requests_of(METRICS)
    expected = score_corpus(WHOLE, requests, Silent())
    found = score_corpus(_lazy(at_once), requests, Silent())
    assert isinstance(found.scores, PackedScores)
    assert tuple(found.scores) == expected.scores
    assert found.warnings == expected.warnings
    assert found.cover_sizes == expected.cover_sizes
    undefined = [score for score in expected.scores if score.value is None]
    assert undefined
    assert [*undefined_in(found.scores)] == [*undefined_in(expected.scores)] == undefined
    assert means_in(found.scores) == means_in(expected.scores)
    assert any(score.spread is not None for score in expected.scores)


class Forms:
    """An encoder that knows of each word how long it is and how it begins."""

    name, digest = "forms", "1234567890123"

    def encode(self, sentences, step):
        step()
        return [
            np.array(
                [[stop - start, ord(one.text[start])] for start, stop in one.spans], np.float32
            )
            for one in sentences
        ]


_TEXTS = [*distinct_texts(WHOLE)]
_CHAINS = {
    one: conllu_of((replace(tree(*(f"{word}/{word}/NOUN {at} {'root' if not at else 'nmod'}"
                                   for at, word in enumerate(one.split()))), text=one),))
    for one in _TEXTS
}  # fmt: skip
WITH_SUPPLIES = (
    "be", "be:mode=h,average=perl", "pbe:prune=cnt", "prouge-1", "prouge-2:vocabulary=topic",
    "rouge-we-1", "rouge-we-su4", "subtree",
)  # fmt: skip


def _supplies(requests: Sequence[MetricRequest], parses: Mapping[str, str]) -> Supplies:
    vectors = apart(*WORDS[:9], house="hall", fires="fire")
    encoders = encoders_for(requests, "here", lambda _location: Forms())
    return Supplies(parses=parses, parse_model="m", vectors=vectors, encoders=encoders)


@pytest.mark.parametrize("at_once", in_part([4, 1, 100]))
def test_that_portions_change_nothing_where_parses_are_looked_up_and_words_have_vectors(at_once):
    requests, whole = requests_of(WITH_SUPPLIES), _by_number_of_outputs()
    expected = score_corpus(whole, requests, Silent(), _supplies(requests, _CHAINS))
    asked: list[int] = []

    def look_up(texts: Sequence[str]) -> Mapping[str, str]:
        asked.append(len(texts))
        return {one: _CHAINS[one] for one in texts if one in _CHAINS}

    supplies = _supplies(requests, ParsesOnDemand(lambda: iter(_TEXTS), look_up))
    digests = sorted((sha256_of(one), sha256_of(conllu)) for one, conllu in _CHAINS.items())
    supplies = replace(supplies, parse_digest=digest_of_models(digests))
    found = score_corpus(_lazy(at_once, whole), requests, Silent(), supplies)
    assert max(asked) <= 30 * at_once
    assert isinstance(found.scores, PackedScores)
    assert tuple(found.scores) == expected.scores
    assert found.warnings == expected.warnings
    assert expected.warnings
    merged = [one for one in found.scores if one.metric == "prouge-2"]
    among = f"systems={named(one.system for one in merged)},"
    assert all(among in one.signature for one in merged)


def _pyramids(corpus: Corpus) -> Iterator[Explained]:
    (request,) = requests_of(["pseudo-pyramid:unit=sentence"])
    return pyramids_explained(corpus, request, Silent())


def _pairs(corpus: Corpus) -> Iterator[ExplainedPair]:
    requests = requests_of(["subtree"])
    return pairs_explained(corpus, requests[0], Silent(), _supplies(requests, _CHAINS))


def _clusters(metric: str, corpus: Corpus) -> Iterator[ClusterReport]:
    requests = requests_of([metric])
    return cluster_reports(corpus, requests[0], _supplies(requests, {}), Silent())


@pytest.mark.parametrize(
    "explanations",
    [
        _pyramids,
        _pairs,
        partial(_clusters, "prouge-1"),
        partial(_clusters, "prouge-2:vocabulary=topic"),
    ],
    ids=["pyramids", "subtrees", "words by system", "words by topic"],
)
def test_that_topics_are_explained_as_they_are_read(
    explanations: Callable[[Corpus], Iterator[object]],
) -> None:
    whole = _by_number_of_outputs()
    by_id, read = {one.id: one for one in whole.topics}, list[str]()

    def take(ids: Sequence[str]) -> list[Topic]:
        read.extend(ids)
        return [by_id[one] for one in ids]

    topics = TopicsOnDemand(
        [*by_id], take, read_shapes=lambda ids: [by_id[one] for one in ids], at_once=2
    )
    found = explanations(replace(whole, topics=topics))
    first = next(found)
    assert len(read) <= 4
    assert [first, *found] == [*explanations(whole)]
    assert len(read) >= len(by_id)


def test_that_missing_parses_are_counted_over_all_topics_however_they_are_read():
    requests, lacking = requests_of(["be"]), {one: _CHAINS[one] for one in _TEXTS[:-2]}
    outcomes = []
    for corpus in (WHOLE, _lazy(2)):
        for parses in ({}, lacking):
            supplies = replace(_supplies(requests, parses), parse_model="m" if parses else "")
            with pytest.raises(ScoringUndefinedError) as told:
                score_corpus(corpus, requests, Silent(), supplies)
            outcomes.append(told.value.problems)
    assert outcomes[:2] == outcomes[2:]
    assert outcomes[0] != outcomes[1]


@pytest.mark.slow
def test_that_scores_that_were_not_made_yet_can_be_asked_for_one_by_one():
    scores = begin(WHOLE, requests_of(["rouge-1", "rouge-2"])).scores_of(WHOLE.topics, Silent())
    assert [scores[at] for at in range(-2, len(scores))][2:] == [*scores]
    assert scores[-1] == scores[len(scores) - 1]
    assert scores[2:5] == tuple(scores)[2:5]
    assert [*PackedScores.of(scores)] == [*scores]


def test_that_undefined_scores_of_texts_are_told_from_the_others():
    topics = [
        topic(name, abstracts=[abstract("s", texts=[said])], outputs=[text("writer", "a fire.")])
        for name, said in (("t1", "a fire"), ("t2", "..."), ("t3", "fire"))
    ]
    begun = begin(Corpus(topics=tuple(topics)), requests_of(["rouge-1", "rouge-w"]))
    scores = begun.scores_of(topics, Silent())
    undefined = [*scores.undefined()]
    assert [score.topic for score in undefined] == ["t2"] * 6
    assert undefined == [score for score in scores if score.value is None]


def test_that_what_is_refused_is_refused_in_portions_too():
    with pytest.raises(InputError, match="Nobody called"):
        score_corpus(_lazy(4), requests_of(["coverage:annotator=A9"]), Silent())
    with pytest.raises(InputError, match="asked for"):
        score_corpus(_lazy(4), requests_of(["coverage:annotator=first(A9)"]), Silent())


def test_that_scoring_in_portions_can_be_stopped():
    class Impatient:
        def advance(self, done: int, total: int, what: str = "") -> None:
            if done > 4:
                raise Cancelled

    with pytest.raises(Cancelled):
        score_corpus(_lazy(2), requests_of(["rouge-1", "tsc3"]), Impatient())


def _score(topic_id: str | None, value: float = 0.5) -> Score:
    return Score(topic=topic_id, length=None, system="s", metric="m", value=value, signature="m:")


def test_that_packed_scores_are_those_that_were_packed():
    scores = (*(_score(f"t{idx}", idx / 7) for idx in range(9_000)), _score(None))
    packed = PackedScores.of(scores)
    assert (len(packed), packed, packed.means) == (9_001, scores, scores[-1:])
    assert [packed[at] for at in (0, 5_000, 8_999, 9_000, -1, -2)] == [
        scores[at] for at in (0, 5_000, 8_999, 9_000, -1, -2)
    ]
    assert packed[4_095:4_098] == scores[4_095:4_098]
    assert packed != scores[:-1]


def test_that_scores_of_a_system_and_a_metric_are_those_found_by_going_through_all():
    found = score_corpus(WHOLE, requests_of(["tsc3", "rouge-1", "rouge-l"]), Silent()).scores
    assert isinstance(found, PackedScores)
    every = [score for score in found if score.topic is not None]
    metrics = dict.fromkeys(score.metric for score in every)
    assert len(metrics) > 8
    for system in (None, "lead", "drawn", "writer", "nobody"):
        for metric in (None, *metrics, "nothing"):
            wanted = [
                score
                for score in every
                if system in (None, score.system) and metric in (None, score.metric)
            ]
            for scores in (found, tuple(found), PackedScores.of(tuple(found))):
                assert [*by_topic_in(scores, system=system, metric=metric)] == wanted


class Unread(ScoreBlock):
    """Scores of topics that nobody may unpack."""

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Score]:
        raise AssertionError("all scores of topics were unpacked")


def test_that_means_are_shown_with_what_they_were_before_without_going_through_topics():
    def table(value: float) -> ScoreTable:
        return ScoreTable(scores=PackedScores([Unread()], [_score(None, value)]))

    shown = arranged(Scores(table=table(0.5)), View(), table(0.25))
    ((cell, _),) = shown.cells
    assert (cell.score.value, cell.earlier.value) == (0.5, 0.25)


def test_that_tables_are_joined_with_their_means_last():
    one, other = (_score("t1"), _score(None)), (_score("t2"), _score(None, 0.25))
    expected = (one[0], other[0], one[1], other[1])
    for first in (one, PackedScores.of(one)):
        for second in (other, PackedScores.of(other)):
            joined = ScoreTable(scores=first) + ScoreTable(scores=second)
            assert tuple(joined.scores) == expected


def test_that_metrics_that_say_so_do_not_look_at_source_sentences():
    requests = requests_of(name for name, metric in OF_METRICS.items() if not metric.reads_sources)
    assert requests
    assert not read_sources(requests)
    assert read_sources([*requests, *requests_of(["rouge-1"])])
    blank = [
        replace(one, documents=tuple(map(_without_texts, one.documents))) for one in WHOLE.topics
    ]
    table = score_corpus(replace(WHOLE, topics=tuple(blank)), requests, Silent())
    assert table == score_corpus(WHOLE, requests, Silent())


def _without_texts(document: Document) -> Document:
    return replace(document, sentences=tuple(replace(one, text="") for one in document.sentences))
