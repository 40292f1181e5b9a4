from dataclasses import replace
from operator import attrgetter

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from tests import building
from tests.building import abstract, document, extract, text, topic
from tests.core.formats.reading import read, read_into, refusals, warnings
from tests.in_part import in_turn
from tests.laws import law
from tests.strategies import plain_ids, topics
from tests.written import written

from awase.core.errors import InputError
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.corpus import Corpus
from awase.core.records.source import Document, SentenceRef, SourceSentence
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


@in_turn(
    ("line", "what", "hint"),
    [
        ("s\t0310", "The line has 2 columns instead of 4.", "separated by tabs"),
        ("s\t0310\t-\ts1\ts2", "The line has 5 columns instead of 4.", "separated by tabs"),
        ("s\t9999\t-\ts1", "The corpus has no topic “9999”.", "It has: 0310, 0320."),
        ("s\t0310\t-\ts6", "Topic “0310” has no sentence “s6”.", "s1 to s5"),
        ("s\t0310\t-\t980101001:9", "no sentence “980101001:9”", "Did you mean"),
        ("s\t0310\t-\ts1,s2", "“s1,s2” joins sentence ids by commas.", "one half-width space"),
        ("s\t0310\t-\ts1  s2", "Two spaces stand between sentence ids.", "one half-width"),
        ("s\t0310\t-\ts1　s2", "A full-width space stands", "one half-width"),
        ("\t0310\t-\ts1", "The id is empty.", "Give it a name."),
        (" s\t0310\t-\ts1", "has a blank at its end", "Remove it."),
    ],
)
def test_that_a_broken_line_is_told_with_number_and_remedy(line, what, hint):
    (message,) = complaints(f"\n{line}\n")
    assert message.startswith("2: ")
    assert what in message
    assert hint in message


def test_that_a_second_line_of_a_system_is_told_with_the_first():
    (message,) = complaints("s\t0310\t-\ts1\nt\t0310\t-\ts1\ns\t0310\t\ts2\n")
    assert message.startswith("3: System “s” has a second extract of topic “0310”, length “-”")
    assert "the first is in line 1. Keep one of the two lines." in message


def test_that_an_extract_that_the_corpus_has_is_refused():
    corpus = read_into("extract-lines", "s\t0310\t-\ts1\n", CORPUS)
    (message,) = complaints("s\t0310\t-\ts1\n", corpus)
    assert "The corpus already has an extract by “s” of topic “0310”" in message
    assert read("extract-lines", "s\t0310\tshort\ts1\n", corpus=corpus)


def test_that_all_broken_lines_are_told_at_once():
    messages = complaints("s\t1\t-\ts1\ns\t0310\t-\ts6 s7\nt\n")
    assert [message.partition(":")[0] for message in messages] == ["1", "2", "2", "3"]


def test_that_a_file_without_extracts_is_refused():
    assert complaints("# nothing\n") == [
        "The file has no extract. Choose a file with a line an extract."
    ]


def test_that_odd_extracts_are_warned_about():
    text = "s\t0310\tlong\ts1 s1\nt\t0310\tshort\t\n"
    messages = warnings("extract-lines", text, corpus=CORPUS)
    assert [message.partition(".")[0] for message in messages] == [
        "1: No abstract of topic “0310” has the length “long” of system “s”",
        "1: System “s” extracts 980101001:1 twice",
        "2: The extract has no sentence",
    ]


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


def corpus_with(system="s", length=None, name="d"):
    outputs = (Extract(system=system, length=length, sentences=(SentenceRef(name, 2),)),)
    documents = (Document(id=name, sentences=(SourceSentence(n=2, text="a"),)),)
    return Corpus(topics=(Topic(id="t", documents=documents, outputs=outputs),))


@in_turn(
    ("corpus", "topic", "what"),
    [
        (corpus_with(), "u", r"no topic “u”. It has: t\."),
        (Corpus(), None, "There is no extract to export. Texts by systems"),
        (corpus_with(system="#s"), None, "“#s” would be a comment. Rename"),
        (corpus_with(length="-"), None, "The length “-” means “no length”"),
        (corpus_with(name="a b"), None, "“a b” has a blank or a comma"),
    ],
)
def test_that_what_cannot_be_written_is_refused(corpus, topic, what):
    with pytest.raises(InputError, match=what):
        written("extract-lines", WriteRequest(corpus=corpus, topic=topic))


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
