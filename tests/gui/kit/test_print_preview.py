"""The icons of Qt's preview of pages grow with the letters, as all others do."""

from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog
from PySide6.QtWidgets import QToolBar

from awase.gui.kit.printing.preview import grow_icons

LARGE_PT = 30


def test_that_icons_are_higher_than_the_letters_beside_them(qtbot) -> None:
    dialog = QPrintPreviewDialog(QPrinter())
    qtbot.addWidget(dialog)
    font = dialog.font()
    font.setPointSize(LARGE_PT)
    dialog.setFont(font)
    letters = dialog.fontMetrics().ascent()
    grow_icons(dialog)
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
