"""What was found: the papers' table, the differences between metrics, the systems in a plot."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QWidget,
)

from awase.core.plots.charts import Point
from awase.core.statistics.correlation.coefficients import PAPERS, Coefficient
from awase.core.statistics.correlation.study import Study
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.flow import stacked
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.model import GridModel
from awase.gui.kit.grid.sharing_splitter import SharingSplitter
from awase.gui.kit.grid.spread_table import SpreadTable
from awase.gui.kit.in_turn import TurnTabs
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.pictures.plot_view import PlotView
from awase.gui.kit.pictures.scatter_plot import scatter_plot
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.correlations.tables import differences_grid, study_grid
from awase.gui.session.metrics.drafts import measure_title, metric_title
from awase.gui.session.pages import LOST_BY

_LEAST_WIDTH, _LEAST_HEIGHT = 56, 26
"""Below which one thing is shown at a time, in heights of a line."""


class _TablesAndPlot(SharingSplitter):
    """As wide as the tables need: up to half, or three fifths of much or for the papers' table."""

    def __init__(self, table: GridView, matrix: GridView) -> None:
        super().__init__()
        self._table, self._matrix = table, matrix

    def first_px(self) -> int:
        bar = self._table.verticalScrollBar().sizeHint().width()
        needed = self._table.wanted_px() + bar
        names = self._matrix.verticalHeader().sizeHint().width()
        both = max(needed, self._matrix.wanted_px() + names + bar)
        half, most = self.width() // 2, self.width() * 3 // 5
        is_wide = self.width() >= 2 * _LEAST_WIDTH * self.fontMetrics().height()
        return max(min(both, most if is_wide else half), min(needed, most))


class _Tables(SharingSplitter):
    """The papers' table as high as its rows, down to half; the other one has the rest."""

    def __init__(self, table: GridView, matrix: GridView, titled: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._table, self._matrix = table, matrix
        self._title_px = titled.sizeHint().height() - matrix.sizeHint().height()
        self.addWidget(table)
        self.addWidget(titled)

    def first_px(self) -> int:
        room = self.room_px()
        rest = self._matrix.wanted_height_px() + self._title_px
        return min(self._table.wanted_height_px(), max(room // 2, room - rest))


class StudyResults(QWidget):
    """Tables on the left, the plot of the chosen row on the right; in turn where room is scarce."""

    systemChosen = Signal(str)
    """The system of the point that was chosen."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._study: Study | None = None
        self.model, self.differences = GridModel(self), GridModel(self)
        self.table, self.matrix = SpreadTable(model=self.model), GridView(model=self.differences)
        for table in (self.table, self.matrix):
            _prepare(table)
        self.matrix.verticalHeader().show()
        self.coefficient, self._title = ElidedComboBox(), QLabel()
        self.plot = PlotView(themes)
        self.plot.table.way = LOST_BY
        for coefficient in PAPERS:
            self.coefficient.addItem(coefficient.value, coefficient.value)
        self._differences = self._titled_matrix()
        self._tables = _Tables(self.table, self.matrix, self._differences)
        self.both = _TablesAndPlot(self.table, self.matrix)
        self.both.addWidget(self._tables)
        self.both.addWidget(self.plot)
        self.tabs = TurnTabs(self.table, self._differences, self.plot)
        self.tabs.currentChanged.connect(self._share_out)
        stacked(self, self.tabs, self.both, grows=self.both)
        self.coefficient.currentIndexChanged.connect(self._show_differences)
        self.table.selectionModel().currentRowChanged.connect(self._show_plot)
        self.plot.chosen.connect(lambda key: self.systemChosen.emit(key[0]))
        self.retranslate()

    def _titled_matrix(self) -> QWidget:
        line_px = self.fontMetrics().height()
        heading = QHBoxLayout()
        heading.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        heading.setSpacing(line_px // 2)
        heading.addWidget(self._title)
        heading.addWidget(self.coefficient)
        heading.addStretch(1)
        titled = QWidget()
        stacked(titled, heading, self.matrix, grows=self.matrix)
        return titled

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        line_px = self.fontMetrics().height()
        has_room = self.width() >= _LEAST_WIDTH * line_px and (
            self.height() >= _LEAST_HEIGHT * line_px
        )
        self.tabs.take_turns(not has_room)
        if self._study is None:  # while it is computed, a plot and tables of nothing say nothing
            for part in (self.tabs, self._differences, self.plot):
                part.hide()
        ways = Qt.Orientation
        self.plot.setOrientation(ways.Vertical if has_room else ways.Horizontal)
        self._tables.setHidden(self.table.isHidden() and self._differences.isHidden())
        self.both.share_out()
        self._tables.share_out()

    @property
    def place(self) -> int:
        """Which metric is chosen, as the study has them; -1 = none."""
        return self.table.row_of(self.table.currentIndex())

    def choose(self, place: int) -> None:
        """Chooses a metric, numbered as the study has them."""
        self.table.choose(place)

    def show_study(self, study: Study) -> None:
        """Shows a study, its first metric in the plot."""
        self._study = study
        self.table.show_grid(study_grid(study))
        self._share_out()
        self.choose(0)
        self._show_differences()

    def retranslate(self) -> None:
        """Writes every text in the window's language."""
        self._title.setText(tr("Row less column"))
        self.tabs.write(tr("Correlations"), tr("Differences"), tr("Plot"))
        self.coefficient.setAccessibleName(tr("Coefficient"))
        self.table.setAccessibleName(tr("Correlations"))
        self.matrix.setAccessibleName(tr("Differences between metrics"))
        if self._study is not None:
            place = max(0, self.place)
            self.table.show_grid(study_grid(self._study))
            self.choose(place)
            self._show_differences()

    def _show_differences(self) -> None:
        if self._study is None:
            return
        coefficient = Coefficient(self.coefficient.currentData())
        self.matrix.show_grid(differences_grid(self._study, coefficient))

    def _show_plot(self) -> None:
        if self._study is None or not 0 <= self.place < len(self._study.results):
            return
        result = self._study.results[self.place]
        points = [Point(label=p.system, x=p.metric, y=p.human) for p in result.points]
        titles = metric_title(result.metric), measure_title(self._study.human)
        self.plot.show_plot(scatter_plot(points, *titles))


def _prepare(table: GridView) -> None:
    table.setAlternatingRowColors(True)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.horizontalHeader().setDefaultAlignment(
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    )
