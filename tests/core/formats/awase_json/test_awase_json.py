import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import building
from tests.core.formats.reading import read, read_into, refusals, warnings
from tests.in_part import in_turn
from tests.laws import tries
from tests.strategies import corpora
from tests.written import as_json

from awase.core.errors import InputError
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.abstract import Alignment, Limit
from awase.core.records.corpus import DEFAULT_RANK_WEIGHTS, Corpus
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import HumanScore, Topic

# The example of specs/formats.md, made whole: the sentences that it names exist.
SPECIFIED = """
{"awase": 1, "name": "demo", "rank_weights": {"A": 1, "B": 0.5, "C": 0.3333333333333333},
 "topics": [
  {"id": "0310", "title": "犬", "language": "ja",
   "documents": [{"id": "98:01", "source": "毎日", "date": "1998-01-01", "title": "見出し",
                  "sentences": ["一。", {"n": 2, "text": "二。", "paragraph": 1}]},
                 {"id": "x", "sentences": [{"n": 10, "text": "十。"}]}],
   "abstracts": [{"id": "0310-short", "length": "short", "author": "1",
                  "limit": {"unit": "characters", "size": 400},
                  "sentences": [{"n": 1, "text": "要約。", "rank": "A"}],
                  "alignments": [{"annotator": "1", "sentences": [
                      {"n": 1, "state": "confirmed",
                       "alternatives": [["98:01:1"], ["x:10", "98:01:2"]], "note": "注"}]}]}],
   "outputs": [{"system": "lead", "length": "short", "extract": ["98:01:1", "x:10"]},
               {"system": "neural", "length": "short", "text": ["あ", "い"],
                "references": [["う"]]}]}],
 "human_scores": [{"topic": "0310", "system": "lead", "measure": "coverage", "value": 0.41,
                   "annotator": "7"}]}
"""


def specified_corpus():
    press = Document(
        id="98:01",
        source="毎日",
        date="1998-01-01",
        title="見出し",
        sentences=(SourceSentence(n=1, text="一。"), SourceSentence(n=2, text="二。", paragraph=1)),
    )
    written = building.abstract(
        "0310-short",
        texts=["要約。"],
        ranks="A",
        length="short",
        author="1",
        limit=Limit(unit="characters", size=400),
    )
    linked = building.entry(1, "98:01:1|x:10&98:01:2", note="注")
    topic = Topic(
        id="0310",
        title="犬",
        language="ja",
        documents=(press, building.document("x", ["十。"], numbers=[10])),
        abstracts=(replace(written, alignments=(Alignment(annotator="1", sentences=(linked,)),)),),
        outputs=(
            building.extract("lead", "98:01:1 x:10", length="short"),
            building.text("neural", "あ", "い", length="short", references=[["う"]]),
        ),
    )
    score = HumanScore(topic="0310", system="lead", measure="coverage", value=0.41, annotator="7")
    return Corpus(name="demo", topics=(topic,), human_scores=(score,))


def test_that_the_specified_example_is_read_into_these_records():
    assert read_into("awase-json", SPECIFIED) == specified_corpus()
    assert warnings("awase-json", SPECIFIED) == []


def test_that_writing_follows_the_order_of_the_specification():
    written = as_json(WriteRequest(corpus=specified_corpus()))

    def ordered(text):
        return json.loads(text, object_pairs_hook=lambda pairs: pairs)

    assert ordered(written) == ordered(SPECIFIED)


@settings(max_examples=tries(80), deadline=None, suppress_health_check=list(HealthCheck))
@given(corpora())
def test_that_export_then_import_gives_an_equal_corpus(corpus):
    written = as_json(WriteRequest(corpus=corpus))
    again = read_into("awase-json", written)
    assert again == corpus
    assert as_json(WriteRequest(corpus=again)) == written


def test_that_one_topic_is_written_with_its_own_human_scores():
    topics = (Topic(id="a"), Topic(id="b"))
    scores = tuple(
        HumanScore(system="s", measure="m", value=1.0, topic=topic) for topic in ("a", "b", None)
    )
    corpus = Corpus(topics=topics, human_scores=scores)
    written = as_json(WriteRequest(corpus=corpus, topic="b"))
    assert read_into("awase-json", written) == Corpus(topics=topics[1:], human_scores=scores[1:2])


def test_that_a_corpus_without_topics_has_an_empty_list():
    assert '"topics": []' in as_json(WriteRequest(corpus=Corpus(name="empty")))


def test_that_writing_an_unknown_topic_is_refused_with_those_that_exist():
    with pytest.raises(InputError, match=r"no topic “c”. It has: a, b\."):
        as_json(WriteRequest(corpus=Corpus(topics=(Topic(id="a"), Topic(id="b"))), topic="c"))


def corpus_text(**topic):
    sound = {"id": "t", "documents": [{"id": "d", "sentences": ["一。", "二。", "三。"]}]}
    return json.dumps({"awase": 1, "topics": [{**sound, **topic}]}, ensure_ascii=False)


def with_alignment(*entries, **abstract):
    part = {"sentences": ["甲。", "乙。"], "alignments": [{"sentences": entries}], **abstract}
    return corpus_text(abstracts=[part])


# Defaults


def test_that_what_may_be_absent_has_the_documented_defaults():
    text = with_alignment({"alternatives": [["d:1"]]}, {}, length="short")
    corpus = read_into("awase-json", text)
    (abstract,) = corpus.topics[0].abstracts
    (alignment,) = abstract.alignments
    assert corpus.rank_weights == DEFAULT_RANK_WEIGHTS
    assert abstract.id == "t-short"
    assert alignment.annotator == "1"
    found = [(entry.n, entry.state.value) for entry in alignment.sentences]
    assert found == [(1, "confirmed"), (2, "todo")]


def test_that_absent_abstract_ids_are_made_unique():
    parts = [{}, {"id": "t-abstract"}, {}, {"length": "long"}, {"length": "long"}]
    corpus = read_into("awase-json", corpus_text(abstracts=parts))
    found = [abstract.id for abstract in corpus.topics[0].abstracts]
    assert found == ["t-abstract-2", "t-abstract", "t-abstract-3", "t-long", "t-long-2"]


def test_that_null_stands_for_an_absent_key():
    text = corpus_text(title=None, outputs=[{"system": "s", "text": None, "extract": ["d:1"]}])
    assert read_into("awase-json", text).topics[0].title is None


def test_that_rank_weights_of_the_corpus_serve_a_file_without_any():
    corpus = Corpus(rank_weights=(("X", 2.0),))
    text = corpus_text(abstracts=[{"sentences": [{"text": "甲。", "rank": "X"}]}])
    result = read("awase-json", text, corpus=corpus)
    assert result.addition.rank_weights is None


# Refusals: those that quote no other program are recorded in `tests/goldens`


@in_turn(
    ("text", "what"),
    [
        ('{"awase": 1,\n "topics": [,]}', "2: The text is not JSON at column 13: expecting value."),
        ('{"awase": 1,\n "topics": [,]}', "comma, quotation mark or bracket"),
        ('{"awase": 1, "topics": [', "cut off"),
        ('{"awase": 1, "name": "abc', "cut off"),
    ],
)
def test_that_a_text_that_is_no_sound_json_is_refused_with_its_place(text, what):
    assert what in refusals("awase-json", text)[0]


def test_that_a_byte_order_mark_is_passed_over():
    assert read_into("awase-json", "\ufeff" + SPECIFIED) == specified_corpus()


@pytest.mark.parametrize("last", ["d", {"n": None, "text": "d"}])
def test_that_a_sentence_without_a_number_has_that_of_its_place(last):
    sentences = [{"n": 7, "text": "a"}, {"text": "b"}, "c", last]
    text = corpus_text(documents=[{"id": "d", "sentences": sentences}])
    (document,) = read_into("awase-json", text).topics[0].documents
    assert [one.n for one in document.sentences] == [7, 2, 3, 4]


@pytest.mark.slow
@settings(max_examples=tries(80), deadline=None, suppress_health_check=list(HealthCheck))
@given(corpora(), st.data())
def test_that_a_damaged_file_is_read_or_refused_but_never_a_defect(corpus, data):
    value = json.loads(as_json(WriteRequest(corpus=corpus)))
    place = value
    while isinstance(place, dict | list) and place:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
            place[key] = data.draw(st.sampled_from([None, 5, "x", [], {}, [[]], True, -1.5]))
            break
        place = place[key]
    try:
        result = read("awase-json", json.dumps(value))
    except InputError as error:
        problems = error.problems
    else:
        problems = ()
        assert "stand-in" not in repr(result.addition)
    assert all("stand-in" not in str(problem) for problem in problems)


def test_that_a_hundred_suggestions_are_the_most():
    found = refusals("awase-json", corpus_text(**{f"titl{n}": 1 for n in range(101)}))
    assert ["Did you mean “title”?" in message for message in found] == [True] * 100 + [False]


GOLD = """
{"awase": 1, "persons": [{"id": "A1", "name": "花子"}, {"id": "L", "role": "lead"}],
 "blind": true,
 "assignments": [{"topic": "t", "abstract": "a", "person": "A1", "order": 3, "due": "2026-12-01"}],
 "topics": [{"id": "t", "documents": [{"id": "d", "sentences": ["x", "y"]}],
  "abstracts": [{"id": "a", "sentences": ["s", "u"],
   "alignments": [{"annotator": "A1", "sentences": [
     {"n": 1, "state": "confirmed", "alternatives": [["d:1"]], "rank": "B"}]}],
   "gold": {"sentences": [
     {"n": 1, "state": "confirmed", "alternatives": [["d:1"], ["d:2"]], "rank": "A", "note": "注",
      "decided_by": "L", "at": "2026-11-22T04:00:00.000+00:00", "origin": "union",
      "sources": [{"annotator": "A1", "digest": "0a", "alternatives": [1]}], "locked": true}]}}]}]}
"""


def test_that_gold_people_and_own_ranks_are_read_and_written_as_specified():
    corpus = read_into("awase-json", GOLD)
    (abstract,) = corpus.topics[0].abstracts
    (decided,) = abstract.gold
    assert (decided.entry.rank, decided.decided_by, decided.locked) == ("A", "L", True)
    assert [str(ref) for ref in decided.entry.refs()] == ["d:1", "d:2"]
    assert decided.sources[0].alternatives == (1,)
    assert abstract.alignments[0].sentences[0].rank == "B"
    assert [person.role for person in corpus.persons] == ["annotator", "lead"]
    assert (corpus.assignments[0].order, corpus.assignments[0].round) == (3, 1)
    assert corpus.is_blind
    written = json.loads(as_json(WriteRequest(corpus=corpus)))
    specified = json.loads(GOLD)
    assert written["topics"] == specified["topics"]
    assert written["persons"][0] == {"id": "A1", "name": "花子", "role": "annotator"}
    assert written["assignments"] == [{**specified["assignments"][0], "round": 1}]
