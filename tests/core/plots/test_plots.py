import re
from dataclasses import replace
from functools import partial
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.plots.axis import Area, ScaleMark, axis_for, placed_labels, scale
from awase.core.plots.charts import Bar, HeatScale, Point, bars, dots, heat, scatter
from awase.core.plots.picture import (
    BACK,
    LINE,
    PRINT_COLOURS,
    Box,
    Dot,
    Label,
    Line,
    colour_of,
    luminance,
    shortened,
    svg,
    text_width,
)

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


@in_turn(
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


def test_that_an_interval_is_drawn_from_end_to_end_and_stands_out_from_its_bar():
    picture = bars(
        [Bar(label="a", value=0.5, low=0.25, high=1.0)], title="", axis_title="", undefined="—"
    )
    bar = of_kind(picture, Box)[1]
    whisker = next(line for line in of_kind(picture, Line) if line.y1 == line.y2)
    assert whisker.x1 == pytest.approx(bar.x + bar.width / 2)
    assert whisker.x2 == pytest.approx(bar.x + bar.width * 2)
    lines = [line for line in of_kind(picture, Line) if line.colour != LINE]
    edges, inks = lines[:3], lines[3:]
    assert [edge.colour for edge in edges] == [BACK] * 3
    assert [replace(ink, colour=BACK, width=edges[0].width) for ink in inks] == edges
    assert edges[0].width > 2 * inks[0].width


def test_that_long_names_that_differ_at_their_ends_can_be_told_apart():
    names = [f"階層的注意機構と強化学習による抽出型要約 第{at:02d}版" for at in range(3)]
    pictures = (
        bars([Bar(label=one, value=0.5) for one in names], title="", axis_title="", undefined="—"),
        dots([(one, [("t", 0.5)]) for one in names], title="", axis_title=""),
        heat([(one, [0.5]) for one in names], ["t"], title="", undefined="—"),
        heat([("t", [0.5] * 3)], names, title="", undefined="—"),
    )
    for picture in pictures:
        found = [label.text for label in of_kind(picture, Label) if "…" in label.text]
        assert [text[-4:] for text in found] == [name[-4:] for name in names]
        assert {text[:3] for text in found} == {"階層的"}


@pytest.mark.slow
@given(st.lists(st.tuples(NAMES, st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=25))
def test_that_no_label_touches_another_or_a_dot(points):
    picture = scatter(
        [Point(label=name, x=x, y=y) for name, x, y in points], title="t", x_title="x", y_title="y"
    )
    assert len(of_kind(picture, Dot)) == len(points)
    places = [(dot.x, dot.y) for dot in of_kind(picture, Dot)]
    found = placed_labels([name for name, _, _ in points], places, Area(0, 0, 420, 320), 7.5)
    placed = [one for one in found if one is not None]
    for idx, one in enumerate(placed):
        assert not any(one.area.overlaps(other.area) for other in placed[idx + 1 :])
        for x, y in places:
            assert not one.area.overlaps(Area(x - 2.9, y - 2.9, x + 2.9, y + 2.9))
        for other in placed:
            if other is not one and other.leader is not None:
                assert not runs_through(other.leader, one.area)
    for shape in of_kind(picture, Label):
        assert 0 <= shape.x <= picture.width


def test_that_labels_of_points_apart_are_all_placed_and_those_of_a_crowd_are_led_to():
    places = [(50.0 + 40 * idx, 100.0) for idx in range(5)]
    names = ["lead", "tfidf", "mmr", "random", "hand"]
    assert None not in placed_labels(names, places, Area(0, 0, 400, 300), 7.5)
    places = [(100 + 7.0 * (at % 4), 100 + 7.0 * (at // 4)) for at in range(12)]
    found = placed_labels([f"system-{at}" for at in range(12)], places, Area(0, 0, 300, 260), 7.5)
    assert None not in found
    led = [(one.leader, one.area, place) for one, place in zip(found, places, strict=True)
           if one.leader is not None]  # fmt: skip
    assert led
    for (*begin, x, y), area, place in led:
        assert tuple(begin) == place
        assert area.left <= x <= area.right
        assert area.top <= y <= area.bottom


@pytest.mark.slow
@in_turn(("width", "height"), [(0, 0), (220, 170), (900, 600)])
def test_that_no_two_texts_of_a_scatter_overlap(width, height):
    points = [Point(label=f"system {at}", x=(at * 37 % 17) / 17, y=at / 29) for at in range(29)]
    picture = scatter(
        points, title="Long title " * 9, x_title="x " * 90, y_title="y " * 90, width=width,
        height=height,
    )  # fmt: skip
    areas = [taken_by(label) for label in of_kind(picture, Label)]
    whole = Area(0, 0, picture.width, picture.height)
    for idx, area in enumerate(areas):
        assert area.is_within(whole)
        assert not any(area.overlaps(other) for other in areas[idx + 1 :])


@pytest.mark.slow
def test_that_no_line_of_the_grid_runs_through_a_label():
    points = [Point(label=f"system {at}", x=(at * 37 % 17) / 17, y=at / 29) for at in range(29)]
    shapes = scatter(points, title="t", x_title="x", y_title="y").shapes
    crossed = 0
    for at, label in enumerate(shapes):
        if not isinstance(label, Label) or not label.text.startswith("system"):
            continue
        area = taken_by(label)
        for below, line in enumerate(shapes[:at]):
            if not isinstance(line, Line) or line.colour != LINE:
                continue
            if runs_through((line.x1, line.y1, line.x2, line.y2), area):
                crossed += 1
                assert any(
                    area.is_within(Area(one.x, one.y, one.x + one.width, one.y + one.height))
                    for one in shapes[below + 1 : at]
                    if isinstance(one, Box) and one.colour == BACK
                )
    assert crossed


def taken_by(label):
    width, high, low = text_width(label.text, label.size), label.size * 0.75, label.size * 0.2
    if label.turn:
        half = width / 2
        return Area(label.x - high, label.y - half, label.x + low, label.y + half)
    left = label.x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    return Area(left, label.y - high, left + width, label.y + low)


def runs_through(line, area):
    x1, y1, x2, y2 = line
    steps = [at / 200 for at in range(201)]
    points = [(x1 + (x2 - x1) * at, y1 + (y2 - y1) * at) for at in steps]
    e = 1e-6
    return any(
        area.left + e < x < area.right - e and area.top + e < y < area.bottom - e for x, y in points
    )


@pytest.mark.parametrize(("n_topics", "room", "has_numbers"), [(5, 480, True), (100, 480, False)])
def test_that_a_heat_map_of_many_topics_fits_without_numbers(n_topics, room, has_numbers):
    topics = [f"topic-{at}" for at in range(n_topics)]
    rows = [("lead", [at / n_topics for at in range(n_topics)])]
    picture = heat(rows, topics, title="Coverage, topics by systems", undefined="—", width=room)
    assert picture.width <= room
    boxes = [box for box in of_kind(picture, Box) if box.key]
    assert len(boxes) == n_topics
    assert all(left.x + left.width <= right.x + 1e-6 for left, right in pairwise(boxes))
    labels = of_kind(picture, Label)
    assert ("0.200" in [label.text for label in labels]) is has_numbers
    headings = [label.x for label in labels if label.text in topics]
    assert len(headings) >= 5
    assert all(b - a >= labels[0].size - 2 for a, b in pairwise(headings))
    assert labels[0].text == "Coverage, topics by systems"
    # Few cells are wider where there is room, and none is a wide band.
    wide = heat([("a", [0.2, 0.4])], ["t1", "t2"], title="t", undefined="—", width=4000)
    assert all(60 < box.width < 120 for box in of_kind(wide, Box) if box.key)


@in_turn("room", [0.0, 160.0, 400.0])
def test_that_the_numbers_of_a_heat_map_have_all_their_decimals_within_their_cells(room):
    rows = [("lead", [-1234.5, 1234.5, 0.25])]
    scale = HeatScale(low=-1234.5, high=1234.5)
    columns = ["t1", "t2", "t3"]
    picture = heat(rows, columns, title="t", undefined="—", scale=scale, width=room)
    cells = [box for box in of_kind(picture, Box) if box.key]
    written = [
        label
        for label in of_kind(picture, Label)
        if label.text in {"−1234.500", "1234.500", "0.250"} and label.anchor == "middle"
    ]
    assert len(written) == (0 if room == 160 else 3)
    for label, cell in zip(written, cells, strict=False):
        half = text_width(label.text, label.size) / 2
        assert cell.x <= label.x - half
        assert label.x + half <= cell.x + cell.width


@in_turn(
    "drawn",
    [
        partial(heat, [("a", [0.2, 0.4]), ("b", [0.6, 0.8])], ["t1", "t2"], undefined="—"),
        partial(bars, [Bar(label=name, value=0.5) for name in "ab"], axis_title="x", undefined="—"),
        partial(dots, [(name, [("t1", 0.2), ("t2", 0.4)]) for name in "ab"], axis_title="x"),
    ],
)
def test_that_rows_grow_with_the_room_up_to_a_size_and_their_letters_do_not(drawn):
    sides = (10.0, 130.0, 4000.0)
    least, more, most = (drawn(title="t", width=400, height=side) for side in sides)
    assert least.height < more.height < most.height < 200
    assert more.height <= 130
    for picture in (more, most):
        assert {one.size for one in of_kind(picture, Label)} == {
            one.size for one in of_kind(least, Label)
        }
        assert all(box.y + box.height <= picture.height for box in of_kind(picture, Box))


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


def test_that_numbers_can_be_read_on_every_shade_and_shades_keep_their_order():
    light = [luminance(colour_of(f"shade-{at}", PRINT_COLOURS)) for at in range(101)]
    assert light == sorted(light, reverse=True)
    for at, below in enumerate(light):
        text = luminance(colour_of(f"on-shade-{at}", PRINT_COLOURS))
        low, high = sorted((below, text))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_that_marks_of_one_name_that_stand_close_have_it_once_over_all_of_them():
    def named(*values: float) -> list[tuple[str, float]]:
        marks = [ScaleMark(label="robot", value=value, tip=str(value)) for value in values]
        drawn = scale(0.9, interval=None, marks=marks, title="t", width=420).shapes
        ticks = [one for one in drawn if isinstance(one, Box) and one.height == 14]
        assert len(ticks) == len(values)
        labels = [one for one in drawn if isinstance(one, Label) and one.text == "robot"]
        middle = (ticks[0].x + ticks[-1].x) / 2 + 1
        return [(one.text, round(one.x - middle, 6)) for one in labels]

    assert named(0.5) == [("robot", 0)]
    assert named(0.5, 0.55, 0.6) == [("robot", 0)]
    assert len(named(0.2, 0.7)) == 2


def test_that_letters_can_be_outlines():
    picture = bars([Bar(label="a&b", value=0.5)], title="t", axis_title="x", undefined="—")
    drawing = svg(picture, scale=2.0, outline=lambda label: f"M{len(label.text)} 0z")
    root = ElementTree.fromstring(drawing)
    assert not list(root.iter(f"{SVG}text"))
    assert "a&b" in [path.get("aria-label") for path in root.iter(f"{SVG}path")]
    assert root.get("width") == f"{picture.width * 2:g}pt"
