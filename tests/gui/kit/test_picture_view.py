import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPainter,
)
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from tests.gui.every_dialog import POINTS
from tests.gui.every_dialog import two_systems as made
from tests.gui.looking import pictures_alone
from tests.in_part import in_part, in_turn

from awase.core.errors import EnvironmentProblem
from awase.core.plots.charts import Bar, Point, bars, scatter
from awase.core.plots.picture import Box, Dot, Label, Line, Picture, colour_of, luminance
from awase.core.reports.grid import Cell, Column, grid_of
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.look.stylesheet import PALETTES
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.number_explanation import whys_on
from awase.gui.kit.picture_canvas import PictureCanvas, colours_of, draw, image_of, sized_font
from awase.gui.kit.picture_view import (
    PaperSize,
    PictureFormat,
    PictureView,
    PlotView,
    SavePictureDialog,
    on_paper,
    scatter_plot,
    write_picture,
)
from awase.gui.pages.scores.plots import heat_map

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


@in_turn("palette", PALETTES)
def test_that_shapes_are_drawn_in_the_palette(services, palette):
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
    view = qtbot.added(PictureView(services.themes))
    view.resize(500, 400)
    view.show_picture(made)
    return view


def test_that_the_picture_fills_the_widget_names_it_and_what_it_shows_and_is_copied(view):
    picture = view.picture()
    scale = view.scale_px()
    assert picture.width * scale == pytest.approx(500, abs=1)
    assert view.accessibleName() == "Coverage"
    assert not view.grab().isNull()
    dot = next(shape for shape in view.picture().shapes if isinstance(shape, Dot))
    assert view.tip_at(QPointF(dot.x, dot.y) * view.scale_px()).startswith("lead: 0.100")
    assert view.tip_at(QPointF(1, 1)) == ""
    view.copy()
    assert not QGuiApplication.clipboard().image().isNull()


def test_that_what_is_drawn_piece_by_piece_is_what_is_drawn_at_once(services):
    colours = colours_of(services.themes.theme)
    tall = Label(x=80, y=55, text="upright", turn=90.0)
    many = [
        Dot(x=x, y=y, radius=3, colour="series-2", key=(f"{x}",))
        for x in range(3, 100, 7) for y in range(3, 60, 9)
    ]  # fmt: skip
    picture = replace(PICTURE, shapes=(*SHAPES, *many, tall))
    whole, pieces = image_of(picture, colours, 4.0), QImage(400, 240, QImage.Format.Format_RGB32)
    pieces.fill(QColor(colours["back"]))
    for x in range(0, 100, 25):
        for y in range(0, 60, 20):
            painter = QPainter(pieces)
            painter.scale(4, 4)
            within = QRectF(x, y, 25, 20)
            painter.setClipRect(within)
            draw(painter, picture, colours, QFont(), within)
            painter.end()
    assert whole == pieces


@pytest.mark.parametrize("point_size", in_part([12, 9, 10, 11, 13, 14, 16, 17, 20]))
def test_that_a_heat_map_has_its_numbers_at_every_size_of_the_letters(services, qtbot, point_size):
    by_topic = {name: [(f"t{at}", at / 77) for at in range(77)] for name in ("lead", "mmr")}
    plot, made = heat_map("Coverage", by_topic), []

    def watched(width, height):
        made.append(plot.make(width, height))
        return made[-1]

    view = qtbot.added(PlotView(services.themes))
    font = QFont(view.font())
    font.setPointSizeF(point_size)
    view.setFont(font)
    view.resize(700, 300)
    view.show_plot(replace(plot, make=watched))
    view.show()
    view.grab()
    texts = [one.text for one in view.picture.picture().shapes if isinstance(one, Label)]
    assert texts.count("0.494") == 2
    full = {
        id(picture)
        for picture in made
        if any(one.key for one in picture.shapes if isinstance(one, Box | Dot))
    }
    assert len(full) <= 2, "its cells were laid out again and again"


def test_that_a_tall_picture_is_given_room(services, qtbot):
    view = qtbot.added(PictureView(services.themes))
    view.resize(400, 100)
    rows = [Bar(label=f"s{n}", value=n / 30) for n in range(30)]
    view.show_picture(
        lambda width, _: bars(rows, title="t", axis_title="x", undefined="—", width=width)
    )
    assert view.minimumHeight() > 400
    view.show_picture(None)
    assert view.picture() is None
    assert view.minimumHeight() == 0


def crowd(width, height):
    points = [Point(label=f"WWmm {n}", x=(n * 37 % 17) / 17, y=n / 25) for n in range(25)]
    return scatter(points, title="t", x_title="x", y_title="y", width=width, height=height)


def test_that_marks_are_walked_by_arrows_and_chosen_by_enter_or_a_click(view, qtbot):
    view.show()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription().startswith("lead: 0.100")
    qtbot.keyClick(view, Qt.Key.Key_Up)
    with qtbot.waitSignal(view.chosen) as heard:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert heard.args == [("mmr",)]
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.accessibleDescription().startswith("lead")
    mmr = next(mark for mark in view.marks() if mark.key == ("mmr",))
    with qtbot.waitSignal(view.chosen) as heard:
        place = view.rectangle_of(mmr).center().toPoint()
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
    assert heard.args == [("mmr",)]


@pytest.fixture
def plot(services, qtbot):
    plot = qtbot.added(PlotView(services.themes))
    plot.resize(700, 300)
    plot.show_plot(scatter_plot(POINTS, "Coverage", "people"))
    plot.show()
    return plot


def test_that_a_mark_and_its_row_are_current_together(plot, qtbot):
    assert plot.table.as_text().splitlines()[1].split("\t") == ["lead", "0.100", "0.200"]
    qtbot.keyClick(plot.picture, Qt.Key.Key_Right)
    qtbot.keyClick(plot.picture, Qt.Key.Key_Right)
    assert plot.table.row_of(plot.table.currentIndex()) == 1
    assert any("mmr: 0.400" in why.text for why in whys_on(plot, plot.picture))
    plot.table.choose(0, 1)
    assert plot.picture.accessibleDescription().startswith("lead")
    with qtbot.waitSignal(plot.chosen) as heard:
        plot.table.activated.emit(plot.table.currentIndex())
    assert heard.args == [("lead",)]
    assert pictures_alone(plot) == []
    plot.table.hide()
    assert len(pictures_alone(plot)) == 1, "a picture without its table is found"


def test_that_tab_reaches_a_picture_before_the_table_beside_or_below_it(services, qtbot):
    page, plot = qtbot.added(QWidget()), PlotView(services.themes)
    layout = QVBoxLayout(page)
    layout.addWidget(plot)
    layout.addWidget(QPushButton("after both"))
    plot.show_plot(scatter_plot(POINTS, "Coverage", "people"))
    page.show()
    page.activateWindow()
    plot.picture.setFocus()
    qtbot.waitUntil(plot.picture.hasFocus)
    qtbot.keyClick(plot.picture, Qt.Key.Key_Tab)
    assert plot.table.hasFocus()
    qtbot.keyClick(plot.table, Qt.Key.Key_Backtab)
    assert plot.picture.hasFocus()


@pytest.mark.parametrize("points", in_part([16, 10, 20]))
def test_that_a_picture_has_letters_as_large_as_the_window_has(services, qtbot, points):
    view = qtbot.added(PictureView(services.themes))
    font = QFont()
    font.setPointSize(points)
    view.setFont(font)
    view.resize(900, 600)
    view.show_picture(crowd)
    label = Label(x=0, y=0, text="lead", size=9.0)
    shown = drawn_width(label, view.font()) * view.scale_px()
    assert shown == pytest.approx(view.fontMetrics().horizontalAdvance("lead"), rel=0.06)


def drawn_width(label, font):
    sized = sized_font(label, font)
    return QFontMetricsF(sized).horizontalAdvance(label.text) * label.size / sized.pixelSize()


def crowd_with_long_names(width, height):
    points = [
        Point(label=f"改良版の木構造圧縮モデル{n}", x=0.4 + (n * 37 % 23) / 99, y=n / 40)
        for n in range(40)
    ]
    return scatter(points, title="t", x_title="x", y_title="y", width=width, height=height)


@pytest.mark.slow
def test_that_labels_keep_apart_in_the_letters_that_are_drawn(services):
    font = QFont()
    many = [crowd_with_long_names(*size) for size in ((420, 320), (800, 500), (1400, 900))]
    for bold in (crowd(220, 170), crowd(700, 500), *many):
        areas = []
        for label in (shape for shape in bold.shapes if isinstance(shape, Label)):
            if label.turn or label.anchor != "start":
                continue
            width = drawn_width(label, font)
            areas.append((label.x, label.y - label.size * 0.75, label.x + width, label.y))
        assert len(areas) > 5
        for at, one in enumerate(areas):
            for other in areas[at + 1 :]:
                assert (
                    one[0] >= other[2] or other[0] >= one[2]
                    or one[1] >= other[3] or other[1] >= one[3]
                )  # fmt: skip


@in_turn("palette", PALETTES)
def test_that_shades_can_be_told_apart_and_read_in_every_palette(services, palette):
    colours = colours_of(Theme.named(palette))
    for rows in SEEING:
        light = [luminance(seen_with(rows, colour_of(f"shade-{at}", colours))) for at in range(101)]
        assert light in (sorted(light), sorted(light, reverse=True))
        assert abs(light[-1] - light[0]) > 0.1
    for at in range(101):
        low, high = sorted(
            luminance(colour_of(f"{kind}shade-{at}", colours)) for kind in ("", "on-")
        )
        assert (high + 0.05) / (low + 0.05) >= 4.5


SEEING = (
    ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
     (-0.003882, -0.048116, 1.051998)),
    ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
     (-0.011820, 0.042940, 0.968881)),
)  # fmt: skip
"""With all colours, without red and without green: Machado, Oliveira and Fernandes (2009)."""


def seen_with(rows, colour):
    """Severity 1, on linear RGB."""
    linear = [(int(colour[at : at + 2], 16) / 255) ** 2.2 for at in (1, 3, 5)]
    seen = [sum(part * one for part, one in zip(row, linear, strict=True)) for row in rows]
    return "#" + "".join(f"{round(255 * min(1, max(0, s)) ** (1 / 2.2)):02x}" for s in seen)


SIZE = PaperSize(width_cm=8.4, height_cm=6.3, letters_pt=8)


def test_that_a_picture_is_as_large_on_paper_as_asked_and_larger_only_where_letters_need_it():
    exact = on_paper(made, SIZE)
    assert (exact.width_cm, exact.height_cm) == (pytest.approx(8.4), pytest.approx(6.3))
    small = on_paper(made, PaperSize(width_cm=3, height_cm=2, letters_pt=9))
    assert (small.width_cm, small.height_cm) == (
        pytest.approx(220 / 72 * 2.54), pytest.approx(130 / 72 * 2.54)
    )  # fmt: skip


def test_that_files_have_their_size_and_bring_their_letters(services, tmp_path):
    paths = {kind: tmp_path / f"plot.{kind.value}" for kind in PictureFormat}
    for kind, path in paths.items():
        write_picture(on_paper(made, SIZE), path, kind, dpi=200)
    pdf = paths[PictureFormat.PDF].read_bytes()
    assert pdf.startswith(b"%PDF")
    assert b"/FontFile" in pdf
    left, top, right, bottom = map(float, re.search(rb"/MediaBox \[([^]]*)\]", pdf)[1].split())
    assert (right - left, bottom - top) == (
        pytest.approx(8.4 / 2.54 * 72, abs=1), pytest.approx(6.3 / 2.54 * 72, abs=1)
    )  # fmt: skip
    root = ElementTree.fromstring(paths[PictureFormat.SVG].read_text("utf-8"))
    assert float(root.get("width").removesuffix("pt")) == pytest.approx(8.4 / 2.54 * 72, abs=0.1)
    assert not [one for one in root.iter() if one.tag.endswith("text")]
    letters = {one.get("aria-label"): one.get("d") for one in root.iter() if one.get("aria-label")}
    assert letters["lead"].startswith("M")
    image = QImage(str(paths[PictureFormat.PNG]))
    assert image.width() == pytest.approx(8.4 / 2.54 * 200, abs=1)
    assert image.dotsPerMeterX() == pytest.approx(200 / 0.0254, abs=1)
    assert image.pixelColor(2, 2).name() == "#ffffff"
    with pytest.raises(EnvironmentProblem, match="No such file"):
        write_picture(on_paper(made, SIZE), tmp_path / "none" / "p.png", PictureFormat.PNG)


@pytest.mark.parametrize("size", in_part([["7", "24"], ["8.4", "6.3"], ["17", "9"]]))
@pytest.mark.parametrize("palette", in_part(["high-contrast", "dark", "light"]))
def test_that_the_dialog_shows_the_page_with_its_edge_as_it_is_saved(qtbot, size, palette):
    theme = Theme.named(palette)
    dialog = qtbot.shown(SavePictureDialog(made, ThemeBox(theme)))
    for name, cm in zip(("width", "height"), size, strict=True):
        dialog.fields.set(name, cm)
    (preview,) = dialog.findChildren(PictureCanvas)
    image, edge = preview.grab().toImage(), theme.colours.edge
    row, column = ([], [])
    for x in range(image.width()):
        row.append(image.pixelColor(x, 3).name())
    for y in range(image.height()):
        column.append(image.pixelColor(3, y).name())
    right, bottom = (len(line) - 1 - line[::-1].index(edge) for line in (row, column))
    assert right / bottom == pytest.approx(float(size[0]) / float(size[1]), rel=0.02)
    assert row[0] == column[0] == edge
    assert row[right - 1] == column[bottom - 1] == "#ffffff"


@pytest.mark.parametrize(
    ("script", "text", "has_bold"),
    [("Japanese", "読書", False), ("Japanese", "読書", True), ("Latin", "read", True)],
)
def test_that_only_a_font_with_a_bold_face_is_drawn_bold(services, script, text, has_bold):
    found = [
        family
        for family in QFontDatabase.families(QFontDatabase.WritingSystem[script])
        if QFontDatabase.isScalable(family)
        and has_bold
        is any(QFontDatabase.bold(family, style) for style in QFontDatabase.styles(family))
    ]
    if not found:
        pytest.skip("no such font is installed")
    images = []
    for is_bold in (True, False):
        image = QImage(200, 40, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        label = Label(x=5, y=25, text=text, size=15, is_bold=is_bold)
        picture = Picture(width=200, height=40, title="t", shapes=(label,))
        draw(painter, picture, colours_of(services.themes.theme), QFont(found[0]))
        painter.end()
        images.append(image)
    assert (images[0] == images[1]) is not has_bold


def test_that_a_size_may_have_a_comma_and_the_picture_is_of_the_kind_chosen(
    services, qtbot, tmp_path
):
    dialog = qtbot.shown(SavePictureDialog(made, services.themes))
    dialog.fields.set("width", "12,5")
    assert dialog.fields["outcome"].text() == "On paper: 12.5 × 6.3 cm."
    dialog.fields.set("place", str(tmp_path / "plot.pdf"))
    dialog.fields.set("kind", "svg")
    dialog.confirm()
    assert (tmp_path / "plot.svg").read_text("utf-8").startswith("<svg")


def test_that_no_number_of_a_column_is_cut_be_it_bold_or_one_of_many_as_long(qtbot):
    view = qtbot.added(GridView())
    texts = [f"1{'1' * at}{'0' * (7 - at)}" for at in range(8) for _ in range(9)]
    cells = [Cell(text=text, value=1.0, is_number=True, is_best=True) for text in texts]
    view.show_grid(grid_of((Column(title="n", is_number=True),), [(cell,) for cell in cells]))
    bold = QFont(view.font())
    bold.setBold(True)
    widest = max(map(QFontMetrics(bold).horizontalAdvance, texts))
    assert view.columnWidth(0) >= widest


def test_that_the_table_beside_a_plot_has_room_for_numbers_and_names_which_give_way(
    services, qtbot
):
    view = qtbot.shown(PlotView(services.themes), 1200, 300)
    table, header = view.table, view.table.horizontalHeader()
    for label in ("lead", "a_name_of_its_own"):
        view.show_plot(scatter_plot([Point(label=label, x=0.698, y=0.333)], "Precision", "F"))
        assert header.length() <= table.viewport().width()
        assert header.sectionSize(0) > header.fontMetrics().horizontalAdvance(label)
    view.resize(500, 300)
    assert table.width() <= 251
    assert table.textElideMode() is header.textElideMode() is Qt.TextElideMode.ElideMiddle
