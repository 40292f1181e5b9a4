"""View of the scores: sortable, as wide as there is room; cells are links."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QWidget

from awase.core.reports.grid import Grid
from awase.core.reports.score_views import Arrangement, View, ViewKind
from awase.gui.kit.grid.copying import copy_report
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.scores.table.delegate import ScoreDelegate
from awase.gui.pages.scores.table.model import ScoresModel
from awase.gui.pages.scores.table.shown_report import report_of
from awase.gui.session.pages import LOST_BY, Cause

# Of a column, of the first one, and what each is given of the room left: in heights of a line.
_NARROWEST, _NARROWEST_NAME, _MOST_SPARE = 4, 6, 4


class ScoresTable(GridView):
    """Table of scores; Ctrl+C copies all, Enter goes from a number to its loss."""

    ROW_LINES = 1.9  # there is a bar below each number

    viewChosen = Signal(object)  # the `View` that a cell leads to
    causeChosen = Signal(object)  # the `Cause` of the number that was chosen

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        self.scores = ScoresModel()
        super().__init__(parent, self.scores)
        self.setItemDelegate(ScoreDelegate(themes, self))
        self.setAlternatingRowColors(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.clicked.connect(self._on_clicked)
        self.activated.connect(self._on_activated)

    @property
    def arrangement(self) -> Arrangement:
        return self.scores.arrangement

    def show_arrangement(self, arrangement: Arrangement) -> None:
        """Replaces the arrangement, keeping sorting and cell."""
        row, column, before = (
            self.row_of(index := self.currentIndex()),
            index.column(),
            self.arrangement,
        )
        self._needs = []  # they are of the columns until now
        self.scores.show_arrangement(arrangement)
        self.fit()
        if self.hasFocus():  # Qt marks a first cell as the keyboard comes, not when rows do later
            first, mode = self.grid.index(0, 0), QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(first, mode)
        if row < 0 or before.view != arrangement.view:
            return
        name, columns = before.rows[row].name, [None, *arrangement.columns]
        kept = before.columns[column - 1] if column else None
        at = next((at for at, one in enumerate(arrangement.rows) if one.name == name), -1)
        if at >= 0 and kept in columns:
            self.choose(at, columns.index(kept))

    def forget_order(self) -> None:
        """Resets the sorting."""
        self.grid.sort(-1)

    def report(self) -> Grid:
        """Returns the table as shown."""
        return report_of(self.arrangement, [*self.grid.order])

    def copy(self) -> None:
        """Copies the table as displayed."""
        copy_report(self.report())

    def _share_room(self) -> None:
        """Fills the width; narrow windows get less padding, then hide spare columns."""
        header, line_px = self.horizontalHeader(), self.fontMetrics().height()
        room, columns = self.viewport().width(), self.grid.columns
        widths = {
            at: max(need.usual, line_px * (_NARROWEST if at else _NARROWEST_NAME))
            for at, need in enumerate(self._needs)
        }
        self._is_close = sum(widths.values()) > room
        if self._is_close:
            widths = {at: need.least for at, need in enumerate(self._needs)}
        if sum(widths.values()) > room:
            widths = {at: width for at, width in widths.items() if not columns[at].is_spare}
        left = max(0, room - sum(widths.values())) // max(1, len(widths))
        for at in range(len(self._needs)):
            header.setSectionHidden(at, at not in widths)
            if at in widths:
                header.resizeSection(at, widths[at] + min(left, line_px * _MOST_SPARE))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() == 0:
            self._on_activated(index)

    def _on_activated(self, index: QModelIndex) -> None:
        row, shown = self.grid.row_at(index), self.arrangement
        column = shown.columns[index.column() - 1] if index.column() else None
        if column is not None and column.metric is not None:
            self.causeChosen.emit(self.cause_at(index))
            return
        name = shown.rows[row].name
        kind = ViewKind.SYSTEM if shown.has_systems_in_rows else ViewKind.TOPIC
        self.viewChosen.emit(View(kind=kind, subject=name))

    def leads_to(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """Returns where Enter leads: from a number to its cause, else to scores of their own."""
        shown = self.arrangement
        has_metric = index.column() and shown.columns[index.column() - 1].metric is not None
        if not has_metric:
            return tr("Enter shows its scores alone.")
        if shown.has_systems_in_rows:
            return tr("Enter shows the sentences that it was lost by, T the metric topic by topic.")
        return tr(LOST_BY)

    def cause_at(self, index: QModelIndex) -> Cause:
        """Returns a cell's system, topic and metric."""
        row, shown = self.grid.row_at(index), self.arrangement
        name = shown.rows[row].name
        column = shown.columns[index.column() - 1]
        metric = column.metric.metric if column.metric is not None else ""
        if shown.has_systems_in_rows:
            topic = shown.view.subject or None
            return Cause(topic=topic, system=name, length=column.length, metric=metric)
        system = column.system or shown.view.subject
        return Cause(topic=name, system=system, length=column.length, metric=metric)

    def show_by_topics(self) -> bool:
        """Shows the current metric by topic; returns whether there is one."""
        index, shown = self.currentIndex(), self.arrangement
        column = shown.columns[index.column() - 1] if index.column() > 0 else None
        if column is None or column.metric is None or not shown.has_systems_in_rows:
            return False
        view = View(kind=ViewKind.METRIC, length=column.length, metric=column.metric)
        self.viewChosen.emit(view)
        return True
