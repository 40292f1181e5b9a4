"""The icons of Qt's preview of pages are ours, and grow with the letters as all others do."""

from collections import Counter

from PySide6.QtCore import QSize
from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog
from PySide6.QtWidgets import QToolBar

from awase.gui.kit.look.theme import Theme
from awase.gui.kit.printing import give_icons

LARGE_PT = 30


def test_that_icons_are_higher_than_the_letters_beside_them(qtbot):
    dialog = QPrintPreviewDialog(QPrinter())
    qtbot.addWidget(dialog)
    font = dialog.font()
    font.setPointSize(LARGE_PT)
    dialog.setFont(font)
    letters = dialog.fontMetrics().ascent()
    give_icons(dialog, Theme.named("dark"))
    icons = [
        a for bar in dialog.findChildren(QToolBar) for a in bar.actions() if not a.icon().isNull()
    ]
    assert len(icons) > 10
    for action in icons:
        bar = (
            action.parent() if isinstance(action.parent(), QToolBar) else dialog.findChild(QToolBar)
        )
        assert bar.iconSize().height() > letters
        assert action.icon().actualSize(bar.iconSize()).height() > letters, action.text()


def test_that_its_icons_differ_and_are_in_the_colour_of_the_window_s_text(qtbot):
    dialog, theme = QPrintPreviewDialog(QPrinter()), Theme.named("dark")
    qtbot.addWidget(dialog)
    give_icons(dialog, theme)
    drawn = [
        action.icon().pixmap(QSize(48, 48)).toImage()
        for bar in dialog.findChildren(QToolBar)
        for action in bar.actions()
        if not action.icon().isNull()
    ]
    assert not any(one == other for at, one in enumerate(drawn) for other in drawn[:at])
    for image in drawn:
        dots = (image.pixelColor(x, y) for x in range(48) for y in range(48))
        inks = Counter(dot.name() for dot in dots if dot.alpha() == 255)
        assert inks.most_common(1)[0][0] == theme.colours.text
