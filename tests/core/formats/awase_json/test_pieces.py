from collections.abc import Sequence
from dataclasses import replace

from tests.building import corpus, extract, topic
from tests.written import as_json

from awase.core.formats.awase_json.corpus import pieces
from awase.core.formats.lines.alignment_table import write
from awase.core.formats.reading.requests import WriteRequest
from awase.core.formats.registry import format_by_id
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicsOnDemand

WHOLE = corpus(
    *(topic(f"t{idx}", links="s1|s2", outputs=[extract("lead", 1)]) for idx in range(5)), name="c"
)


def test_that_topics_on_demand_are_written_as_those_in_memory_and_not_held():
    by_id = {one.id: one for one in WHOLE.topics}
    asked: list[str] = []

    def read(ids: Sequence[str]) -> list[Topic]:
        asked.extend(ids)
        return [by_id[one] for one in ids]

    lazy = replace(WHOLE, topics=TopicsOnDemand([*by_id], read, at_once=2))
    found = pieces(WriteRequest(corpus=lazy))
    begin = next(piece for piece in found if '"t0"' in piece or "t0" in piece)
    assert "t0" in begin
    assert asked == ["t0"]
    assert "".join(pieces(WriteRequest(corpus=lazy))) == as_json(WriteRequest(corpus=WHOLE))


def test_that_a_corpus_without_topics_has_an_empty_list():
    assert '"topics": []' in as_json(WriteRequest(corpus=Corpus(name="empty")))


def test_that_a_format_without_pieces_writes_one():
    entry = format_by_id("alignment-table")
    request = WriteRequest(corpus=replace(WHOLE, topics=WHOLE.topics[:1]))
    assert [*entry.piecewise_writer()(request)] == [write(request)]
