import json
from dataclasses import replace

from tests import building
from tests.core.formats.reading import read, refusals, warnings
from tests.core.formats.spans.span_files import (
    BARE,
    CONFIRMED,
    DRAFT,
    TEXT,
    corpus_of,
    sets_of,
    states_of,
    written,
)
from tests.in_part import in_turn

from awase.core.records.corpus import Corpus

ID = "label-studio"


def region(start, end, *labels, **more):
    value = {"start": start, "end": end, "labels": list(labels), **more}
    return {"id": "x", "from_name": "label", "to_name": "text", "type": "labels", "value": value}


def task(*results, predictions=(), text=TEXT, **data):
    made = {
        "id": 7,
        "data": {"text": text, **data},
        "annotations": [
            {"completed_by": user, "result": list(regions)}
            for user, regions in enumerate(results, start=1)
        ],
        "predictions": [{"result": list(regions)} for regions in predictions],
    }
    return json.dumps([made])


def part(text, **request):
    (only,) = read(ID, text, **{"corpus": BARE, **request}).addition.alignments
    return only


def test_that_spans_are_sentences_and_labels_alternatives():
    text = task([region(13, 18, "A1.2"), region(0, 6, "A1.1", "A3.1"), region(19, 25, "A1.2")])
    made = part(text)
    assert sets_of(made) == {1: ["d:1", "e:1 e:4"], 3: ["d:1"]}
    assert states_of(made) == ["confirmed", "todo", "confirmed"]
    assert (made.topic, made.abstract, made.alignment.annotator) == ("t", "a", "1")


def test_that_work_with_nothing_settled_is_a_prediction():
    (made,) = json.loads(written(ID, corpus_of(DRAFT)))
    assert made["annotations"] == []
    assert [item["value"]["labels"] for item in made["predictions"][0]["result"]] == [["A1.1"]]


def test_that_an_address_is_told_to_the_tool():
    (made,) = json.loads(written(ID, corpus_of(replace(CONFIRMED, annotator="a@example.org"))))
    assert made["annotations"][0]["completed_by"] == {"email": "a@example.org"}


def test_that_submitting_a_draft_confirms_it_and_removing_labels_leaves_it_to_do():
    (draft,) = json.loads(written(ID, corpus_of(DRAFT)))
    draft["annotations"] = [{"completed_by": 3, "result": draft["predictions"][0]["result"]}]
    assert states_of(part(json.dumps([draft]))) == ["confirmed", "todo", "todo"]
    (made,) = json.loads(written(ID, corpus_of(CONFIRMED)))
    made["annotations"][0]["result"] = []
    assert states_of(part(json.dumps([made]))) == ["todo", "no_source", "flagged"]


def test_that_what_was_changed_in_the_tool_is_confirmed_and_the_rest_kept():
    (made,) = json.loads(written(ID, corpus_of(CONFIRMED)))
    result = made["annotations"][0]["result"]
    del result[2]  # the second alternative of sentence 1
    result += [region(7, 12, "A2.1"), region(7, 12, "A3.1")]
    changed = part(json.dumps([made]))
    assert sets_of(changed) == {1: ["e:1 d:1"], 2: ["d:2"], 3: ["d:1 d:2"]}
    assert states_of(changed) == ["confirmed", "confirmed", "flagged"]
    assert changed.alignment.of_sentence(3).note == "本当に?"


def test_that_predictions_of_a_model_are_incomplete():
    made = part(task(predictions=[[region(0, 6, "A1.1")]]), annotator="model")
    assert states_of(made) == ["incomplete", "todo", "todo"]
    (message,) = refusals(ID, task(predictions=[[]]), corpus=BARE)
    assert "[0].predictions[0]: The file does not say who made this alignment." in message


def test_that_several_annotators_are_told_apart_by_the_tool():
    text = task([region(0, 6, "A1.1")], [region(7, 12, "A1.1")], annotator="ann")
    parts = read(ID, text, corpus=BARE, annotator="me").addition.alignments
    found = [(one.alignment.annotator, sets_of(one)) for one in parts]
    assert found == [("1", {1: ["d:1"]}), ("2", {1: ["d:2"]})]


def test_that_the_name_in_the_task_and_that_of_the_user_come_first():
    text = task([], annotator="ann")
    assert part(text).alignment.annotator == "ann"
    assert part(text, annotator="me").alignment.annotator == "me"


def test_that_an_annotator_is_known_by_address_before_number():
    text = task([]).replace('"completed_by": 1', '"completed_by": {"id": 4, "email": "x@y"}')
    assert part(text).alignment.annotator == "x@y"
    assert part(text.replace(', "email": "x@y"', "")).alignment.annotator == "4"


def test_that_skipped_annotations_are_left_out():
    text = task([region(0, 6, "A1.1")]).replace('"result"', '"was_cancelled": true, "result"', 1)
    assert read(ID, text, corpus=BARE).addition.alignments == ()
    assert warnings(ID, text, corpus=BARE) == [
        "[0].annotations[0]: The annotation was skipped in the tool; it is left out.",
        "[0]: Nobody has aligned abstract “a” of topic “t” yet; the task is left out.",
    ]


@in_turn(
    ("start", "end", "taken", "warning"),
    [
        (0, 6, "d:1", None),
        (0, 7, "d:1", None),  # with the line break
        (0, 12, "d:1 d:2", None),
        (0, 4, "d:1", "The span “犬が走っ” (A1.1) cuts a sentence; used for it: d:1."),
        (3, 12, "d:2", "cuts a sentence; used for it: d:2."),  # exactly half of d:1
        (2, 10, "d:1 d:2", "used for it: d:1, d:2."),
        (5, 8, "", "The span “。\n猫” (A1.1) covers no sentence by more than half"),
        (6, 7, "", "covers no sentence by more than half; it is left out."),
        (3, 3, "", "The span “” (A1.1) covers no sentence"),
    ],
)
def test_that_a_span_stands_for_the_sentences_it_covers_by_more_than_half(
    start, end, taken, warning
):
    text = task([region(start, end, "A1.1")])
    assert sets_of(part(text)) == ({1: [taken]} if taken else {})
    found = warnings(ID, text, corpus=BARE)
    assert len(found) == (warning is not None)
    assert warning is None or warning in found[0]
    assert warning is None or found[0].startswith("[0].annotations[0].result[0]: ")


def test_that_blanks_at_the_ends_of_a_sentence_may_be_left_out():
    indented = building.document("d", ["　犬が走った。 "])
    corpus = Corpus(topics=(replace(BARE.topics[0], documents=(indented,)),))
    text = task([region(1, 7, "A1.1")], text="　犬が走った。 ")
    assert sets_of(part(text, corpus=corpus)) == {1: ["d:1"]}
    assert warnings(ID, text, corpus=corpus) == []


def test_that_unknown_labels_are_told_once_each_and_left_out():
    regions = [region(0, 6, "PER"), region(7, 12, "PER"), region(0, 6, "A1"), region(0, 6, "A1.1")]
    regions += [region(0, 6, "A1.0"), region(0, 6, "A9.1"), region(7, 12, "A9.2")]
    text = task(regions)
    assert sets_of(part(text)) == {1: ["d:1"]}
    messages = warnings(ID, text, corpus=BARE)
    assert [message.removeprefix("[0].annotations[0]: ")[:75] for message in messages] == [
        "Label “PER” names no alternative; its spans are left out (2). A1.1 is the f",
        "Label “A1” names no alternative; its spans are left out (1). A1.1 is the fi",
        "Label “A1.0” names no alternative; its spans are left out (1). A1.1 is the ",
        "Abstract “a” has no sentence 9; the spans labelled for it are left out (2).",
    ]


ONE, OTHER = region(0, 6, "A1.1"), region(7, 12, "A1.1")
RELATIONS = [{"type": "relation", "from_id": "x"}, {"type": "choices"}]


@in_turn(
    ("text", "sets", "message"),
    [
        (task([ONE, *RELATIONS]), ["d:1"], "Results other than labelled spans are left out (2)"),
        # Numbers of alternatives may have gaps and any order.
        (
            task([region(0, 6, "A1.12"), region(7, 12, "A1.3"), region(7, 12, " A1.12 ")]),
            ["d:2", "d:1 d:2"],
            "contains another one",
        ),
        (task([ONE], predictions=[[OTHER]]), ["d:1"], None),
        (
            task(predictions=[[ONE], [OTHER]], annotator="m"),
            ["d:1"],
            "[0]: The task has several predictions; the first is taken.",
        ),
    ],
)
def test_that_what_counts_is_taken_and_the_rest_is_told(text, sets, message):
    assert sets_of(part(text)) == {1: sets}
    found = warnings(ID, text, corpus=BARE)
    assert len(found) == (message is not None)
    assert all(message in one for one in found)


def test_that_the_marked_words_tell_utf_16_units():
    units = [region(20, 26, "A1.1", text="A dog."), region(13, 19, "A2.1", text="😀が鳴く。")]
    assert sets_of(part(task(units))) == {1: ["e:4"], 2: ["e:1"]}
    (message,) = warnings(ID, task(units), corpus=BARE)
    assert "read as UTF-16 units" in message
    mixed = [*units, region(19, 25, "A1.2", text="A dog.")]
    (message,) = refusals(ID, task(mixed), corpus=BARE)
    assert "neither as code points nor as UTF-16 units" in message


@in_turn("request_", [{"topic": "u"}, {"abstract": "b"}])
def test_that_topic_and_abstract_of_the_task_go_before_those_of_the_user(request_):
    assert part(task([], topic="t", abstract="a"), **request_).topic == "t"


@in_turn(
    "damaged",
    [3, [3], [{"n": "1"}], [{"n": 1, "state": 5, "alternatives": [3, [4], ["zz"]], "note": []}]],
)
def test_that_damaged_facts_count_as_unsaid(damaged):
    made = part(task([region(0, 6, "A1.1")], abstract_sentences=damaged))
    assert sets_of(made) == {1: ["d:1"]}
    assert states_of(made) == ["confirmed", "todo", "todo"]


def test_that_lists_may_be_missing():
    (made,) = json.loads(task([region(0, 6, "A1.1")]))
    del made["predictions"]
    made["annotations"][0]["result"] = None
    assert sets_of(part(json.dumps([made]))) == {}
