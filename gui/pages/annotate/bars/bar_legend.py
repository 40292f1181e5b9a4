"""What the bars beside the abstract's sentences are: each system by its colour."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from awase.core.errors import Listing
from awase.gui.kit.look.style_states import NEW_SIZES
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.rows.painting import Scale, metrics_of, smaller
from awase.gui.kit.texts.i18n import tr

MOST_LINES: Final = 2
"""The sentences need the room more; the tool tip has all names."""


class _Entry(NamedTuple):
    """A system's place."""

    at: int
    """Of the system among all, which gives it its colour; -1 = what all bars tell."""
    name: str
    left: float
    line: int


class BarLegend(QWidget):
    """Names the systems in the order of their bars, with the mark of the chosen one."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._systems: tuple[tuple[int, str], ...] = ()
        self._chosen = ""
        self._most_lines = MOST_LINES
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        themes.changed.connect(self._on_theme_changed)

    def show_systems(self, systems: Sequence[tuple[int, str]], chosen: str) -> None:
        """Shows systems by their places among all; hidden while there are none."""
        self.setVisible(bool(systems))
        names = Listing(name for _, name in systems)
        told = tr("Bars: {systems} (how much of the sentence each has)", systems=names)
        if told != self.toolTip():
            self.setToolTip(told)
            self.setAccessibleName(told)
        if (tuple(systems), chosen) != (self._systems, self._chosen):
            self._systems, self._chosen = tuple(systems), chosen
            self.updateGeometry()
            self.update()

    def allow_lines(self, most: int) -> None:
        """Takes no more lines than this, which may be none; at most `MOST_LINES`."""
        if most != self._most_lines:
            self._most_lines = most
            self.updateGeometry()
            self.update()

    def names(self) -> tuple[str, ...]:
        """Returns the names as they are written at the width that there is."""
        return tuple(entry.name for entry in self._entries(self.width()) if entry.at >= 0)

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def heightForWidth(self, width: int) -> int:
        entries = self._entries(width)
        n_lines = entries[-1].line + 1 if entries else 0
        return n_lines * self.fontMetrics().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in NEW_SIZES:
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme, scale = QPainter(self), self._themes.theme, Scale.of(self.font())
        small = smaller(self.font())
        painter.setFont(small)
        mark = max(2.0, scale.line * 0.12)
        ascent = metrics_of(small).ascent()
        for entry in self._entries(self.width()):
            top, left = entry.line * scale.line, entry.left
            if entry.at >= 0:
                bar = QRectF(left, top + scale.line * 0.1, scale.line * 0.32, scale.line * 0.65)
                painter.fillRect(bar, theme.bar(entry.at))
                left += _before(scale)
                if self._is_chosen(entry.at):
                    under = QRectF(bar.left(), bar.bottom() + mark / 2, bar.width(), mark)
                    painter.fillRect(under, theme.colour("text"))
            painter.setPen(theme.colour("muted"))
            baseline = top + (scale.line - metrics_of(small).height()) / 2 + ascent
            painter.drawText(QPointF(left, baseline), entry.name)
        painter.end()

    def _is_chosen(self, at: int) -> bool:
        return len(self._systems) > 1 and (at, self._chosen) in self._systems

    def _entries(self, width: int) -> list[_Entry]:
        """Returns where the systems stand; the last that has no room ends with …."""
        scale, metrics = Scale.of(self.font()), metrics_of(smaller(self.font()))
        before = _before(scale)
        found: list[_Entry] = []
        left, line = 0.0, 0
        if not self._most_lines:
            return found
        for at, name in self._systems:
            needed = before + metrics.horizontalAdvance(name)
            if left and left + needed > width and line + 1 < self._most_lines:
                left, line = 0.0, line + 1
            room = width - left - before
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
            found.append(_Entry(at, shown, left, line))
            if shown != name and line + 1 == self._most_lines:
                return found
            left += needed + scale.line * 0.5
        told = tr("share of the sentence")
        needed = metrics.horizontalAdvance(told)
        if left and left + needed > width and line + 1 < self._most_lines:
            left, line = 0.0, line + 1
        if self._systems and left + needed <= width:
            found.append(_Entry(-1, told, left, line))
        return found

    def _on_theme_changed(self, _theme: object) -> None:
        self.update()


def _before(scale: Scale) -> float:
    """Returns the width of a bar and of the gap behind it."""
    return scale.line * 0.52
