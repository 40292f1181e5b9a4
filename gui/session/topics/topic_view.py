"""Topic search: field, filter and table, for the Project page and popups."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from awase.core.team.topic_list import TopicFilter
from awase.gui.kit.announcing import LiveLabel
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.grid.flat_table import FlatTable
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, ntr, tr
from awase.gui.session.session import CorpusSession
from awase.gui.session.topics.lines import TopicLines, people_by_topic
from awase.gui.session.topics.model import ID_ROLE, N_COLUMNS, TopicModel

_MOVING_KEYS: Final = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
_MOST_MEASURED: Final = 100
# Width left to names where not all are measured, and before the numbers, in heights of a line.
_NAME, _FREE = 40, 16
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_FILTERS: Final[Mapping[TopicFilter, str]] = {
    TopicFilter.ALL: mark("all topics"),
    TopicFilter.MINE: mark("assigned to me"),
    TopicFilter.OPEN: mark("mine, not done"),
    TopicFilter.DONE: mark("mine, done"),
    TopicFilter.FLAGGED: mark("mine, flagged"),
}


class _Table(FlatTable):
    _name_px = 0

    def __init__(self) -> None:
        super().__init__()
        self.setSortingEnabled(True)
        self.horizontalHeader().setSortIndicatorClearable(True)

    def fit(self) -> None:
        """Sizes each column to its longest texts among the first hundred rows."""
        super().fit()
        metrics, header, model = self.fontMetrics(), self.horizontalHeader(), self.model()
        n_measured = min(_MOST_MEASURED, model.rowCount())
        for column in range(N_COLUMNS):
            cells = (model.index(row, column) for row in range(n_measured))
            texts = [str(cell.data() or "") for cell in cells]
            title = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
            width = max(map(metrics.horizontalAdvance, [*texts, f"{title}   "]))
            needed = width + round(metrics.height() * 1.6)
            if not column:
                is_known = n_measured == model.rowCount()
                self._name_px = needed if is_known else max(needed, metrics.height() * _NAME)
                continue
            # What nobody has needs no room.
            self.setColumnHidden(column, column > 2 and not any(texts))
            header.resizeSection(column, min(needed, metrics.height() * 14))
        self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Stretches the names' column, with numbers close by."""
        header, most = self.horizontalHeader(), self._name_px + self.fontMetrics().height() * _FREE
        header.setStretchLastSection(False)  # it has its own width again
        left = self.viewport().width() - sum(map(header.sectionSize, range(1, header.count())))
        modes = QHeaderView.ResizeMode
        header.setSectionResizeMode(0, modes.Interactive if left > most else modes.Stretch)
        header.setStretchLastSection(left > most)  # the row chosen goes on to the edge
        if left > most:
            header.resizeSection(0, most)


class TopicView(QWidget):
    """Table of topics; typing searches, arrows move, Enter or a click selects."""

    chosen = Signal(str)  # id of the topic, or of an entry that stands before them

    def __init__(self, session: CorpusSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._lines = TopicLines.of(session)
        self._first: tuple[tuple[str, str], ...] = ()
        self.model = TopicModel(self)
        self.field, self.filter, self.count = QLineEdit(), ElidedComboBox(), LiveLabel()
        self.table = _Table()
        self.table.setModel(self.model)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.count.setProperty("look", "muted")
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        self.table.installEventFilter(self)
        for shown in _FILTERS:
            self.filter.addItem("", shown)
        if self._lines.has_work:
            self.filter.setCurrentIndex(self.filter.findData(TopicFilter.MINE))
            self.model.keep(TopicFilter.MINE)
        self._lay_out()
        self.field.textChanged.connect(self._on_typed)
        self.filter.currentIndexChanged.connect(self._on_filtered)
        self.table.clicked.connect(self._choose)
        session.othersMoved.connect(self._show_others)
        self._bind_texts()

    def offer(self, current: str = "", first: Sequence[tuple[str, str]] = ()) -> None:
        """Refreshes the rows, after the entries `first`, and selects `current`."""
        self._first = tuple(first)
        self.model.set_topics(self._lines.finder(), self._session.who, self._first)
        self._show_others()
        self._stand_at(self.model.row_of(current))
        self._show_count()

    def begin(self) -> None:
        """Focuses the field and selects its text."""
        self.field.setFocus()
        self.field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in _ENTER:
                self._choose(self.table.currentIndex())
                return True
            if watched is self.field and event.key() in _MOVING_KEYS:
                self.table.event(event)
                return True
            if watched is self.table and event.text().isprintable() and event.text().strip():
                self.field.setFocus()
                self.field.event(event)
                return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        row = QHBoxLayout()
        row.setSpacing(line_px // 2)
        row.addWidget(self.field, 1)
        row.addWidget(self.filter)
        row.addWidget(self.count)
        row.addStretch(0)
        self.field.setMaximumWidth(line_px * _NAME)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(line_px // 2)
        layout.addLayout(row)
        layout.addWidget(self.table, 1)
        self.setFocusProxy(self.field)

    def _show_others(self) -> None:
        self.model.show_here(people_by_topic(self._session))
        self.table.fit()

    def _stand_at(self, row: int) -> None:
        index = self.model.index(max(0, row), 0)
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _on_typed(self, words: str) -> None:
        self.model.look_for(words)
        self._stand_at(self.model.first_topic_row() if words.strip() else 0)
        self._show_count()

    def _on_filtered(self) -> None:
        self.model.keep(TopicFilter(self.filter.currentData()))
        self._stand_at(0)
        self._show_count()

    def _choose(self, index: QModelIndex) -> None:
        topic_id = index.data(ID_ROLE) if index.isValid() else None
        if topic_id is not None:
            self.chosen.emit(str(topic_id))

    def _show_count(self) -> None:
        shown, total = self.model.n_topics, self.model.n_all
        text = ntr("{n} topic", "{n} topics", total)
        self.count.setText(
            text if shown == total else tr("{shown} of {all}", shown=shown, all=text)
        )

    def _bind_texts(self) -> None:
        bind(self.field, "placeholderText", mark("Find a topic by id or title"))
        bind(self.field, "accessibleName", mark("Find a topic"))
        bind(self.filter, "accessibleName", mark("Which topics"))
        bind(self.table, "accessibleName", mark("Topics"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        for at, title in enumerate(_FILTERS.values()):
            self.filter.setItemText(at, tr(title))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, N_COLUMNS - 1)
        self.table.fit()
        self._show_count()
