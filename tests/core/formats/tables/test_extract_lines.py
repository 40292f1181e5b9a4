from dataclasses import replace
from operator import attrgetter

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from tests import building
from tests.building import abstract, document, extract, text, topic
from tests.core.formats.reading import read, read_into, refusals
from tests.laws import law
from tests.strategies import plain_ids, topics
from tests.written import written

from awase.core.errors import InputError
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Extract, Topic

CORPUS = building.corpus(
    topic("0310", docs={"980101001": 3, "990203004": 2}, abstracts=[abstract(length="short")]),
    topic("0320", docs=2),
)


def complaints(text, corpus=CORPUS):
    return refusals("extract-lines", text, corpus=corpus)


def test_that_a_line_is_an_extract_in_its_order():
    lines = (
        "# system\ttopic\n"
        "sysA\t0310\tshort\t980101001:3 990203004:2\n\n"
        "sysB\t0310\t-\ts5 s1\r\n"
        "sys C\t0320\t\ts2\n"
    )
    assert read("extract-lines", lines, corpus=CORPUS).addition.outputs == (
        ("0310", extract("sysA", "980101001:3 990203004:2", length="short")),
        ("0310", extract("sysB", "990203004:2 980101001:1")),
        ("0320", extract("sys C", "d:2")),
    )


def test_that_a_table_of_sentences_is_in_the_order_of_its_ranks():
    table = "system,topic,sentence,rank\nA,0310,980101001:3,10\nA,0310,990203004:2,2\n"
    assert read("extract-lines", table, corpus=CORPUS).addition.outputs == (
        ("0310", extract("A", "990203004:2 980101001:3")),
    )


def test_that_an_extract_that_the_corpus_has_is_refused():
    corpus = read_into("extract-lines", "s\t0310\t-\ts1\n", CORPUS)
    (message,) = complaints("s\t0310\t-\ts1\n", corpus)
    assert "The corpus already has an extract by “s” of topic “0310”" in message
    assert read("extract-lines", "s\t0310\tshort\ts1\n", corpus=corpus)


def test_that_extracts_are_written_and_texts_left_out():
    first, second = document("d e", 2).refs()
    outputs = [text("s", "a"), extract("s", "980101001:2", length="short"), extract("u")]
    corpus = building.corpus(
        replace(CORPUS.topics[0], outputs=tuple(outputs)),
        topic("t", docs={"d e": 2}, outputs=[Extract(system="s", sentences=(second, first))]),
    )
    found = written("extract-lines", WriteRequest(corpus=corpus))
    assert found == "s\t0310\tshort\t980101001:2\nu\t0310\t-\t\ns\tt\t-\ts2 s1\n"
    assert written("extract-lines", WriteRequest(corpus=corpus, topic="t")) == "s\tt\t-\ts2 s1\n"


def test_that_a_topic_that_is_not_there_cannot_be_written():
    with pytest.raises(InputError, match=r"no topic “u”. It has: 0310, 0320\."):
        written("extract-lines", WriteRequest(corpus=CORPUS, topic="u"))


TOPICS = st.lists(
    topics(document_ids=plain_ids), min_size=1, max_size=2, unique_by=attrgetter("id")
)


@pytest.mark.slow
@law(80, TOPICS)
def test_that_what_was_written_is_read_back(made):
    extracts = [
        (part.id, replace(one, references=None))  # which the format has no place for
        for part in made
        for one in part.outputs
        if isinstance(one, Extract)
    ]
    assume(extracts)
    assume(not any(one.system.startswith("#") or one.length == "-" for _, one in extracts))
    text = written("extract-lines", WriteRequest(corpus=Corpus(topics=tuple(made))))
    bare = Corpus(topics=tuple(Topic(id=part.id, documents=part.documents) for part in made))
    assert [*read("extract-lines", text, corpus=bare).addition.outputs] == extracts
