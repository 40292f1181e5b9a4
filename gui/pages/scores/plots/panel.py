"""Plot below the table, with choice of kind."""

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from awase.core.metrics.significance import ScoreArrays
from awase.core.plots.picture import Key
from awase.core.records.corpus import Corpus
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.flow import FlowLayout, scrolled_down, stacked, together
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.pictures.view import Plot, PlotView
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.scores.plots.pictures import PlotKind, Quantity, plot_of, quantities
from awase.gui.session.pages import LOST_BY, Cause

_TITLES = {
    PlotKind.BARS: mark("Bars with intervals"),
    PlotKind.TOPICS: mark("Topic by topic"),
    PlotKind.SCATTER: mark("One against another"),
    PlotKind.HEAT: mark("Topics by systems"),
}

# Height of a plot, in heights of a line, that is asked for at most; a longer one scrolls.
_MOST_PLOT = 16


class _WholePlot(PlotView):
    """Plot at its full height, inside the scrolling panel."""

    def minimumSizeHint(self) -> QSize:
        usual, bar = super().minimumSizeHint(), self.table.horizontalScrollBar().sizeHint()
        most = self.fontMetrics().height() * _MOST_PLOT
        needed = min(most, self.picture.minimumHeight() + bar.height())
        return QSize(usual.width(), max(usual.height(), needed))


class PlotPanel(QWidget):
    """Plots the table, keeping the selection."""

    causeChosen = Signal(object)  # the `Cause` of the mark that was chosen

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scores: ScoreArrays | None = None
        self._corpus = Corpus()
        self._offered: list[Quantity] = []
        self.kind, self.plotted, self.against = ElidedComboBox(), ElidedComboBox(), ElidedComboBox()
        self._against_label, self.note = QLabel(), QLabel()
        self.note.setProperty("look", "muted")
        self.note.setWordWrap(True)
        for kind in PlotKind:
            self.kind.addItem("", kind)
        self.view = _WholePlot(themes)
        self.view.table.way = LOST_BY
        self.save, self.copy = QPushButton(), QPushButton()
        self._lay_out()
        for box in (self.kind, self.plotted, self.against):
            box.activated.connect(self._draw)
        self.save.clicked.connect(self.view.picture.save)
        self.copy.clicked.connect(self.view.picture.copy)
        self.view.chosen.connect(self._on_chosen)
        self._bind_texts()

    def show_scores(self, scores: ScoreArrays, corpus: Corpus) -> None:
        """Plots these scores."""
        self._scores, self._corpus = scores, corpus
        if self.isVisible():
            self._fill()

    def choose(
        self, kind: PlotKind, of: Quantity | None = None, against: Quantity | None = None
    ) -> None:
        """Selects a plot; None keeps a quantity."""
        self.kind.setCurrentIndex(self.kind.findData(kind))
        for box, quantity in ((self.plotted, of), (self.against, against)):
            if quantity in self._offered:
                box.setCurrentIndex(self._offered.index(quantity))
        self._draw()

    def showEvent(self, event: QEvent) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._fill()

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        choices = FlowLayout()
        choices.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        choices.setSpacing(line_px // 2)
        self._pair = together(self._against_label, self.against)
        for widget in (self.kind, self.plotted, self._pair, self.copy, self.save, self.note):
            choices.addWidget(widget)
        parts = QWidget()
        stacked(parts, choices, self.view, grows=self.view)
        scroll = scrolled_down(parts)
        stacked(self, scroll, grows=scroll)

    def _bind_texts(self) -> None:
        bind(self.kind, "accessibleName", mark("Kind of plot"))
        bind(self.plotted, "accessibleName", mark("What is plotted"))
        bind(self.against, "accessibleName", mark("Against what"))
        bind(self._against_label, "text", mark("against"))
        bind(self.copy, "text", mark("Copy the picture"))
        bind(self.save, "text", mark("Save the picture…"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        for row, title in enumerate(_TITLES.values()):
            self.kind.setItemText(row, tr(title))
        if self.isVisible():  # it is filled when it is shown
            self._fill()

    def _on_chosen(self, key: Key) -> None:
        """Goes from a mark to the loss behind its number."""
        system, *topic = key
        of = self._offered[self.plotted.currentIndex()]
        self.causeChosen.emit(
            Cause(
                topic=topic[0] if topic else None,
                system=system,
                length=of.length,
                metric=of.metric.metric if of.metric is not None else "",
            )
        )

    def _fill(self) -> None:
        """Fills the possible plots, and draws the selected or first one."""
        if self._scores is None:
            return
        titles = quantities(self._scores, self._corpus)
        before, self._offered = self._offered, [*titles]
        for box, first in ((self.plotted, 0), (self.against, 1)):
            chosen = before[box.currentIndex()] if before else None
            box.clear()
            box.addItems([*titles.values()])
            place_of = {quantity: at for at, quantity in enumerate(self._offered)}
            at = min(first, box.count() - 1)
            box.setCurrentIndex(at if chosen is None else place_of.get(chosen, at))
        self._draw()

    def _draw(self) -> None:
        kind = self.kind.currentData()
        is_pair = kind is PlotKind.SCATTER
        self._pair.setVisible(is_pair)
        plot = Plot(make=None)
        if self._scores is not None and self._offered:
            of, against = (
                self._offered[box.currentIndex()] for box in (self.plotted, self.against)
            )
            plot = plot_of(kind, of, against, self._scores, self._corpus)
        self.view.show_plot(plot)
        self.view.updateGeometry()
        self.note.setText(plot.note)
        for button in (self.copy, self.save):
            button.setEnabled(plot.make is not None)
