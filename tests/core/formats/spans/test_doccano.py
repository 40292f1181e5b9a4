import json
from dataclasses import replace

from tests import building
from tests.core.formats.reading import read, refusals, warnings
from tests.core.formats.spans.span_files import (
    BARE,
    CONFIRMED,
    TEXT,
    corpus_of,
    sets_of,
    states_of,
    written,
)
from tests.in_part import in_turn

ID = "doccano"
SPANS = [[0, 6, "A1.1"], [13, 18, "A1.1"], [7, 12, "A2.1"]]
AS_SETS = {1: ["d:1 e:1"], 2: ["d:2"]}


def line(**keys):
    return json.dumps({"text": TEXT, **keys}, ensure_ascii=False)


def part(text, **request):
    request = {"corpus": BARE, "annotator": "me", **request}
    (only,) = read(ID, text, **request).addition.alignments
    return only


ENTITIES = [
    {"id": number, "start_offset": start, "end_offset": end, "label": label}
    for number, (start, end, label) in enumerate(SPANS)
]


@in_turn(
    "keys",
    [
        {"label": SPANS},
        {"labels": SPANS},
        {"entities": ENTITIES},
        {"entities": SPANS},
        {"label": SPANS, "labels": None, "entities": None},
        {"label": SPANS[:2], "entities": ENTITIES[1:]},
        {"label": SPANS, "meta": "{broken"},
    ],
)
def test_that_every_spelling_of_spans_is_read(keys):
    made = part(line(**keys))
    assert sets_of(made) == AS_SETS
    assert states_of(made) == ["confirmed", "confirmed", "todo"]


def test_that_ends_of_sentences_tell_utf_16_units():
    units = [[0, 6, "A1.1"], [20, 26, "A1.1"], [13, 19, "A2.1"]]
    assert sets_of(part(line(label=units))) == {1: ["d:1 e:4"], 2: ["e:1"]}
    (message,) = warnings(ID, line(label=units), corpus=BARE, annotator="me")
    assert "read as UTF-16 units" in message
    for odd in ([[13, 18, "A1.1"], [20, 26, "A2.1"]], [[17, 22, "A1.1"]], [[14, 19, "A1.1"]]):
        (message,) = refusals(ID, line(label=odd), corpus=BARE, annotator="me")
        assert "neither as code points nor as UTF-16 units" in message


def test_that_offsets_written_here_are_not_taken_for_another_unit():
    documents = (building.document("d", ["😀😀", "a", "b"]),)
    bare = replace(BARE, topics=(replace(BARE.topics[0], documents=documents),))
    spans = [[5, 6, "A1.1"]]  # “b”; counted in UTF-16 units, “a”
    task = {"text": "😀😀\na\nb", "label": spans, "topic": "t", "abstract": "a", "annotator": "me"}
    (message,) = refusals(ID, json.dumps(task), corpus=bare)
    assert "as code points and as UTF-16 units" in message
    told = json.dumps({**task, "offsets": "code points"})
    assert sets_of(part(told, corpus=bare, annotator=None)) == {1: ["d:3"]}


@in_turn("key", ["meta", "metadata"])
@in_turn("packed", [False, True])
def test_that_facts_are_found_where_older_versions_put_them(key, packed):
    made = json.loads(written(ID, corpus_of(CONFIRMED)))
    text, spans = made.pop("text"), made.pop("label")
    old = {"id": 1, "text": text, "label": spans, key: json.dumps(made) if packed else made}
    found = part(json.dumps(old), annotator=None)
    assert found.alignment == CONFIRMED


def test_that_the_order_of_members_survives_the_sorting_of_spans():
    made = json.loads(written(ID, corpus_of(CONFIRMED)))
    made["label"].sort()
    assert part(json.dumps(made)).alignment.sentences == CONFIRMED.sentences


def test_that_blank_lines_and_windows_line_ends_are_passed_over():
    text = "\ufeff\r\n" + line(label=SPANS) + "\r\n\r\n"
    assert sets_of(part(text)) == AS_SETS


def test_that_a_number_is_a_name_too():
    (topic,) = BARE.topics
    corpus = replace(BARE, topics=(replace(topic, id="310"),))
    found = part(line(label=[], topic=310, annotator=7), corpus=corpus, annotator=None).topic
    assert found == "310"


def test_that_a_cut_sentence_is_told_with_line_and_place():
    text = "\n" + line(label=[[0, 6, "A1.1"], [7, 10, "A1.1"]])
    (message,) = warnings(ID, text, corpus=BARE, annotator="me")
    assert message == (
        "2: label[1]: The span “猫は寝” (A1.1) cuts a sentence; used for it: d:2. Mark whole "
        "sentences."
    )
    assert sets_of(part(text)) == {1: ["d:1 d:2"]}
