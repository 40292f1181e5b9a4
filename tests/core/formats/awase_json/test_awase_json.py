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


# Refusals of the file


@in_turn("text", ["[1]", '"a"', "3", '{"name": "x"}', "{}"])
def test_that_other_json_is_not_taken_for_a_corpus(text):
    (message,) = refusals("awase-json", text)
    assert message == (
        "The file is not an Awase JSON corpus. "
        'Such a file is an object that begins with "awase": 1 and has "topics".'
    )


def test_that_a_newer_version_is_named_and_nothing_else_is_complained_about():
    (message,) = refusals("awase-json", '{"awase": 2, "subjects": [], "topics": 3}')
    assert message.startswith("awase: The file is Awase JSON version 2, made by a newer version")
    assert "Install the newest version" in message


@in_turn("version", ["0", '"1"', "true", "1.5"])
def test_that_any_other_version_is_refused(version):
    (message,) = refusals("awase-json", f'{{"awase": {version}, "topics": []}}')
    assert message == 'awase: The version of Awase JSON must be the number 1. Write "awase": 1.'


def test_that_a_missing_version_is_warned_about():
    (message,) = warnings("awase-json", '{"topics": []}')
    assert 'Add "awase": 1' in message


@in_turn(
    ("text", "what"),
    [
        ('{"awase": 1,\n "topics": [,]}', "2: The text is not JSON at column 13: expecting value."),
        ('{"awase": 1,\n "topics": [,]}', "comma, quotation mark or bracket"),
        ('{"awase": 1, "topics": [', "cut off"),
        ('{"awase": 1, "name": "abc', "cut off"),
        (" \n", "The file is empty. Choose an Awase JSON file."),
        ('{"awase": 1, "topics": ' + "[" * 200_000, "The JSON is nested too deeply"),
        (
            '{"awase": 1,\n "topics": [' + "1" * 5000 + "]}",
            "2: A number has thousands of digits. Correct the number.",
        ),
        (
            '{"awase": 1, "topics": [{"id": "t", "documents": [], "x": [{"y": 1, "y": 2}]}]}',
            "topics[0].x[0].y: The key “y” stands twice in one object. "
            "Keep one: the other would be lost.",
        ),
    ],
)
def test_that_a_text_that_is_no_sound_json_is_refused_with_its_place(text, what):
    assert what in refusals("awase-json", text)[0]


def test_that_a_byte_order_mark_is_passed_over():
    assert read_into("awase-json", "\ufeff" + SPECIFIED) == specified_corpus()


@in_turn("value", ["NaN", "Infinity", "-Infinity"])
def test_that_numbers_that_are_none_are_refused_once(value):
    text = (
        '{"awase": 1, "topics": [], "human_scores": '
        f'[{{"system": "s", "measure": "m", "value": {value}}}]}}'
    )
    (message,) = refusals("awase-json", text)
    assert message.startswith("human_scores[0].value: ")
    assert "is not a number that JSON knows" in message


# Refusals of parts

ONE_PROBLEM = r"""
{"id": 5}
  .id: must be a string, not a number … quotation marks: "5"
{"title": ["x"]}
  .title: must be a string, not a list … Correct
{"id": null}
  : The key “id” is missing … Add it
{"id": " t"}
  .id: blank at its end … Remove it
{"documents": null}
  : The key “documents” is missing … may be empty
{"documents": {}}
  .documents: must be a list, not an object … Correct
{"documents": [7]}
  .documents[0]: must be an object, not a number … Correct
{"documents": [{}]}
  .documents[0]: “id” is missing … named by it
{"titel": "x"}
  .titel: “titel” is not known … Did you mean “title”?
{"zzz": "x"}
  .zzz: “zzz” is not known … use one of id, title
{"documents": [{"id": "d", "sentences": [{"n": 1}]}]}
  .documents[0].sentences[0]: The key “text” is missing … the sentence
{"documents": [{"id": "d", "sentences": ["a", {"n": 1, "text": "b"}]}]}
  .documents[0].sentences[1].n: Sentence number 1 stands twice … of its own
{"documents": [{"id": "d", "sentences": ["a\ud800"]}]}
  .documents[0].sentences[0].text: cannot be stored (U+D800 … damaged
{"documents": [{"id": "d"}, {"id": "d"}]}
  .documents[1].id: Document “d” stands twice … rename
{"abstracts": [{"id": "a"}, {"id": "a"}]}
  .abstracts[1].id: Abstract “a” stands twice … rename
{"abstracts": [{"limit": {"unit": "letters", "size": 4}}]}
  .abstracts[0].limit.unit: “letters” is not a unit … characters
{"abstracts": [{"limit": {"unit": "words"}}]}
  .abstracts[0].limit: “size” is missing … how many
{"abstracts": [{"sentences": [{"text": "a", "rank": "Z"}]}]}
  .abstracts[0].sentences[0].rank: Rank “Z” has no weight … A, B, C
{"abstracts": [{"sentences": [3]}]}
  .abstracts[0].sentences[0]: must be an object, not a number … Correct
{"abstracts": [{"alignments": [{}, {"annotator": "1"}]}]}
  .abstracts[0].alignments[1].annotator: Annotator “1” has two alignments … rename
{"abstracts": [{"limit": 400}]}
  .abstracts[0].limit: must be an object, not a number … Correct
{"abstracts": [4]}
  .abstracts[0]: must be an object … Correct
{"outputs": [4]}
  .outputs[0]: must be an object … Correct
{"abstracts": [{"alignments": ["x"]}]}
  .abstracts[0].alignments[0]: must be an object, not a string … Correct
{"abstracts": [{"alignments": [{"annotator": 1}]}]}
  .abstracts[0].alignments[0].annotator: must be a string, not a number … quotation marks: "1"
{"abstracts": [{"alignments": [{"sentences": [[]]}]}]}
  .abstracts[0].alignments[0].sentences[0]: must be an object, not a list … Correct
{"outputs": [{"extract": []}]}
  .outputs[0]: “system” is missing … the name
{"outputs": [{"system": "s"}]}
  .outputs[0]: this has neither … exactly one of “extract” and “text”
{"outputs": [{"system": "s", "text": [], "extract": []}]}
  .outputs[0]: this has both … exactly one
{"outputs": [{"system": "s", "text": ["a", 1]}]}
  .outputs[0].text[1]: must be a string, not a number … quotation marks
{"outputs": [{"system": "s", "text": [], "references": ["a"]}]}
  .outputs[0].references[0]: must be a list, not a string … list of sentences
{"outputs": [{"system": "s", "extract": ["d:1", "d:4"]}]}
  .outputs[0].extract[1]: no sentence “d:4” … other sentence numbers
{"outputs": [{"system": "s", "extract": []}, {"system": "s", "extract": []}]}
  .outputs[1].system: “s” has two outputs … rename
"""
"""A topic; below it where something is wrong in it, what, and the remedy."""


def cases(table):
    lines = table.strip().split("\n")
    for part, told in zip(lines[::2], lines[1::2], strict=True):
        path, _, message = told.strip().partition(": ")
        yield json.loads(part), path, *message.split(" … ")


@in_turn(("topic", "path", "what", "hint"), cases(ONE_PROBLEM))
def test_that_a_broken_part_is_told_with_path_and_remedy(topic, path, what, hint):
    assert_told(corpus_text(**topic), f"topics[0]{path}", what, hint)


def assert_told(text, path, *parts):
    """Asserts that the file is refused for one reason, at a path, in words that have the parts."""
    (message,) = refusals("awase-json", text)
    where, _, told = message.partition(": ")
    assert (where, [one for one in parts if one not in told]) == (path, []), told


@in_turn(
    ("sentence", "path", "what"),
    [
        (7, "", "must be an object, not a number"),
        ({"text": 7}, ".text", "must be a string, not a number"),
        ({"text": "b", "n": 10**9}, ".n", "must be a whole number up to 999999999"),
        ({"text": "b", "n": True}, ".n", "must be a whole number up to 999999999, not true"),
        ({"text": "b", "n": 0}, ".n", "n is 0. Numbers count from 1"),
        ({"text": "b", "paragraph": "1"}, ".paragraph", "must be a whole number"),
        ({"text": "b", "paragraph": True}, ".paragraph", "must be a whole number"),
        ({"text": "b", "paragraph": 10**9}, ".paragraph", "must be a whole number"),
        ({"text": "b", "paragraph": 0}, ".paragraph", "paragraph is 0"),
        ({"text": "b", "rank": "A"}, ".rank", "“rank” is not known"),
    ],
)
def test_that_a_broken_sentence_is_told_among_sound_ones(sentence, path, what):
    sentences = ["a", {"n": 7, "text": "c", "paragraph": 1}, sentence]
    text = corpus_text(documents=[{"id": "d", "sentences": sentences}])
    assert_told(text, f"topics[0].documents[0].sentences[2]{path}", what)


@pytest.mark.parametrize("last", ["d", {"n": None, "text": "d"}])
def test_that_a_sentence_without_a_number_has_that_of_its_place(last):
    sentences = [{"n": 7, "text": "a"}, {"text": "b"}, "c", last]
    text = corpus_text(documents=[{"id": "d", "sentences": sentences}])
    (document,) = read_into("awase-json", text).topics[0].documents
    assert [one.n for one in document.sentences] == [7, 2, 3, 4]


@in_turn(
    ("entry", "path", "what", "hint"),
    [
        ({"n": 3}, ".n", "has no sentence 3", "Correct the number"),
        ({"state": "done"}, ".state", "“done” is not a state", "todo, incomplete, confirmed"),
        ({"state": "Confirm"}, ".state", "“Confirm” is not", "Did you mean “confirmed”?"),
        (
            {"state": "no_source", "alternatives": [["d:1"]]},
            ".state",
            "“no source” and yet has alternatives",
            "Remove",
        ),
        ({"alternatives": ["d:1"]}, ".alternatives[0]", "must be a list", "even when"),
        ({"alternatives": [[]]}, ".alternatives[0]", "has no member", "at least one"),
        ({"alternatives": [["d:1", 2]]}, ".alternatives[0][1]", "not a number", "<document id>"),
        ({"alternatives": [["d1"]]}, ".alternatives[0][0]", "“d1” is not a sentence id", "Write"),
        (
            {"alternatives": [["d:" + "9" * 5000]]},
            ".alternatives[0][0]",
            "is not a sentence id",
            "Write",
        ),
        (
            {"alternatives": [["d:1"], ["d:1", "dd:2"]]},
            ".alternatives[1][1]",
            "has no sentence “dd:2”",
            "Did you mean document “d”?",
        ),
        ({"note": 5}, ".note", "must be a string", "quotation marks"),
        ({"assist": "robot"}, ".assist", "not what can become of a suggestion", ""),
    ],
)
def test_that_a_broken_alignment_entry_is_told_with_path_and_remedy(entry, path, what, hint):
    text = with_alignment({"n": 2}, {"n": 1, **entry})
    assert_told(text, f"topics[0].abstracts[0].alignments[0].sentences[1]{path}", what, hint)


SCORE = {"system": "s", "measure": "m", "value": 1}


@in_turn(
    ("key", "value", "path", "what"),
    [
        ("rank_weights", [1], "rank_weights", "must be an object"),
        ("rank_weights", {"A": "1"}, "rank_weights.A", "must be a number"),
        ("rank_weights", {"A": -1}, "rank_weights.A", "weight of rank “A” is -1"),
        ("name", 5, "name", "must be a string"),
        ("topics", {}, "topics", "must be a list"),
        ("topics", [5], "topics[0]", "must be an object, not a number"),
        ("topics", [{"id": "t", "documents": []}] * 2, "topics[1].id", "“t” stands twice"),
        ("human_scores", [5], "human_scores[0]", "must be an object"),
        ("human_scores", [{"system": "s", "value": 1}], "human_scores[0]", "“measure” is missing"),
        ("human_scores", [{**SCORE, "value": "1"}], "human_scores[0].value", "must be a number"),
        ("human_scores", [{**SCORE, "value": 10**400}], "human_scores[0].value", "must be a num"),
        ("human_scores", [{**SCORE, "topic": "u"}], "human_scores[0].topic", "no topic “u”"),
        ("topic", [], "topic", "Did you mean “topics”?"),
    ],
)
def test_that_a_broken_part_of_the_corpus_is_told_with_its_path(key, value, path, what):
    assert_told(json.dumps({"awase": 1, "topics": [], **{key: value}}), path, what)


WRONG_STRUCTURE = """
{"awase": 1, "nmae": "x",
 "topics": [{"id": "a", "documents": [{"id": "d", "sentences": [5]}]},
            {"id": "b", "documents": [], "abstracts": [{"sentences": [{"rank": 1}]}]},
            {"documents": []}],
 "human_scores": [{"system": "s", "measure": "m"}]}
"""
WRONG_INVARIANTS = """
{"awase": 1,
 "topics": [{"id": "a", "documents": [{"id": " d", "sentences": [{"n": 0, "text": "x"}]}],
             "abstracts": [{"limit": {"unit": "letters", "size": 4},
               "alignments": [{"sentences": [{"alternatives": [[], ["d1"]]}]}]}]},
            {"id": " b", "documents": [], "outputs": [{"system": "s", "extract": ["d:1"]}]}],
 "persons": [{"id": "L", "role": "boss"}], "assist": {"level": 9}}
"""
ENTRY = "topics[0].abstracts[0].alignments[0].sentences[0]"


@in_turn(
    ("text", "places"),
    [
        (
            WRONG_STRUCTURE,
            "nmae topics[0].documents[0].sentences[0] topics[1].abstracts[0].sentences[0] "
            "topics[1].abstracts[0].sentences[0].rank topics[2] human_scores[0]",
        ),
        (
            WRONG_INVARIANTS,
            "topics[0].documents[0].sentences[0].n topics[0].abstracts[0].limit.unit "
            f"{ENTRY}.alternatives[0] {ENTRY}.alternatives[1][0] "
            "topics[1].id topics[1].outputs[0].extract[0] persons[0].role assist.level",
        ),
    ],
)
def test_that_everything_wrong_is_told_at_once(text, places):
    found = [message.partition(": ")[0] for message in refusals("awase-json", text)]
    assert found == places.split()


def with_39_links(document):
    entry = {"alternatives": [[f"d:{n}"] for n in range(1, 40)]}
    part = {"sentences": ["甲。"], "alignments": [{"sentences": [entry]}]}
    outputs = [{"system": "s", "extract": ["d:1", "d:2"]}]
    return corpus_text(documents=[document], abstracts=[part], outputs=outputs)


RANKED_Z = corpus_text(abstracts=[{"sentences": [{"text": "a", "rank": "Z"}]}])


@in_turn(
    "text",
    [
        with_39_links({"id": 5, "sentences": ["a", "b", "c"]}),
        with_39_links({"id": "d", "sentences": ["a", 5, "c"]}),
        with_39_links({"id": "d", "sentences": 5}),
        with_39_links({"sentences": ["a"]}),
        with_39_links(5),
        with_alignment({"n": 1}, {"n": 2}, sentences=["甲。", 5]),
        json.dumps(
            {"awase": 1, "topics": [{"id": "t"}], "human_scores": [{**SCORE, "topic": "t"}]}
        ),
        RANKED_Z.removesuffix("}") + ', "rank_weights": {"Z": "much"}}',
    ],
)
def test_that_what_is_lost_makes_nothing_else_unknown(text):
    assert len(refusals("awase-json", text)) == 1


@pytest.mark.parametrize(
    ("sentence", "place"),
    [(5, "topics[0].documents[0].sentences[0]"), ("b", "topics[0].outputs[0].extract[2]")],
)
def test_that_structure_comes_first_and_invariants_when_it_is_sound(sentence, place):
    documents = [{"id": "d", "sentences": [sentence]}, {"id": "e", "sentences": ["a"]}]
    outputs = [{"system": "s", "extract": ["d:1", "e:1", "e:2"]}]
    (message,) = refusals("awase-json", corpus_text(documents=documents, outputs=outputs))
    assert message.partition(": ")[0] == place


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


# Warnings


def test_that_needless_alternatives_are_warned_about():
    entry = {"alternatives": [["d:1", "d:2"], ["d:1"], ["d:3"], ["d:3"]]}
    place = "topics[0].abstracts[0].alignments[0].sentences[0].alternatives"
    assert warnings("awase-json", with_alignment(entry)) == [
        f"{place}[0]: The alternative d:1,d:2 holds another one, so it is never needed. "
        "Remove it unless it is meant.",
        f"{place}[3]: The alternative stands twice: d:3. Remove it unless it is meant.",
    ]


def test_that_a_confirmed_sentence_without_alternatives_is_warned_about():
    (message,) = warnings("awase-json", with_alignment({"state": "confirmed"}))
    assert message.startswith("topics[0].abstracts[0].alignments[0].sentences[0].state: ")
    assert "no_source" in message


def test_that_repetitions_and_lengths_of_outputs_are_warned_about():
    text = corpus_text(
        abstracts=[{"length": length} for length in ("short", "c", "a", "b", "tiny")],
        outputs=[{"system": "s", "length": "long", "extract": ["d:1", "d:1"]}],
    )
    length, repetition = warnings("awase-json", text)
    assert length.startswith("topics[0].outputs[0].length: No abstract of topic “t” has the")
    assert length.endswith("the abstracts have: a, b, c, short, tiny.")
    assert repetition.startswith("topics[0].outputs[0].extract[1]: System “s” extracts d:1 twice.")


def test_that_replacement_characters_are_warned_about():
    text = corpus_text(
        documents=[{"id": "d", "sentences": ["犬\ufffdだ"]}],
        abstracts=[{"sentences": ["\ufffd"]}],
        outputs=[{"system": "s", "text": ["\ufffd"]}],
    )
    assert [message.partition(": ")[0] for message in warnings("awase-json", text)] == [
        "topics[0].documents[0].sentences[0].text",
        "topics[0].abstracts[0].sentences[0].text",
        "topics[0].outputs[0].text[0]",
    ]


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


@in_turn(
    ("old", "new", "message", "path"),
    [
        ('"d:2"', '"d:3"', "no sentence “d:3”", "gold.sentences[0].alternatives[1][0]"),
        ('"union"', '"onion"', "“onion” is not an origin", "gold.sentences[0].origin"),
        ("[1]}]", "[3]}]", "no alternative 3", "gold.sentences[0].sources[0].alternatives"),
        ('"locked": true', '"locked": 1', "must be true or false", "gold.sentences[0].locked"),
        ('"rank": "A"', '"rank": "Z"', "“Z” has no weight", "gold.sentences[0].rank"),
        ('"rank": "B"', '"rank": "Z"', "“Z” has no weight", "alignments[0].sentences[0].rank"),
        ('"lead"', '"boss"', "“boss” is not a role", "persons[1].role"),
        ('"id": "L"', '"id": "gold"', "cannot be called “gold”", "persons[1].id"),
        ('"id": "L"', '"id": "L#x"', "cannot be called “L#x”", "persons[1].id"),
        ('"person": "A1"', '"person": "A9"', "no person “A9”", "assignments[0].person"),
        ('"topic": "t"', '"topic": "x"', "no topic “x”", "assignments[0].topic"),
    ],
)
def test_that_what_is_wrong_in_gold_and_people_is_told_once_with_its_place(old, new, message, path):
    assert GOLD.count(old) >= 1
    (problem,) = refusals("awase-json", GOLD.replace(old, new, 1))
    assert message in problem
    assert f"{path}: " in problem
