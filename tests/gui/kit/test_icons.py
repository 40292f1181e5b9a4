"""Icons are in the colours of the theme at hand, however often they were drawn in others."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QPushButton, QTabBar

from awase.gui.frame.pages import PAGES
from awase.gui.frame.welcome import IconButton
from awase.gui.kit.look.theme import Theme, ThemeBox, icon

SIDE_PX = 64


def inks(drawn: QIcon, mode: QIcon.Mode) -> set[str]:
    image = drawn.pixmap(QSize(SIDE_PX, SIDE_PX), mode).toImage()
    dots = (image.pixelColor(x, y) for x in range(SIDE_PX) for y in range(SIDE_PX))
    return {dot.name() for dot in dots if dot.alpha() == 255}


@pytest.mark.slow
@pytest.mark.parametrize("palette", ["light", "dark", "high-contrast"])
@pytest.mark.parametrize("role", ["text", "link"])
def test_that_an_icon_is_in_the_colours_of_its_role_and_palette(qapp, palette, role):
    theme = Theme.named(palette)
    drawn = icon("open", theme, role=role)
    assert inks(drawn, QIcon.Mode.Normal) == {getattr(theme.colours, role).lower()}
    assert inks(drawn, QIcon.Mode.Disabled) == {theme.colours.muted.lower()}


def test_that_what_is_done_to_an_icon_is_done_to_no_other(qapp):
    theme = Theme.named("light")
    icon("open", theme).addPixmap(QPixmap(SIDE_PX + 1, SIDE_PX + 1))
    assert max(size.width() for size in icon("open", theme).availableSizes()) == SIDE_PX


def test_that_icons_grow_with_the_letters(qtbot):
    sides = {}
    for points in (10, 16, 20):
        ThemeBox(Theme.named("light", points)).apply()
        widgets = (QPushButton(icon("open", Theme.named("light")), "Open"), QTabBar())
        for widget in widgets:
            qtbot.addWidget(widget)
            widget.ensurePolished()
            assert widget.iconSize().height() == widget.fontMetrics().height()
        sides[points] = widgets[0].iconSize().height()
    assert sides[10] < sides[16] < sides[20]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_that_an_icon_of_the_rail_fills_its_side_and_none_is_cut(qapp, page):
    drawn = icon(page.icon, Theme.named("light")).pixmap(QSize(SIDE_PX, SIDE_PX)).toImage()
    inked = [
        (x, y)
        for x in range(SIDE_PX)
        for y in range(SIDE_PX)
        if drawn.pixelColor(x, y).alpha() > 60
    ]
    for side in zip(*inked, strict=True):
        assert min(side) > 0
        assert max(side) < SIDE_PX - 1
    assert max(max(side) - min(side) + 1 for side in zip(*inked, strict=True)) > 0.85 * SIDE_PX


@pytest.mark.parametrize("points", [10, 20])
def test_that_an_icon_keeps_off_the_text_behind_it(qtbot, points):
    ThemeBox(Theme.named("light", points)).apply()
    button = IconButton(icon("open", Theme.named("light")), "l")
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    image = button.grab().toImage()
    middle, across = image.height() // 2, range(4, image.width() - 4)
    ground = image.pixel(4, middle)
    inked = [x for x in across if image.pixel(x, middle) != ground]
    letter = inked[-1]
    end_of_icon = max(x for x in inked if x < letter - 5)
    assert letter - end_of_icon >= button.fontMetrics().height() * 0.3
