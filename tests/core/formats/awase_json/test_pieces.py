from dataclasses import replace

from tests.building import corpus, extract, topic
from tests.written import as_json

from awase.core.formats.reading.requests import WriteRequest
from awase.core.formats.registry import format_by_id
from awase.core.formats.scores.score_files import write
from awase.core.records.corpus import Corpus
from awase.core.records.topic import HumanScore

WHOLE = corpus(
    *(topic(f"t{idx}", links="s1|s2", outputs=[extract("lead", 1)]) for idx in range(5)), name="c"
)


def test_that_a_corpus_without_topics_has_an_empty_list():
    assert '"topics": []' in as_json(WriteRequest(corpus=Corpus(name="empty")))


def test_that_a_format_without_pieces_writes_one():
    entry = format_by_id("score-table")
    scores = (HumanScore(system="lead", measure="m", value=1.0),)
    request = WriteRequest(corpus=replace(WHOLE, human_scores=scores))
    assert [*entry.piecewise_writer()(request)] == [write(request)]
