from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests import building
from tests.building import document, entry
from tests.core.formats.reading import read, read_into, refusals
from tests.in_part import in_turn
from tests.laws import tries
from tests.strategies import plain_ids, topics

from awase.core.errors import InputError
from awase.core.formats.reading.requests import WriteRequest
from awase.core.formats.tables.tsc_lines import alignment_pieces
from awase.core.records.abstract import Alignment, AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic

# Table 1 of the TSC-3 paper, with the ranks of specs/formats.md.
TABLE_1 = "1\tA\ts1 s10,s11\n2\tB\ts3,s5,s6\n3\tC\ts21,s23 s1,s30,s60\n"


def corpus_of(*documents, alignments=()):
    written = replace(building.abstract("a1", texts=["要約。"] * 3), alignments=alignments)
    return Corpus(topics=(Topic(id="t", documents=documents, abstracts=(written,)),))


ONE = corpus_of(document("d", 60))
TWO = corpus_of(document("d", 3), document("e:x", 4))


def table(text, corpus=ONE, **request):
    """Returns {number: [sets as texts]} of the alignment that a table gives."""
    (part,) = read("alignment-table", text, corpus=corpus, **request).addition.alignments
    return {
        entry.n: [",".join(map(str, alternative.members)) for alternative in entry.alternatives]
        for entry in part.alignment.sentences
    }


def complaints(text, corpus=ONE, **request):
    """Returns the refusals of lines that would be complete."""
    return refusals("alignment-table", text, corpus=corpus, **request)


def test_that_table_1_of_the_paper_is_read():
    found = table(TABLE_1)
    assert found == {1: ["d:1", "d:10,d:11"], 2: ["d:3,d:5,d:6"], 3: ["d:21,d:23", "d:1,d:30,d:60"]}
    corpus = read_into("alignment-table", TABLE_1, ONE, annotator="9")
    (abstract,) = corpus.topics[0].abstracts
    assert [sentence.rank for sentence in abstract.sentences] == ["A", "B", "C"]
    assert abstract.alignments[0].annotator == "9"
    assert {entry.state for entry in abstract.alignments[0].sentences} == {AlignmentState.CONFIRMED}


def test_that_running_numbers_go_through_the_documents_in_order():
    found = table("1\t-\ts3,s4\n2\t\ts7\n3\t-\te:x:4,d:3\n", TWO)
    assert found == {1: ["d:3,e:x:1"], 2: ["e:x:4"], 3: ["e:x:4,d:3"]}


def test_that_an_empty_third_column_is_a_sentence_to_do():
    (part,) = read("alignment-table", "1\t-\t\n2\t\n3\tC\n", corpus=ONE).addition.alignments
    assert (part.topic, part.abstract, part.alignment.annotator) == ("t", "a1", "1")
    assert {entry.state for entry in part.alignment.sentences} == {AlignmentState.TODO}
    assert part.ranks == ((3, "C"),)


def test_that_blank_lines_comments_and_windows_line_ends_are_passed_over():
    text = "\ufeff# title\r\n\r\n" + TABLE_1.replace("\n", "\r\n") + "\r\n"
    assert table(text) == table(TABLE_1)


def test_that_an_alignment_is_not_given_to_an_annotator_who_has_one():
    corpus = read_into("alignment-table", TABLE_1, ONE)
    (message,) = complaints(TABLE_1, corpus)
    assert "already has an alignment by annotator “1”" in message
    assert table(TABLE_1, corpus, annotator="2") == table(TABLE_1)


# Writing


def written(corpus, **request):
    return "".join(alignment_pieces(WriteRequest(corpus=corpus, **request)))


@in_turn(
    ("base", "text", "expected"),
    [
        (ONE, TABLE_1, TABLE_1),
        (TWO, "1\t-\ts1,s4\n2\t-\t\n3\tC\ts2\n", "1\t-\td:1,e:x:1\n2\t-\t\n3\tC\td:2\n"),
        (
            corpus_of(document("d", ["二。"], numbers=[2])),  # numbers with a gap
            "1\t-\ts1\n2\t-\t\n3\t-\t\n",
            "1\t-\td:2\n2\t-\t\n3\t-\t\n",
        ),
    ],
)
def test_that_sentences_are_written_by_running_number_or_by_document(base, text, expected):
    assert written(read_into("alignment-table", text, base)) == expected


def test_that_states_and_notes_are_told_in_comments():
    noted = Alignment(annotator="1", sentences=(entry(2, "-", note="なし\n本当に"),))
    corpus = corpus_of(document("d", 1), alignments=(noted,))
    assert written(corpus) == (
        "1\t-\t\n# sentence 2 is no_source\n# sentence 2: なし 本当に\n2\t-\t\n3\t-\t\n"
    )


def test_that_an_unknown_annotator_is_refused_with_those_that_exist():
    one = read_into("alignment-table", TABLE_1, ONE, annotator="x")
    two = read_into("alignment-table", TABLE_1, one, annotator="z")
    for corpus, annotator, told in (
        (one, "y", "“y”. It has those of: x."),
        (two, None, "“1”. It has those of: x, z."),
        (ONE, None, "“1”. Nobody has one yet."),
    ):
        with pytest.raises(InputError, match=f"no alignment by annotator {told}"):
            written(corpus, annotator=annotator)


@pytest.mark.slow
@settings(max_examples=tries(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(topics(document_ids=plain_ids), st.data())
def test_that_what_was_written_is_read_back(topic, data):
    aligned = [abstract for abstract in topic.abstracts if abstract.alignments]
    assume(aligned)
    abstract = data.draw(st.sampled_from(aligned))
    alignment = data.draw(st.sampled_from(abstract.alignments))
    corpus = Corpus(topics=(topic,))
    place = {"topic": topic.id, "abstract": abstract.id}
    text = written(corpus, annotator=alignment.annotator, **place)
    result = read("alignment-table", text, corpus=corpus, annotator="new\u00a0reader", **place)
    (part,) = result.addition.alignments
    assert {entry.n: entry.alternatives for entry in part.alignment.sentences} == {
        sentence.n: alignment.of_sentence(sentence.n).alternatives
        for sentence in abstract.sentences
    }
    found = dict(part.ranks)
    assert found == {sentence.n: sentence.rank for sentence in abstract.sentences if sentence.rank}
