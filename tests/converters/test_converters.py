"""The converters are run on the shared data where it exists, and on a few lines everywhere."""

import json

import pytest
from tests.converters.far import far_to_awase_json, left_out
from tests.converters.realsumm import realsumm_to_awase_json, source_sentences
from tests.shared_data import SHARED_DATA

from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.registry import format_by_id
from awase.core.records.addition import merge
from awase.core.records.corpus import Corpus

DATA = SHARED_DATA
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")


def corpus_of(text):
    result = format_by_id("awase-json").reader()(ReadRequest(text=text, source="converted"))
    return merge(Corpus(), result.addition)


def test_that_far_indices_become_numbers_from_one(tmp_path):
    topic = {
        "topic": "7",
        "docid": "",
        "sentences": ["a", "b", "c"],
        "abstract": [{"id": 1, "text": "x", "alternatives": [[0, 2], [1]]}],
        "extracts": {"lead": [2, 0]},
    }
    path = tmp_path / "far.json"
    path.write_text(json.dumps({"name": "FAR", "zero_based": True, "topics": [topic]}))
    (found,) = corpus_of(far_to_awase_json(path)).topics
    (entry,) = found.abstracts[0].alignments[0].sentences
    assert [[str(ref) for ref in part.members] for part in entry.alternatives] == [
        ["d7:1", "d7:3"],
        ["d7:2"],
    ]
    assert [str(ref) for ref in found.outputs[0].sentences] == ["d7:3", "d7:1"]


def test_that_realsumm_tags_bound_sentences():
    assert source_sentences("<t> a . b </t> <t> c . </t>") == ["a . b", "c ."]
    assert source_sentences("<t> it fell . then it rose . </t>") == ["it fell .", "then it rose ."]


@needs_data
def test_that_far_is_read_without_a_problem():
    corpus = corpus_of(far_to_awase_json(DATA / "far.json"))
    assert len(corpus.topics) == 89
    assert {len(topic.outputs) for topic in corpus.topics} == {6}
    states = {
        entry.state.value
        for topic in corpus.topics
        for entry in topic.abstracts[0].alignments[0].sentences
    }
    assert states == {"confirmed"}


@needs_data
def test_that_far_loses_only_two_sentences_far_down_in_extracts():
    # Published figures take the first three sentences, ours at most h = 6.
    assert left_out(DATA / "far.json") == [
        ("7494", "unified_extract", 9),
        ("10681", "unified_extract", 10),
    ]


@pytest.mark.slow
@needs_data
def test_that_realsumm_is_read_without_a_problem():
    corpus = corpus_of(realsumm_to_awase_json(DATA / "realsumm.jsonl"))
    assert len(corpus.topics) == 100
    assert {len(topic.outputs) for topic in corpus.topics} == {25}
    assert len(corpus.human_scores) == 2500
    assert {score.measure for score in corpus.human_scores} == {"litepyramid"}
    assert all(len(topic.documents[0].sentences) > 3 for topic in corpus.topics)
