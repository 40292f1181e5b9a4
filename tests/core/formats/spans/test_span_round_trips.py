"""What Label Studio and doccano files keep of an alignment: everything."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests import building
from tests.core.formats.reading import read_into, warnings
from tests.core.formats.spans.span_files import (
    BARE,
    CONFIRMED,
    DRAFT,
    all_entries,
    corpus_of,
    without_alignments,
    written,
)
from tests.in_part import in_turn
from tests.strategies import corpora

from awase.core.errors import InputError, Problem
from awase.core.formats.duc.pyramid_xml import PlacedText
from awase.core.records.corpus import Corpus

FORMATS = ("label-studio", "doccano")
ROOT = Path(__file__).resolve().parents[4]
EXAMPLE_CORPUS = building.corpus(
    building.topic(
        "0310",
        docs={"d": ["犬が走った。", "猫は寝た。"], "e": ["A dog ran."]},
        abstracts=[
            building.abstract("short", {"kana": "A: s1&s2|e:1&s2"}, texts=["犬が走り、猫は寝た。"])
        ],
    )
)
in_both = pytest.mark.parametrize("format_id", FORMATS)


def without_empty_sentences(corpus):
    """Returns the corpus with a text in every source sentence, so that spans can mark them."""

    def filled(document):
        sentences = (replace(one, text=one.text or "。") for one in document.sentences)
        return replace(document, sentences=tuple(sentences))

    topics = (replace(one, documents=tuple(map(filled, one.documents))) for one in corpus.topics)
    return replace(corpus, topics=tuple(topics))


def ranks_of(corpus):
    return [
        [(abstract.id, sentence.n, sentence.rank) for sentence in abstract.sentences]
        for topic in corpus.topics
        for abstract in topic.abstracts
    ]


@pytest.mark.slow
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(corpora())
def test_that_many_alignments_survive_a_round_trip(corpus):
    assume(any(topic.abstracts for topic in corpus.topics))
    whole = without_empty_sentences(corpus)
    for format_id in FORMATS:
        again = read_into(format_id, written(format_id, whole), without_alignments(whole))
        assert all_entries(again) == all_entries(whole)
        assert ranks_of(again) == ranks_of(whole)


@in_both
@pytest.mark.parametrize("alignment", [CONFIRMED, DRAFT])
def test_that_order_states_and_notes_come_back(format_id, alignment):
    corpus = corpus_of(alignment)
    text = written(format_id, corpus)
    assert all_entries(read_into(format_id, text, BARE)) == all_entries(corpus)
    assert warnings(format_id, text, corpus=BARE) == []


@in_both
def test_that_ranks_come_to_a_corpus_without_them(format_id):
    text = written(format_id, corpus_of(CONFIRMED, ranks=("A", None, "C")))
    (abstract,) = read_into(format_id, text, BARE).topics[0].abstracts
    assert [sentence.rank for sentence in abstract.sentences] == ["A", None, "C"]


@in_both
def test_that_another_rank_is_told_and_not_taken_over(format_id):
    text = written(format_id, corpus_of(CONFIRMED, ranks=("A", "B", "C")))
    text = text.replace('"rank": "C"', '"rank": "Z"')
    other = corpus_of(ranks=("B", "B", None))
    message, unknown = warnings(format_id, text, corpus=other)
    assert "gives abstract sentence 1 rank A; that is not imported" in message
    assert "gives abstract sentence 3 rank Z; that is not imported" in unknown
    (abstract,) = read_into(format_id, text, other).topics[0].abstracts
    assert [sentence.rank for sentence in abstract.sentences] == ["B", "B", None]


@in_both
def test_that_documents_may_have_joined_the_topic_since(format_id):
    text = written(format_id, corpus_of(CONFIRMED))
    (topic,) = BARE.topics
    grown = replace(topic, documents=(replace(topic.documents[1], id="c"), *topic.documents))
    again = read_into(format_id, text, Corpus(topics=(grown,)))
    assert all_entries(again) == all_entries(corpus_of(CONFIRMED))


@in_turn("format_id", FORMATS)
@in_turn(
    ("request_", "what"),
    [
        ({"topic": "u"}, "no topic “u”. It has: t."),
        ({"annotator": "x"}, "“x” has no alignment here. Name one of: ann."),
    ],
)
def test_that_what_is_not_there_cannot_be_written(format_id, request_, what):
    with pytest.raises(InputError) as caught:
        written(format_id, corpus_of(CONFIRMED), **request_)
    assert what in str(caught.value)


@in_both
def test_that_an_annotator_has_one_alignment_of_an_abstract(format_id):
    text = written(format_id, corpus_of(CONFIRMED))
    with pytest.raises(InputError, match="already has an alignment by annotator “ann”"):
        read_into(format_id, text, corpus_of(CONFIRMED))
    again = read_into(format_id, text, corpus_of(CONFIRMED), annotator="me")
    assert [part.annotator for part in again.topics[0].abstracts[0].alignments] == ["ann", "me"]
    corpus = corpus_of(CONFIRMED, replace(DRAFT, annotator="bob"))
    with pytest.raises(InputError, match="two alignments of abstract “a” of topic “t” by"):
        read_into(format_id, written(format_id, corpus), BARE, annotator="me")
    text = written(format_id, corpus, topic="t", abstract="a", annotator="bob")
    (part,) = read_into(format_id, text, BARE).topics[0].abstracts[0].alignments
    assert part.annotator == "bob"


@in_both
def test_that_an_abstract_nobody_aligned_is_a_task_to_begin_with(format_id):
    text = written(format_id, BARE)
    assert "犬が走った。" in text
    (message,) = warnings(format_id, text, corpus=BARE)
    assert "Nobody has aligned abstract “a” of topic “t” yet" in message
    assert read_into(format_id, text, BARE).topics[0].abstracts[0].alignments == ()


@in_both
def test_that_the_example_of_the_page_is_read_and_written(format_id):
    page = (ROOT / "docs" / "formats" / f"{format_id}.md").read_text("utf-8")
    blocks = re.findall(r"(?:^    .*\n)+", page, re.MULTILINE)
    example = next(block for block in blocks if '"text"' in block)
    bare = without_alignments(EXAMPLE_CORPUS)
    (alignment,) = read_into(format_id, example, bare).topics[0].abstracts
    assert alignment.alignments == EXAMPLE_CORPUS.topics[0].abstracts[0].alignments
    mine, theirs = (
        [json.loads(line) for line in text.splitlines()]
        if format_id == "doccano"
        else json.loads(text)
        for text in (written(format_id, EXAMPLE_CORPUS), example)
    )
    assert mine == theirs


def squeezed(text):
    return "".join(text.split())


@given(st.text("ab \n", max_size=12), st.text("ab \n", min_size=1, max_size=3), st.integers(0, 14))
def test_that_no_place_with_the_words_is_nearer(text, label, start):
    found = PlacedText(text).find(label, str(start), str(start + len(label)))
    wanted = squeezed(label)
    spans = [
        (first, last)
        for first in range(len(text))
        for last in range(first + 1, len(text) + 1)
        if squeezed(text[first:last]) == wanted != ""
        and not text[first].isspace()
        and not text[last - 1].isspace()
    ]
    if not spans:
        assert isinstance(found, Problem) or found.problem is not None or not wanted
        return
    assert squeezed(text[found.start : found.end]) == wanted
    if found.problem is None:
        assert (found.start, found.end) == (start, start + len(label))
    else:
        letters_before = len(squeezed(text[:start]))
        distances = [abs(len(squeezed(text[:first])) - letters_before) for first, _ in spans]
        distance = abs(len(squeezed(text[: found.start])) - letters_before)
        assert distance == min(distances)
        assert (found.start, found.end) in spans


def test_that_offsets_count_characters_not_bytes_or_halves():
    text = PlacedText("😀犬が 走った")
    place = text.find("犬が走った", "1", "7")
    assert (place.start, place.end, place.problem) == (1, 7, None)
