"""Base of table models with right-aligned numbers."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from awase.gui.kit.texts.i18n import tr

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT: Final = QModelIndex()
_DISPLAY: Final = Qt.ItemDataRole.DisplayRole
_ALIGNMENT: Final = Qt.ItemDataRole.TextAlignmentRole


def side_of(*, is_number: bool) -> Qt.AlignmentFlag:
    """Returns the alignment of numbers or texts."""
    side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def side_of_title(*, is_number: bool, is_sorted: bool) -> Qt.AlignmentFlag:
    """Returns a title's alignment: its cells', but away from the arrow of the sorted column."""
    # Qt paints the arrow over right-aligned text.
    if not is_number:
        return Qt.AlignmentFlag.AlignLeft
    return Qt.AlignmentFlag.AlignHCenter if is_sorted else Qt.AlignmentFlag.AlignRight


class TableModel(QAbstractTableModel):
    """A table with a title over each column; numbers and their titles stand at the right."""

    titles: Sequence[str] = ()  # English messages over the columns
    numbers: Collection[int] = ()  # the columns that have numbers
    rows: Sequence[Any] = ()
    sorted_column = -1  # by which the rows are sorted; -1 = by none that is shown

    def told(self, index: _Index, role: int) -> object:
        """Returns what else there is about a cell."""
        raise NotImplementedError

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.titles)

    def data(self, index: _Index, role: int = _DISPLAY) -> object:
        if not index.isValid():
            return None
        if role == _ALIGNMENT:
            return side_of(is_number=index.column() in self.numbers)
        return self.told(index, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if orientation is not Qt.Orientation.Horizontal or section >= self.columnCount():
            return None
        if role == _ALIGNMENT:
            is_sorted = section == self.sorted_column
            side = side_of_title(is_number=section in self.numbers, is_sorted=is_sorted)
            return side | Qt.AlignmentFlag.AlignVCenter
        title = self.titles[section]
        return (title and tr(title)) if role == _DISPLAY else None
