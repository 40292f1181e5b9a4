from itertools import combinations

from hypothesis import strategies as st
from tests.core.formats.duc.ducview_files import (
    A,
    B,
    annotation,
    contributor,
    part,
    peer,
    scu,
)
from tests.core.formats.reading import read, read_into, warnings
from tests.in_part import in_turn
from tests.laws import law

from awase.core.formats.duc.pyramid import average_units, pyramid_score

NOTHING_ELSE = peer(0)
SOMETHING_ELSE = peer(0, "And hid")


def corpus(text, **request):
    return read_into("ducview-annotation", text, **{"source": "D1.M.100.T.11.pan", **request})


def scores(text, **request):
    return {score.measure: score.value for score in corpus(text, **request).human_scores}


def told(text, **request):
    return warnings("ducview-annotation", text, topic="t", **request)


def test_that_the_peer_is_a_text_with_the_model_summaries_as_its_references():
    (topic,) = corpus(annotation(peer(3, "A dog ran"), SOMETHING_ELSE)).topics
    assert topic.id == "D1"
    (output,) = topic.outputs
    assert (output.system, output.length) == ("11", "100")
    assert output.sentences == ("A dog ran.", "And hid.")
    assert output.references == (("The dog ran.", "It barked at the cat."), tuple(B))
    assert " ".join(A) == " ".join(output.references[0])


def test_that_scores_are_the_weight_over_that_of_an_ideal_summary():
    # Weights 2, 1, 1 in two summaries: on average 2 SCUs, of which the best weigh 3.
    both = annotation(peer(3, "A dog ran"), peer(7), peer(2, "hid"), SOMETHING_ELSE)
    # Three units: the best three weigh 4.
    assert scores(both) == {"pyramid": 3 / 4, "modified-pyramid": 3 / 3}
    one = annotation(peer(7, "x"), NOTHING_ELSE)
    assert scores(one) == {"pyramid": 1 / 2, "modified-pyramid": 1 / 3}


UNMARKED = "No content outside of the pyramid is marked."
SMALL = annotation(peer(1, "x"), SOMETHING_ELSE, scus=[scu(1, "x", contributor(part("slept")))])


@in_turn(
    ("text", "original", "modified", "what"),
    [
        (annotation(peer(3, "A dog ran"), SOMETHING_ELSE), 2 / 3, 2 / 3, None),
        (annotation(peer(3, "A dog ran"), NOTHING_ELSE), 1.0, 2 / 3, UNMARKED),
        # Expressed twice, it weighs once but is two units; without a contributor it is not.
        (annotation(peer(3, "A dog ran", "ran"), NOTHING_ELSE), 2 / 3, 2 / 3, UNMARKED),
        (annotation(peer(3), peer(7, "x"), NOTHING_ELSE), 1 / 2, 1 / 3, UNMARKED),
        (annotation(peer(3, "a"), peer(7, "b"), peer(2, "c")), 1.0, 4 / 3, UNMARKED),
        (annotation(peer(3), NOTHING_ELSE), None, 0.0, "its pyramid score is undefined"),
        (SMALL, 1.0, None, "the modified pyramid score is undefined"),
        (
            annotation(peer(3, "A dog ran"), peer(99, "x"), NOTHING_ELSE),
            2 / 3,
            2 / 3,
            "SCUs that are not in the pyramid (99)",
        ),
    ],
)
def test_that_odd_marks_are_scored_as_far_as_they_go_and_told(text, original, modified, what):
    both = {"pyramid": original, "modified-pyramid": modified}
    assert scores(text) == {name: value for name, value in both.items() if value is not None}
    assert what in told(text)[0] if what else told(text) == []


@in_turn(
    ("source", "system", "length"),
    [
        ("peers/D0736-B.M.100.H.11.pan", "11", "100"),
        ("D0736-B.M.100.H.A.pan", "human-A", "100"),
        ("mine.pan", "mine", None),
    ],
)
def test_that_the_name_of_the_file_tells_the_system(source, system, length):
    found = corpus(annotation(peer(3, "a"), SOMETHING_ELSE), source=source)
    (output,) = found.topics[0].outputs
    assert (output.system, output.length) == (system, length)
    assert {score.system for score in found.human_scores} == {system}


def test_that_a_second_annotator_adds_scores_to_the_same_text():
    first = corpus(annotation(peer(3, "a"), SOMETHING_ELSE), annotator="1")
    both = corpus(annotation(peer(2, "a"), SOMETHING_ELSE), corpus=first, annotator="2")
    assert len(both.topics[0].outputs) == 1
    found = [(score.annotator, score.value) for score in both.human_scores]
    assert found == [("1", 2 / 3), ("1", 2 / 3), ("2", 1 / 3), ("2", 1 / 3)]
    other = annotation(peer(2, "a"), lines=("Another text.",))
    changed = read("ducview-annotation", other, corpus=first, source="D1.M.100.T.11.pan")
    assert len(changed.addition.outputs) == 1  # not taken for the text that is there


weights = st.lists(st.integers(1, 5), min_size=1, max_size=6)


@law(40, weights, st.integers(0, 8))
def test_that_the_ideal_is_the_heaviest_choice(all_weights, n_units):
    size = min(n_units, len(all_weights))
    ideal = max(map(sum, combinations(all_weights, size)))
    assert pyramid_score([1], all_weights, n_units) == (1 / ideal if ideal else None)


@law(40, st.data(), weights)
def test_that_the_original_score_is_from_0_to_1_and_ideal_peers_have_1(data, all_weights):
    expressed = data.draw(st.lists(st.sampled_from(range(len(all_weights))), unique=True))
    chosen = [all_weights[idx] for idx in expressed]
    n_units = len(chosen) + data.draw(st.integers(0, 3))
    value = pyramid_score(chosen, all_weights, n_units)
    if n_units == 0:
        assert value is None
    else:
        assert 0 <= value <= 1
        best = sorted(all_weights, reverse=True)[:n_units]
        assert pyramid_score(best, all_weights, n_units) == 1


def test_that_the_average_number_of_scus_is_rounded_down():
    assert [average_units([2, 1, 1], n) for n in (1, 2, 3, 4, 5)] == [4, 2, 1, 1, 0]
