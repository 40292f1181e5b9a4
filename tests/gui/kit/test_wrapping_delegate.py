"""Rows are as high as their texts, however wide the columns are: nothing is cut off with dots."""

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem, QTableView
from tests.in_part import in_part

from awase.core.errors import Problem
from awase.gui.kit.i18n import set_language
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.problems import ProblemsDialog

GUESSED = Problem(
    what="The encoding of {n} files was guessed: {encoding}; {name} is one.",
    hint="If characters are wrong, import the files again and name their encoding.",
    fields={"n": 1, "encoding": "cp1252", "name": "latin.txt"},
    source="texts",
)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "points"), in_part([("ja", 9), ("en", 16)]))
def test_that_a_row_has_room_for_all_its_lines(qtbot, language, points):
    set_language(language)
    ThemeBox(Theme.named("light", points, language)).apply()
    try:
        dialog = qtbot.shown(ProblemsDialog("The files were imported. Please note:", [GUESSED]))
        table = dialog.table
        for width in range(400, 900, 5):
            dialog.resize(width, 400)
            QApplication.processEvents()
            table.resizeRowsToContents()
            for column in (1, 2):
                needed, room = drawn_and_room_px(table, table.model().index(0, column))
                assert needed <= room, (width, column)
        dialog.close()
    finally:
        set_language("en")
        ThemeBox(Theme.named("light", 10)).apply()


def drawn_and_room_px(table: QTableView, index: QModelIndex) -> tuple[float, int]:
    """Returns how high the text is as Qt draws it, and how high its place is."""
    option, style = QStyleOptionViewItem(), table.style()
    table.initViewItemOption(option)
    table.itemDelegate().initStyleOption(option, index)
    option.rect = table.visualRect(index)
    place = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, table)
    margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, table) + 1
    wrapping = QTextOption()
    wrapping.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout = QTextLayout(str(index.data()), option.font)
    layout.setTextOption(wrapping)
    layout.beginLayout()
    height = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(place.width() - 2 * margin)
        height += line.height()
    layout.endLayout()
    return height, place.height()
