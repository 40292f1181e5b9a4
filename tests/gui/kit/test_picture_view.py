from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QGuiApplication, QImage

from awase.core.plots.bars import Bar, bars
from awase.core.plots.picture import Box, Dot, Label, Line, Picture
from awase.core.plots.scatter import Point, scatter
from awase.gui.kit.picture_view import PictureView, colours_of, image_of

SHAPES = (
    Box(x=0, y=0, width=100, height=60, colour="back"),
    Box(x=10, y=10, width=30, height=20, colour="series-0", tip="a box"),
    Dot(x=70, y=20, radius=5, colour="series-1", tip="a dot"),
    Line(x1=0, y1=50, x2=100, y2=50, colour="ink", width=2),
    Label(x=50, y=45, text="middle", anchor="middle"),
)
PICTURE = Picture(width=100, height=60, title="shapes", shapes=SHAPES)


def at(image: QImage, x: float, y: float) -> str:
    return image.pixelColor(round(x * 4), round(y * 4)).name()


@pytest.mark.parametrize("palette", ["light", "dark", "high-contrast"])
def test_that_shapes_are_drawn_in_the_palette(services, palette):
    from awase.gui.kit.look.theme import Theme

    colours = colours_of(Theme.named(palette))
    image = image_of(PICTURE, colours, 4.0)
    assert at(image, 25, 20) == QColor(colours["series-0"]).name()
    assert at(image, 70, 20) == QColor(colours["series-1"]).name()
    assert at(image, 50, 50) == QColor(colours["ink"]).name()
    assert at(image, 5, 55) == QColor(colours["back"]).name()


def test_that_text_stands_on_its_baseline_around_its_middle(services):
    image = image_of(PICTURE, {**colours_of(services.themes.theme), "back": "#ffffff"}, 4.0)
    inked = [
        (x, y)
        for y in range(31 * 4, 48 * 4)
        for x in range(10 * 4, 90 * 4)
        if image.pixelColor(x, y).lightness() < 128
    ]
    assert inked
    left, right = min(x for x, _ in inked) / 4, max(x for x, _ in inked) / 4
    assert (left + right) / 2 == pytest.approx(50, abs=2)
    assert max(y for _, y in inked) / 4 == pytest.approx(45, abs=1.5)


@pytest.fixture
def view(services, qtbot):
    view = PictureView(services.themes)
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show_picture(
        lambda width, height: scatter(
            [Point(label="lead", x=0.1, y=0.2), Point(label="mmr", x=0.4, y=0.5)],
            title="Coverage", x_title="x", y_title="y", width=width, height=height,
        )
    )  # fmt: skip
    return view


def test_that_the_picture_fills_the_widget_and_names_it(view):
    picture = view.picture()
    scale = view.scale_px()
    assert picture.width * scale == pytest.approx(500, abs=1)
    assert view.accessibleName() == "Coverage"
    assert not view.grab().isNull()


def test_that_a_dot_tells_what_it_is(view):
    dot = next(shape for shape in view.picture().shapes if isinstance(shape, Dot))
    assert view.tip_at(QPointF(dot.x, dot.y) * view.scale_px()).startswith("lead: 0.100")
    assert view.tip_at(QPointF(1, 1)) == ""


def test_that_pictures_are_saved_in_the_colours_of_paper(view, tmp_path: Path):
    drawing, pixels = tmp_path / "plot.svg", tmp_path / "plot.png"
    view.save(str(drawing))
    view.save(str(pixels))
    assert ElementTree.fromstring(drawing.read_text("utf-8")).tag.endswith("svg")
    assert QImage(str(pixels)).pixelColor(2, 2).name() == "#ffffff"
    with pytest.raises(OSError, match="cannot be written"):
        view.save(str(tmp_path / "none" / "plot.png"))


def test_that_a_picture_is_copied(view):
    view.copy()
    assert not QGuiApplication.clipboard().image().isNull()


def test_that_a_tall_picture_is_given_room(services, qtbot):
    view = PictureView(services.themes)
    qtbot.addWidget(view)
    view.resize(400, 100)
    rows = [Bar(label=f"s{n}", value=n / 30) for n in range(30)]
    view.show_picture(
        lambda width, _: bars(rows, title="t", axis_title="x", undefined="—", width=width)
    )
    assert view.minimumHeight() > 400
    view.show_picture(None)
    assert view.picture() is None
    assert view.minimumHeight() == 0
