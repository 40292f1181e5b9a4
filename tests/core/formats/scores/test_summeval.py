import json

from tests.core.formats.reading import read_into, refusals, warnings

FORMAT = "summeval"
GRADES = {"coherence": 5, "consistency": 4}


def line(topic="dm-test-1", system="M0", decoded="a dog ran . it slept .", **more):
    record = {"id": topic, "model_id": system, "decoded": decoded, "filepath": "cnn/x.story"}
    references = {"references": ["A dog ran. It slept.", "Dogs run."]}
    return json.dumps({**record, **references, **more}) + "\n"


def outputs(corpus):
    return {(t.id, o.system): (o.sentences, o.references) for t in corpus.topics for o in t.outputs}


def test_that_a_line_is_an_output_with_its_references_and_scores():
    text = line(
        expert_annotations=[GRADES, {"coherence": 3}], turker_annotations=[{"coherence": 2}]
    )
    corpus = read_into(FORMAT, text)
    (topic,) = corpus.topics
    found = [(a.id, [s.text for s in a.sentences]) for a in topic.abstracts]
    assert found == [("0", ["A dog ran.", "It slept."]), ("1", ["Dogs run."])]
    assert outputs(corpus) == {("dm-test-1", "M0"): (("a dog ran .", "it slept ."), None)}
    assert {score.key: score.value for score in corpus.human_scores} == {
        ("dm-test-1", "M0", "coherence", "expert-1"): 5,
        ("dm-test-1", "M0", "consistency", "expert-1"): 4,
        ("dm-test-1", "M0", "coherence", "expert-2"): 3,
        ("dm-test-1", "M0", "coherence", "turker-1"): 2,
    }


def test_that_systems_share_the_references_of_a_topic():
    corpus = read_into(FORMAT, line() + line(system="M1"))
    assert [len(topic.abstracts) for topic in corpus.topics] == [2]
    assert warnings(FORMAT, line() + line(system="M1")) == []


def test_that_other_references_stay_with_their_output():
    text = line() + line(system="M1", references=["a dog ran ."])
    assert outputs(read_into(FORMAT, text))["dm-test-1", "M1"][1] == (("a dog ran .",),)
    assert warnings(FORMAT, text) == [
        "1 output has other references than those before it of the same topic, and keeps them "
        "for itself: dm-test-1 M1."
    ]


def test_that_a_paired_article_is_the_document():
    (topic,) = read_into(
        FORMAT, line(text="One. Two.") + line(system="M1", text="One. Two.")
    ).topics
    (document,) = topic.documents
    assert [sentence.text for sentence in document.sentences] == ["One.", "Two."]


def test_that_an_output_that_stands_twice_is_refused_unless_it_is_the_same():
    (told,) = warnings(FORMAT, f"{line()} {line()}")
    assert told.startswith("2: The line says the same as line 1")
    assert refusals(FORMAT, line() + line(decoded="other")) == [
        "2: System “M0” has a second output for “dm-test-1”; the first is in line 1. Do two "
        "systems have one name? Name them apart."
    ]


def test_that_every_bad_line_is_told():
    text = "{\n" + '{"id": "x"}\n[]\n' + line()
    assert [refusal[:2] for refusal in refusals(FORMAT, text)] == ["1:", "2:", "3:"]
    assert "no line" in refusals(FORMAT, "\n")[0]


def test_that_grades_that_are_no_numbers_are_left_out_and_told():
    text = line(expert_annotations=[{"coherence": "good", "fluency": 3}, "none"])
    assert [score.measure for score in read_into(FORMAT, text).human_scores] == ["fluency"]
    assert warnings(FORMAT, text)[0].startswith("1: “good”, a score of “M0”, is not a number")
