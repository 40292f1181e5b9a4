"""The picture of two trees: each word once, an elbow to each head, lines between."""

from itertools import combinations, pairwise

import pytest
from hypothesis import strategies as st
from tests.core.language.strategies import heads
from tests.core.plots.test_plots import of_kind
from tests.laws import law

from awase.core.plots.axis import Area
from awase.core.plots.picture import (
    BACK,
    MUTED,
    Box,
    DrawnTree,
    Label,
    Line,
    TreeLink,
    text_width,
    tree_pair,
)


def drawn(found, marked=()):
    words = tuple(f"w{number}" for number in range(1, len(found) + 1))
    return DrawnTree(title="T", words=words, heads=tuple(found), marked=frozenset(marked))


trees = st.integers(1, 12).flatmap(heads)


@law(10, trees, trees, st.floats(100, 900))
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


@law(10, trees)
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
    bands = [box for box in of_kind(picture, Box) if box.colour != BACK]
    assert len(bands) == 2
    widths = [line.width for line in of_kind(picture, Line)]
    assert widths == sorted(widths)  # the marked ones cover the others
    assert sum(width > 1 for width in widths) == 2


def test_that_links_run_between_their_words_and_are_as_strong_as_their_weight():
    links = [TreeLink(left=0, right=1, weight=1.0), TreeLink(left=1, right=0, weight=0.1)]
    picture = tree_pair(drawn([0, 1]), drawn([0, 1]), links, "pair", 400)
    lines = of_kind(picture, Line)
    strong, weak = lines[:3], lines[3:6]
    assert strong[0].width > weak[0].width
    assert (strong[0].y1, strong[2].y2) == (weak[2].y2, weak[0].y1)
    for parts in (strong, weak):
        assert len({part.width for part in parts}) == 1
        assert all((a.x2, a.y2) == (b.x1, b.y1) for a, b in pairwise(parts))
        assert parts[0].x1 < parts[2].x2


@pytest.mark.slow
@law(10, trees, trees, st.data())
def test_that_no_line_runs_through_a_word(left, right, data):
    ends = st.tuples(st.integers(0, len(left) - 1), st.integers(0, len(right) - 1))
    links = [TreeLink(left=a, right=b, weight=1.0) for a, b in data.draw(st.lists(ends))]
    picture = tree_pair(drawn(left), drawn(right), links, "pair", 400)
    labels = [one for one in of_kind(picture, Label) if not one.is_bold]
    for at, line in enumerate(picture.shapes):
        if isinstance(line, Line):
            covers = [one for one in picture.shapes[at + 1 :] if isinstance(one, Box)]
            for label in labels:
                is_crossed = area_of(label).is_cut_by(line.x1, line.y1, line.x2, line.y2)
                assert not is_crossed or any(is_behind(cover, label) for cover in covers)
    slanting = [one for one in of_kind(picture, Line) if one.x1 != one.x2 and one.y1 != one.y2]
    for line in slanting:  # it would be lost behind the words that it crosses
        assert not any(
            area_of(label).is_cut_by(line.x1, line.y1, line.x2, line.y2) for label in labels
        )


def area_of(label):
    width = text_width(label.text, label.size)
    left = label.x - (width if label.anchor == "end" else 0)
    return Area(left, label.y - 0.7 * label.size, left + width, label.y + 0.2 * label.size)


def is_behind(box, label):
    return area_of(label).is_within(Area(box.x, box.y, box.x + box.width, box.y + box.height))


@pytest.mark.parametrize("width", [100, 10_000])
def test_that_the_picture_is_as_wide_as_the_trees_need(width):
    picture = tree_pair(drawn([0]), drawn([0]), [], "pair", width)
    assert 90 < picture.width < 300
