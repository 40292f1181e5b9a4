"""Numbers and their titles stand at the right in every table, whatever it is a table of."""

import importlib
import pkgutil

from PySide6.QtCore import QAbstractTableModel, QSize, Qt
from tests.gui.looking import left_numbers

import awase.gui
from awase.gui.dialogs.transfer.texts_dialog import TextsModel
from awase.gui.kit.grid.model import GridModel
from awase.gui.kit.grid.tables import FlatTable, TableModel
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.session.topic_list import TopicModel

ALIGNMENT = Qt.ItemDataRole.TextAlignmentRole


class Counted(TableModel):
    titles, numbers, rows = ("Name", "Count"), (1,), (None,)

    def told(self, index, role: int) -> object:
        return ("one", "12")[index.column()] if role == Qt.ItemDataRole.DisplayRole else None


class CountedAtTheLeft(Counted):
    numbers = ()


def at_right(model: QAbstractTableModel) -> list[str]:
    sections = range(model.columnCount())
    return [
        model.headerData(one, Qt.Orientation.Horizontal)
        for one in sections
        if model.headerData(one, Qt.Orientation.Horizontal, ALIGNMENT) & Qt.AlignmentFlag.AlignRight
    ]


def test_that_every_table_of_the_window_says_which_columns_hold_numbers():
    for module in pkgutil.walk_packages(awase.gui.__path__, "awase.gui."):
        if "main" not in module.name:
            importlib.import_module(module.name)
    known, found = [QAbstractTableModel], []
    for one in known:
        known += one.__subclasses__()
        found += [one] * one.__module__.startswith("awase.")
    others = {one for one in found if not issubclass(one, (GridModel, TableModel))}
    assert (others, len(found) >= 8) == (set(), True)


def test_that_counts_and_their_titles_stand_at_the_right(qapp):
    assert at_right(TextsModel(ThemeBox(Theme.named("light")))) == ["Sentences"]
    topics = TopicModel()
    assert at_right(topics) == ["Settled", "Flags"]
    topics.sort(3, Qt.SortOrder.AscendingOrder)
    assert at_right(topics) == ["Settled"]  # the other makes room for the arrow


def test_that_a_number_at_the_left_is_found(qtbot):
    for made, expected in ((Counted, 0), (CountedAtTheLeft, 1)):
        table = FlatTable()
        qtbot.addWidget(table)
        model = made(table)
        assert model.index(0, 1).data(ALIGNMENT) & Qt.AlignmentFlag.AlignVCenter
        table.setModel(model)
        table.resize(QSize(300, 200))
        table.show()
        assert len(left_numbers(table)) == expected
