from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontInfo
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QTabWidget, QToolButton
from tests.in_part import in_part, in_turn

from awase.core.records.abstract import AlignmentState
from awase.core.reports.grid import Cell, Column, Grid
from awase.gui.kit.grid.grid import GridView, ShadeDelegate, ink_on, shade_colour
from awase.gui.kit.look.stylesheet import PALETTES, TARGET_PX, contrast_ratio
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.session.scoring_choices import CheckList

LEAST_FOR_TEXT = 4.5
LEAST_FOR_SHAPES = 3.0
TEXT_PAIRS = [
    *((text, back) for text in ("text", "muted") for back in ("window", "base", "alternate")),
    *((text, "raised") for text in ("text", "muted")),
    *(
        (text, back)
        for text in ("link", "warning", "danger", "success")
        for back in ("window", "base", "raised")
    ),
    *(
        ("text", back)
        for back in ("accent_soft", "highlight_match", "warning_soft", "gutter", "near_duplicate")
    ),
    *(("accent", back) for back in ("window", "base", "alternate", "raised", "accent_soft")),
    ("muted", "accent_soft"),
    ("accent_text", "accent"),
]


@in_turn("name", PALETTES)
def test_that_texts_chips_and_shapes_stand_out_from_their_background(name):
    colours = PALETTES[name]
    assert {*colours.states} == {state.value for state in AlignmentState}
    texts = [(getattr(colours, text), getattr(colours, back)) for text, back in TEXT_PAIRS]
    chips = [(chip.text, chip.back) for chip in (*colours.ranks, *colours.states.values())]
    shapes = [(one, colours.base) for one in (*colours.bars, colours.edge)]
    for pairs, least in ((texts + chips, LEAST_FOR_TEXT), (shapes, LEAST_FOR_SHAPES)):
        for text, back in pairs:
            assert contrast_ratio(text, back) >= least, (text, back)


@in_turn("name", PALETTES)
def test_that_numbers_are_readable_on_every_shade_of_a_cell(name):
    theme = Theme(name=name, colours=PALETTES[name])
    for share in range(101):
        back = shade_colour(theme, share / 100)
        assert contrast_ratio(ink_on(theme, back).name(), back.name()) >= LEAST_FOR_TEXT, share


@in_turn(("scheme", "palette"), [("Dark", "dark"), ("Light", "light"), ("Unknown", "light")])
def test_that_the_palette_of_the_system_is_the_desktops(monkeypatch, scheme, palette):
    hints = SimpleNamespace(colorScheme=lambda: Qt.ColorScheme[scheme])
    desktop = SimpleNamespace(styleHints=lambda: hints)
    monkeypatch.setattr("awase.gui.kit.look.theme.QGuiApplication", desktop)
    assert Theme.named("system").name == palette


def test_that_contrast_runs_from_1_to_21():
    assert contrast_ratio("#777777", "#777777") == 1
    assert contrast_ratio("#000000", "#ffffff") == pytest.approx(21)


def test_that_ranks_have_their_chips_and_those_beyond_share_the_last_one():
    theme = Theme.named("light")
    first, *_, last = theme.colours.ranks
    assert (theme.rank_chip(0), theme.rank_chip(99)) == (first, last)


def test_that_only_the_dark_palettes_are_dark():
    dark = {
        name
        for name, of in PALETTES.items()
        if QColor(of.text).lightness() > QColor(of.base).lightness()
    }
    assert dark == {"dark", "high-contrast"}


def test_that_a_new_theme_alone_reaches_the_application(qapp, qtbot):
    box = ThemeBox(Theme.named("light", 10))
    box.apply()
    with qtbot.assertNotEmitted(box.changed):
        box.set_theme(Theme.named("light", 10))  # the same
    with qtbot.waitSignal(box.changed):
        box.set_theme(Theme.named("dark", 14))
    assert qapp.font().pointSize() == 14
    assert qapp.palette().window().color() == Theme.named("dark").colour("window")


@pytest.mark.parametrize(("points", "language"), [(10, "ja"), (16, "en"), (20, "ja")])
def test_that_a_title_stays_one_when_letters_or_language_change(qapp, qtbot, points, language):
    box = ThemeBox(Theme.named("light", 10))
    box.apply()
    title = qtbot.added(QLabel("α = 0.883"))
    title.setProperty("look", "title")
    title.show()
    box.set_theme(Theme.named("light", points, language))
    assert title.font().pointSize() >= 2 * points
    assert title.font().bold()
    assert title.font().families() == qapp.font().families()


@pytest.mark.parametrize("points", [8, 20])
def test_that_the_arrows_beside_tabs_without_room_can_be_hit(qapp, qtbot, points):
    ThemeBox(Theme.named("light", points)).apply()
    tabs = qtbot.added(QTabWidget())
    for n in range(20):
        tabs.addTab(QLabel(), f"Tab number {n}")
    tabs.resize(300, 200)
    tabs.show()
    arrows = [one for one in tabs.tabBar().findChildren(QToolButton) if one.isVisible()]
    assert [one.width() >= TARGET_PX for one in arrows] == [True, True]


@pytest.mark.parametrize("name", PALETTES)
def test_that_the_box_of_a_chosen_row_has_an_edge(qapp, qtbot, name):
    themes = ThemeBox(Theme.named(name))
    themes.apply()
    rows = qtbot.added(QListWidget())
    item = QListWidgetItem("", rows)
    item.setCheckState(Qt.CheckState.Checked)
    rows.setCurrentItem(item)
    rows.show()
    row = rows.visualItemRect(item)
    picture = rows.viewport().grab(row).toImage()
    middle = row.height() // 2
    ground = picture.pixelColor(row.width() - 8, middle).name()
    upright = [
        x
        for x in range(4, row.width() // 2)
        if all(
            contrast_ratio(picture.pixelColor(x, y).name(), ground) >= LEAST_FOR_SHAPES
            for y in range(middle - 3, middle + 4)
        )
    ]
    assert len(upright) >= 2


def test_that_the_desktops_family_comes_first_even_where_it_names_none_but_an_alias(qapp):
    alias = QFont("Sans Serif")
    found = QFontInfo(alias).family()
    assert Theme.named("light", 10, "en").font(alias).families()[0] == found
    assert QFontInfo(Theme.named("light", 10, "en").font(alias)).family() == found
    assert Theme.named("light", 10, "ja").font(alias).families()[0] == "Sans Serif"


@pytest.mark.usefixtures("painted")
@pytest.mark.parametrize("palette", in_part([*PALETTES]))
def test_that_the_current_row_of_a_list_of_check_boxes_is_flat(services, qtbot, palette):
    services.themes.set_theme(Theme.named(palette, 16))
    one = qtbot.shown(CheckList("Topics", [("a", "A"), ("b", "B")], None))
    one.list.setCurrentRow(1)
    one.activateWindow()
    one.list.setFocus()
    qtbot.waitUntil(one.list.hasFocus)
    row = one.list.visualItemRect(one.list.item(1))
    picture = one.list.viewport().grab(row).toImage()
    end = {picture.pixelColor(row.width() - 8, y).name() for y in range(picture.height())}
    assert end == {services.themes.theme.colour("accent_soft").name()}


@pytest.mark.parametrize("points", in_part([9, 10, 11, 13, 16, 20]))
def test_that_a_number_on_a_shade_stands_in_line_with_the_others(qtbot, points):
    themes = ThemeBox(Theme.named("light", points))
    themes.apply()
    view = qtbot.added(GridView())
    view.setItemDelegate(ShadeDelegate(themes, view))
    cells = (Cell(text="0.538"), Cell(text="0.538", shade=0.02))
    columns = (Column(title="plain", is_number=True), Column(title="shaded", is_number=True))
    view.show_grid(Grid(columns=columns, rows=(cells,)))
    view.resize(600, 200)
    view.show()
    plain, shaded = (lines_of_ink(view, column) for column in (0, 1))
    assert plain == shaded
    view.selectRow(0)  # which leaves the shade as it is
    cell = view.viewport().grab(view.visualRect(view.model().index(0, 1))).toImage()
    beside = cell.pixelColor(cell.width() // 4, cell.height() // 2)
    assert beside.name() == shade_colour(themes.theme, 0.02).name()


def lines_of_ink(view: GridView, column: int) -> list[bool]:
    """Returns for each line of a cell's pixels, but the edge's, whether a letter is in it."""
    rect = view.visualRect(view.model().index(0, column)).adjusted(2, 2, -3, -3)
    image = view.viewport().grab(rect).toImage()
    return [
        any(image.pixelColor(x, y).lightness() < 128 for x in range(image.width()))
        for y in range(image.height())
    ]
