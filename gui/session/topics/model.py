"""Model of topics: search, filter and sort."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from awase.core.reports.grid import UNDEFINED
from awase.core.team.topic_list import (
    TopicFilter,
    TopicFinder,
    TopicLine,
    TopicOrder,
    TopicState,
)
from awase.gui.kit.grid.table_model import TableModel
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.session.topics.lines import name_of, tip_of

Index = QModelIndex | QPersistentModelIndex
ID_ROLE: Final = Qt.ItemDataRole.UserRole
_NO_PARENT: Final = QModelIndex()
_SIGNS: Final[Mapping[TopicState, str]] = {
    TopicState.NOTHING: UNDEFINED,
    TopicState.TODO: "○",
    TopicState.BEGUN: "◐",
    TopicState.DONE: "●",
}
STATES: Final[Mapping[TopicState, str]] = {
    TopicState.NOTHING: mark("nothing to align"),
    TopicState.TODO: mark("to do"),
    TopicState.BEGUN: mark("begun"),
    TopicState.DONE: mark("done"),
}
_TITLES: Final = (
    mark("Topic"),
    mark("State"),
    mark("Settled"),
    mark("Flags"),
    mark("Others"),
    mark("Due"),
    mark("Here now"),
)
_ORDERS: Final = (
    TopicOrder.NAME,
    TopicOrder.PROGRESS,
    TopicOrder.PROGRESS,
    TopicOrder.FLAGS,
    TopicOrder.WORK,
    TopicOrder.DUE,
    TopicOrder.WORK,
)
N_COLUMNS: Final = len(_TITLES)
_HERE: Final = N_COLUMNS - 1
_COUNTS: Final = (2, 3)


class TopicModel(TableModel):
    """Rows of topics; entries for no single topic come first, whatever the filter."""

    titles, numbers = _TITLES, _COUNTS

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._finder = TopicFinder((), "", None)
        self._first: tuple[tuple[str, str], ...] = ()
        self._places: Sequence[int] = ()
        self._here: Mapping[str, str] = {}
        self._who, self._words, self._filter = "", "", TopicFilter.ALL
        self._order, self._is_descending = TopicOrder.WORK, False

    def set_topics(
        self, finder: TopicFinder, who: str, first: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Shows the topics' rows for `who`, after the entries `first` (id and text)."""
        self._finder, self._who, self._first = finder, who, tuple(first)
        self._find()

    def show_here(self, here: Mapping[str, str]) -> None:
        """Shows other clients' positions by topic id."""
        self._here = here
        if self.rowCount():
            last = self.index(self.rowCount() - 1, _HERE)
            self.dataChanged.emit(self.index(0, _HERE), last)

    def look_for(self, words: str) -> None:
        self._words = words
        self._find()

    def keep(self, shown: TopicFilter) -> None:
        self._filter = shown
        self._find()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; -1 = by work."""
        self.sorted_column = column
        self._order = TopicOrder.WORK if column < 0 else _ORDERS[column]
        self._is_descending = column >= 0 and order is Qt.SortOrder.DescendingOrder
        self._find()

    def row_of(self, topic_id: str) -> int:
        """Returns the row of a topic or of an entry before them; -1 = it is not shown."""
        first = [data for data, _ in self._shown_first()]
        if topic_id in first:
            return first.index(topic_id)
        place = self._finder.place_of(topic_id)
        if place is None or place not in self._places:
            return -1
        return len(first) + self._places.index(place)

    def first_topic_row(self) -> int:
        """Returns the row of the first topic, which Enter chooses once something was typed."""
        return len(self._shown_first()) if self._places else 0

    @property
    def n_topics(self) -> int:
        """Number of rows."""
        return len(self._places)

    @property
    def n_all(self) -> int:
        """Number of all topics."""
        return len(self._finder)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._shown_first()) + len(self._places)

    def told(self, index: Index, role: int) -> object:
        first = self._shown_first()
        if index.row() < len(first):
            return _of_first(first[index.row()], index.column(), role)
        line = self._line(index.row() - len(first))
        if role == Qt.ItemDataRole.DisplayRole:
            is_loaded = index.column() == _HERE
            return self._here.get(line.id, "") if is_loaded else _text(line, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_of(line, self._who)
        return line.id if role == ID_ROLE else None

    def _shown_first(self) -> tuple[tuple[str, str], ...]:
        return () if self._words.strip() else self._first

    def _line(self, at: int) -> TopicLine:
        return self._finder.line(self._places[at])

    def _find(self) -> None:
        self.beginResetModel()
        self._places = self._finder.found(
            self._words, self._filter, self._order, is_descending=self._is_descending
        )
        self.endResetModel()


def _of_first(entry: tuple[str, str], column: int, role: int) -> object:
    if role == ID_ROLE:
        return entry[0]
    return entry[1] if role == Qt.ItemDataRole.DisplayRole and column == 0 else None


def _text(line: TopicLine, column: int) -> str:
    if column == 0:
        return name_of(line)
    if column == 1:
        return f"{_SIGNS[line.state]} {tr(STATES[line.state])}"
    if column == 2:
        return f"{line.n_settled}/{line.n_sentences}" if line.n_sentences else ""
    if column == 3:
        return str(line.n_flagged or "")
    if column == 4:
        return " · ".join(f"{who} {n}" for who, n in line.others)
    return line.due or ""
