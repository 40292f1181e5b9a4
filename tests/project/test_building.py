"""The builder of small topics says what its spellings promise."""

from tests.building import abstract, alternatives, corpus, document, entry, ref, refs, topic
from tests.in_part import in_turn

from awase.core.records.alignment import Alternative
from awase.core.records.identifiers import SentenceRef


def test_that_addresses_are_spelled_by_number_or_document():
    assert ref(3) == ref("s3") == ref("3") == SentenceRef("d", 3)
    assert refs("s1 e:2&7") == (SentenceRef("d", 1), SentenceRef("e", 2), SentenceRef("d", 7))
    assert refs("a:b:2") == (SentenceRef("a:b", 2),)


def test_that_alternatives_are_parted_by_bars_and_members_by_ampersands():
    assert alternatives("s1|s2&s3") == (Alternative(refs("1")), Alternative(refs("2 3")))


@in_turn(
    ("row", "state", "n_alternatives"),
    [("1|2", "confirmed", 2), ("", "todo", 0), ("-", "no_source", 0), ("? 1", "incomplete", 1),
     ("! 1|2", "flagged", 2), ("+", "confirmed", 0), ("A: 1", "confirmed", 1), ("A:", "todo", 0)],
)  # fmt: skip
def test_that_marks_tell_the_state(row, state, n_alternatives):
    made = entry(1, row)
    assert (made.state.value, len(made.alternatives)) == (state, n_alternatives)


def test_that_a_topic_is_built_from_rows():
    made = topic("t", docs={"d": 2, "e": ("One.",)}, links="A: s1|s2&e:1; B: -")
    (own,) = made.abstracts
    assert [(s.n, s.rank) for s in own.sentences] == [(1, "A"), (2, "B")]
    assert own.alignments[0].of_sentence(1).alternatives == alternatives("1|2&e:1")
    assert [s.text for s in made.documents[0].sentences] == ["1.", "2."]
    assert corpus(made).topics == (made,)


def test_that_annotators_are_named_and_texts_given():
    own = abstract("a", {"x": "1", "y": "2; 3"}, texts=("One.", "Two.", "Three."), ranks="AB")
    assert [alignment.annotator for alignment in own.alignments] == ["x", "y"]
    assert [(s.text, s.rank) for s in own.sentences] == [
        ("One.", "A"),
        ("Two.", "B"),
        ("Three.", None),
    ]
    assert document("d", ("x", "y"), numbers=(4, 2)).sentences[1].n == 2
