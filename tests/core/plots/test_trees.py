"""The picture of two trees: each word once, an elbow to each head, lines between."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.parsing.strategies import heads
from tests.laws import tries

from awase.core.plots.picture import MUTED, Box, Label, Line, text_width
from awase.core.plots.trees import DrawnTree, TreeLink, tree_pair


def drawn(found, marked=()):
    words = tuple(f"w{number}" for number in range(1, len(found) + 1))
    return DrawnTree(title="T", words=words, heads=tuple(found), marked=frozenset(marked))


def of_kind(picture, kind):
    return [shape for shape in picture.shapes if isinstance(shape, kind)]


trees = st.integers(1, 12).flatmap(heads)


@settings(max_examples=tries(10), deadline=None)
@given(trees, trees, st.floats(100, 900))
def test_that_words_stand_below_each_other_and_sides_do_not_meet(left, right, width):
    picture = tree_pair(drawn(left), drawn(right), [], "pair", width)
    labels = [one for one in of_kind(picture, Label) if not one.is_bold]
    assert [one.text for one in labels if one.anchor == "start"] == [*drawn(left).words]
    assert [one.text for one in labels if one.anchor == "end"] == [*drawn(right).words]
    for one, other in combinations(labels, 2):
        assert one.anchor != other.anchor or one.y != other.y
    furthest = max(one.x + text_width(one.text) for one in labels if one.anchor == "start")
    nearest = min(one.x - text_width(one.text) for one in labels if one.anchor == "end")
    assert furthest + 30 < nearest
    assert all(0 <= one.x <= picture.width and 0 <= one.y <= picture.height for one in labels)
    assert len(of_kind(picture, Line)) == 2 * (len(left) + len(right) - 2)


@settings(max_examples=tries(10), deadline=None)
@given(trees)
def test_that_each_elbow_leads_from_a_head_to_its_word(found):
    picture = tree_pair(drawn(found), drawn([0]), [], "pair", 400)
    y_of = {one.text: one.y for one in of_kind(picture, Label) if one.anchor == "start"}
    elbows = of_kind(picture, Line)
    pairs = {
        (round(down.y1), round(along.y2))
        for down, along in zip(elbows[::2], elbows[1::2], strict=True)
    }
    row_px = 9 * 1.7
    for number, head in enumerate(found, start=1):
        if head:
            below = 1 if head < number else -1
            begin = y_of[f"w{head}"] - 9 * 0.35 + below * row_px / 2
            assert any(abs(a - begin) <= 1 for a, b in pairs if abs(b - y_of[f"w{number}"]) < 5)


def test_that_marked_words_stand_out_and_the_others_fade():
    picture = tree_pair(drawn([2, 0, 2], {0, 1}), drawn([0]), [], "pair", 400)
    labels = {one.text: one for one in of_kind(picture, Label) if one.anchor == "start"}
    assert [labels[f"w{n}"].is_bold for n in (1, 2, 3)] == [True, True, False]
    assert labels["w3"].colour == MUTED
    assert len(of_kind(picture, Box)) == 2
    thick = [line for line in of_kind(picture, Line) if line.width > 1]
    assert len(thick) == 2


def test_that_links_run_between_their_words_and_are_as_strong_as_their_weight():
    links = [TreeLink(left=0, right=1, weight=1.0), TreeLink(left=1, right=0, weight=0.1)]
    picture = tree_pair(drawn([0, 1]), drawn([0, 1]), links, "pair", 400)
    strong, weak = of_kind(picture, Line)[:2]
    assert strong.width > weak.width
    assert (strong.y1, strong.y2) == (weak.y2, weak.y1)
    assert strong.x1 < strong.x2


@pytest.mark.parametrize("width", [100, 10_000])
def test_that_the_picture_is_as_wide_as_the_trees_need(width):
    picture = tree_pair(drawn([0]), drawn([0]), [], "pair", width)
    assert 90 < picture.width < 300
