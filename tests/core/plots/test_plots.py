import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.core.plots.axis import axis_for
from awase.core.plots.bars import Bar, bars, dots
from awase.core.plots.heat import heat
from awase.core.plots.picture import Box, Dot, Label, Line, shortened, text_width
from awase.core.plots.scatter import Area, Point, placed_labels, scatter
from awase.core.plots.svg import PRINT_COLOURS, colour_of, svg

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)
NAMES = st.text("abcdef木造船", min_size=1, max_size=8)
SVG = "{http://www.w3.org/2000/svg}"


def of_kind(picture, kind):
    return [shape for shape in picture.shapes if isinstance(shape, kind)]


@given(st.lists(NUMBERS, max_size=6), st.booleans())
def test_that_an_axis_encloses_its_values_with_round_ticks(values, with_zero):
    axis = axis_for(values, 10.0, 110.0, with_zero=with_zero)
    ticks = [value for value, _ in axis.ticks()]
    tolerance = 1e-6 * max(1.0, axis.high - axis.low)
    for value in values:
        assert axis.low - tolerance <= value <= axis.high + tolerance
    if with_zero:
        assert axis.low <= 0 <= axis.high
    assert 2 <= len(ticks) <= 9
    assert axis.at(axis.low) == pytest.approx(10)
    assert axis.at(axis.high) == pytest.approx(110)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.0, 1.0], ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([0.31, 0.42], ["0.300", "0.325", "0.350", "0.375", "0.400", "0.425"]),
        ([0.0, 50.0], ["0", "10", "20", "30", "40", "50"]),
    ],
)
def test_that_ticks_have_as_many_places_as_they_need(values, texts):
    axis = axis_for(values, 0.0, 100.0, with_zero=False)
    assert [text for _, text in axis.ticks()] == texts


def test_that_bars_are_as_long_as_their_values():
    picture = bars(
        [Bar(label="a", value=0.5), Bar(label="b", value=1.0), Bar(label="c", value=None)],
        title="t",
        axis_title="Coverage",
        undefined="—",
    )
    first, second = of_kind(picture, Box)[1:]
    assert second.width == pytest.approx(2 * first.width)
    assert "—" in [label.text for label in of_kind(picture, Label)]


def test_that_an_interval_is_drawn_from_end_to_end():
    picture = bars(
        [Bar(label="a", value=0.5, low=0.25, high=1.0)], title="", axis_title="", undefined="—"
    )
    bar = of_kind(picture, Box)[1]
    whisker = next(line for line in of_kind(picture, Line) if line.y1 == line.y2)
    assert whisker.x1 == pytest.approx(bar.x + bar.width / 2)
    assert whisker.x2 == pytest.approx(bar.x + bar.width * 2)


def test_that_every_topic_is_a_dot_and_the_mean_a_stroke():
    picture = dots([("a", [("t1", 0.2), ("t2", 0.4)]), ("b", [])], title="t", axis_title="Coverage")
    found = of_kind(picture, Dot)
    assert [dot.tip for dot in found] == ["a, t1: 0.200", "a, t2: 0.400"]
    stroke = max(of_kind(picture, Line), key=lambda line: line.width)
    assert stroke.x1 == stroke.x2 == pytest.approx((found[0].x + found[1].x) / 2)


@given(st.lists(st.tuples(NAMES, st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=25))
def test_that_no_label_touches_another_or_a_dot(points):
    picture = scatter(
        [Point(label=name, x=x, y=y) for name, x, y in points],
        title="t",
        x_title="x",
        y_title="y",
    )
    assert len(of_kind(picture, Dot)) == len(points)
    places = [(dot.x, dot.y) for dot in of_kind(picture, Dot)]
    areas = placed_labels([name for name, _, _ in points], places, Area(0, 0, 420, 320))
    placed = [area for area in areas if area is not None]
    for idx, area in enumerate(placed):
        assert not any(area.overlaps(other) for other in placed[idx + 1 :])
        for x, y in places:
            assert not area.overlaps(Area(x - 2.9, y - 2.9, x + 2.9, y + 2.9))
    for shape in of_kind(picture, Label):
        assert 0 <= shape.x <= picture.width


def test_that_labels_of_points_apart_are_all_placed():
    places = [(50.0 + 40 * idx, 100.0) for idx in range(5)]
    areas = placed_labels(["lead", "tfidf", "mmr", "random", "hand"], places, Area(0, 0, 400, 300))
    assert None not in areas


def test_that_a_heat_map_has_a_number_in_every_cell():
    picture = heat(
        [("s1", [0.0, 1.0]), ("s2", [None, 0.5])], ["lead", "mmr"], title="t", undefined="—"
    )
    texts = [label.text for label in of_kind(picture, Label)]
    assert texts[-6:] == ["s1", "0.00", "1.00", "s2", "—", "0.50"]
    light, dark = of_kind(picture, Box)[1:3]
    assert colour_of(dark.colour, PRINT_COLOURS) == PRINT_COLOURS["shade"]
    assert colour_of(light.colour, PRINT_COLOURS) != PRINT_COLOURS["shade"]


@given(NAMES, st.floats(0, 60))
def test_that_a_shortened_text_fits(text, width):
    shown = shortened(text, width)
    assert text_width(shown) <= width or shown == "…"
    assert shown == text or shown.endswith("…")


def test_that_svg_is_well_formed_and_says_what_it_shows():
    picture = scatter(
        [Point(label='<"a&b">', x=0.1, y=0.2), Point(label="木造船", x=0.3, y=0.9)],
        title="Coverage & ROUGE",
        x_title="<x>",
        y_title="y",
    )
    root = ElementTree.fromstring(svg(picture))
    assert root.find(f"{SVG}title").text == "Coverage & ROUGE"
    assert '<"a&b">' in [text.text for text in root.iter(f"{SVG}text")]
    assert len(list(root.iter(f"{SVG}circle"))) == 2
    assert not re.search(r"nan|inf|e-\d", svg(picture))
