"""What a table of one's own rows answers, so that numbers stand at the right in every one."""

from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

_Index = QModelIndex | QPersistentModelIndex
_DISPLAY: Final = Qt.ItemDataRole.DisplayRole
_ALIGNMENT: Final = Qt.ItemDataRole.TextAlignmentRole


def side_of(*, is_number: bool) -> Qt.AlignmentFlag:
    """Returns where numbers, or texts, and their title stand in a column."""
    side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def side_of_title(*, is_number: bool, is_sorted: bool) -> Qt.AlignmentFlag:
    """Returns where a title stands: over its texts or numbers, but off the sorted one's arrow.

    Qt draws the arrow over what stands at the right.
    """
    if not is_number:
        return Qt.AlignmentFlag.AlignLeft
    return Qt.AlignmentFlag.AlignHCenter if is_sorted else Qt.AlignmentFlag.AlignRight


class TableModel(QAbstractTableModel):
    """A table with a title over each column; numbers and their titles stand at the right."""

    sorted_column = -1
    """By which the rows are sorted; -1 = by none that is shown."""

    def title(self, column: int) -> str:
        """Returns what stands over a column."""
        raise NotImplementedError

    def holds_numbers(self, column: int) -> bool:
        """Returns whether a column has numbers, which stand at the right."""
        raise NotImplementedError

    def told(self, index: _Index, role: int) -> object:
        """Returns what else there is about a cell."""
        raise NotImplementedError

    def data(self, index: _Index, role: int = _DISPLAY) -> object:
        if not index.isValid():
            return None
        if role == _ALIGNMENT:
            return side_of(is_number=self.holds_numbers(index.column()))
        return self.told(index, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if orientation is not Qt.Orientation.Horizontal or section >= self.columnCount():
            return None
        if role == _ALIGNMENT:
            is_sorted = section == self.sorted_column
            side = side_of_title(is_number=self.holds_numbers(section), is_sorted=is_sorted)
            return side | Qt.AlignmentFlag.AlignVCenter
        return self.title(section) if role == _DISPLAY else None
