"""Tables are sorted by keys as by a click on a column's title."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from awase.gui.kit.announcing import announce
from awase.gui.kit.texts.i18n import tr

_UP, _DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def sort_by_current_column(widget: QWidget | None) -> bool:
    """Sorts by the current cell's column: ascending, descending, unsorted.

    The result is announced; the current cell stays. Returns whether the table is sortable.
    """
    if not isinstance(widget, QTableView) or not widget.isSortingEnabled():
        return False
    model, header = widget.model(), widget.horizontalHeader()
    column = widget.currentIndex().column()
    if model is None or column < 0:
        return False
    order: Qt.SortOrder | None = _UP
    if header.sortIndicatorSection() == column:
        order = _DOWN if header.sortIndicatorOrder() is _UP else None
    widget.sortByColumn(-1 if order is None else column, _UP if order is None else order)
    widget.scrollTo(widget.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)
    title = str(model.headerData(column, Qt.Orientation.Horizontal) or "").replace("\n", " ")
    announce(widget, _told(title, order))
    return True


def _told(title: str, order: Qt.SortOrder | None) -> str:
    if order is None:
        return tr("Not sorted")
    if order is _UP:
        return tr("Sorted by {column}, lowest first", column=title)
    return tr("Sorted by {column}, highest first", column=title)
