"""Base of table models with right-aligned numbers."""

from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

_Index = QModelIndex | QPersistentModelIndex
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
    """A table with column titles; numbers and their titles are right-aligned."""

    sorted_column = -1  # by which the rows are sorted; -1 = by none that is shown

    def title(self, column: int) -> str:
        raise NotImplementedError

    def holds_numbers(self, column: int) -> bool:
        """Returns whether a column has numbers, which are right-aligned."""
        raise NotImplementedError

    def told(self, index: _Index, role: int) -> object:
        """Returns other data of a cell."""
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
