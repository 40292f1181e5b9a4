"""Scores that are kept packed are those that were packed, wherever they are looked at."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.core.metrics.test_signatures import CORPUS
from tests.in_part import in_turn

from awase.core.errors import Problem, Silent
from awase.core.metrics.registry import METRICS, read_sources, requests_of, score_corpus
from awase.core.metrics.significance import ScoreArrays
from awase.core.records.score import PackedScores, Score, ScoreBlock, ScoreTable, by_topic_in
from awase.core.records.source import Document
from awase.core.reports.score_report import View, arranged


def _score(topic_id: str | None, value: float = 0.5) -> Score:
    return Score(topic=topic_id, length=None, system="s", metric="m", value=value, signature="m:")


@pytest.mark.slow
def test_that_packed_scores_are_those_that_were_packed():
    scores = (*(_score(f"t{idx}", idx / 7) for idx in range(9_000)), _score(None))
    packed = PackedScores.of(scores)
    assert (len(packed), packed, packed.means) == (9_001, scores, scores[-1:])
    found = [packed[at] for at in (0, 5_000, 8_999, 9_000, -1, -2)]
    assert found == [scores[at] for at in (0, 5_000, 8_999, 9_000, -1, -2)]
    assert packed[4_095:4_098] == scores[4_095:4_098]
    assert packed != scores[:-1]


@pytest.mark.slow
def test_that_scores_of_a_system_and_a_metric_are_those_found_by_going_through_all():
    found = score_corpus(CORPUS, requests_of(["tsc3", "rouge-1", "rouge-l"]), Silent()).scores
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
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Score]:
        raise AssertionError("all scores of topics were unpacked")


def test_that_means_are_shown_with_what_they_were_before_without_going_through_topics():
    def table(value: float) -> ScoreTable:
        return ScoreTable(scores=PackedScores([Unread()], [_score(None, value)]))

    shown = arranged(ScoreArrays(table=table(0.5)), View(), table(0.25))
    ((cell, _),) = shown.cells
    assert (cell.score.value, cell.earlier.value, cell.change) == (0.5, 0.25, 0.25)
    unknown = replace(cell.earlier, value=None, reason=Problem(what="x"))
    for one in (replace(cell, earlier=unknown), replace(cell, score=unknown)):
        assert one.change is None
    packed = PackedScores.of([_score("t", 1), _score(None)])
    assert packed != [_score("t", 1)]
    assert packed == [_score("t", 1), _score(None)]


@in_turn(
    ("first", "second"),
    [
        ((), ("a", "b", None, None)),
        (("a", "b", None), ()),
        (("a", "b", None, None), ("a", "c", None)),
        ((None,), ("a",)),
        ((), ()),
    ],
)
def test_that_tables_are_joined_with_their_means_last(first, second):
    one, other = (
        tuple(_score(topic_id, value + idx) for idx, topic_id in enumerate(topics))
        for topics, value in ((first, 0.0), (second, 9.0))
    )
    expected = tuple(sorted(one + other, key=lambda score: score.topic is None))
    for own in (one, PackedScores.of(one)):
        for others in (other, PackedScores.of(other)):
            joined = ScoreTable(scores=own) + ScoreTable(scores=others)
            assert tuple(joined.scores) == expected


def test_that_metrics_that_say_so_do_not_look_at_source_sentences():
    requests = requests_of(name for name, metric in METRICS.items() if not metric.reads_sources)
    assert requests
    assert not read_sources(requests)
    assert read_sources([*requests, *requests_of(["rouge-1"])])
    blank = [
        replace(one, documents=tuple(map(_without_texts, one.documents))) for one in CORPUS.topics
    ]
    table = score_corpus(replace(CORPUS, topics=tuple(blank)), requests, Silent())
    assert table == score_corpus(CORPUS, requests, Silent())


def _without_texts(document: Document) -> Document:
    return replace(document, sentences=tuple(replace(one, text="") for one in document.sentences))
