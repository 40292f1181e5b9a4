"""Rows are measured when they can be seen, for the width that they then have."""

from PySide6.QtCore import QStringListModel

from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.rows.row_delegate import RowDelegate
from awase.gui.pages.annotate.rows.row_view import RowView


class TallRows(RowDelegate):
    """Rows of 57 pixels that remember how often they were measured."""

    n_measured = 0

    def row_height(self, index, font, width) -> float:
        self.n_measured += 1
        return 57.0

    def paint_row(self, painter, rect, index, font) -> None:
        """Draws nothing."""


def test_that_rows_out_of_sight_are_not_measured_and_have_their_height_once_shown(qtbot) -> None:
    view = RowView()
    qtbot.addWidget(view)
    model = QStringListModel([str(n) for n in range(20)])
    rows = TallRows(ThemeBox(Theme.named("light")), view)
    view.setModel(model)
    view.setItemDelegate(rows)
    view.resize(300, 400)
    view.doItemsLayout()
    assert rows.n_measured == 0
    view.show()
    assert view.visualRect(model.index(3)).top() == 3 * 57
    view.hide()
    model.setStringList(["another"] * 20)
    view.doItemsLayout()
    view.show()
    assert view.visualRect(model.index(3)).top() == 3 * 57
