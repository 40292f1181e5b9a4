"""The systems as points: a metric's mean across, the human mean up."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from awase.core.statistics.study import Point
from awase.gui.i18n import tr
from awase.gui.theme import ThemeBox

_TICKS = 5


class ScatterPlot(QWidget):
    """Draws points with the names that find room; the tool tip tells the others."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._points: tuple[Point, ...] = ()
        self._metric, self._human = "", ""
        themes.changed.connect(self.update)

    def show_points(self, points: Sequence[Point], metric: str, human: str) -> None:
        """Replaces what is shown."""
        self._points, self._metric, self._human = tuple(points), metric, human
        self.setAccessibleName(tr("{metric} against {human}", metric=metric, human=human))
        self.update()

    def sizeHint(self) -> QSize:
        side = self.fontMetrics().height() * 22
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() / 2

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            point = self._point_at(QPointF(event.pos()))
            text = f"{point.system}\n{point.metric:.4f}  {point.human:.4f}" if point else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._themes.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.colour("base"))
        if not self._points:
            return
        plot = self._plot()
        self._paint_axes(painter, plot)
        places = [self._place(point, plot) for point in self._points]
        radius = self._radius()
        painter.setPen(QPen(theme.colour("base"), 1))
        painter.setBrush(theme.bar(0))
        for place in places:
            painter.drawEllipse(place, radius, radius)
        painter.setPen(theme.colour("text"))
        metrics = QFontMetricsF(self.font())
        names = [point.system for point in self._points]
        for name, rect in zip(names, label_places(names, places, plot, metrics, radius),
                              strict=True):  # fmt: skip
            if rect is not None:
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, name)

    def _radius(self) -> float:
        return max(3.0, self.fontMetrics().height() * 0.22)

    def _plot(self) -> QRectF:
        line_px = self.fontMetrics().height()
        left = self.fontMetrics().horizontalAdvance("-0.000") + line_px * 2.2
        return QRectF(self.rect()).adjusted(left, line_px, -line_px * 1.5, -line_px * 3.4)

    def _place(self, point: Point, plot: QRectF) -> QPointF:
        (x_low, x_high), (y_low, y_high) = self._ranges()
        return QPointF(
            plot.left() + (point.metric - x_low) / (x_high - x_low) * plot.width(),
            plot.bottom() - (point.human - y_low) / (y_high - y_low) * plot.height(),
        )

    def _ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return (
            _with_margin([point.metric for point in self._points]),
            _with_margin([point.human for point in self._points]),
        )

    def _point_at(self, position: QPointF) -> Point | None:
        plot, reach = self._plot(), 3 * self._radius()
        near = [
            (abs(away.x()) + abs(away.y()), at)
            for at, point in enumerate(self._points)
            for away in (self._place(point, plot) - position,)
        ]
        distance, at = min(near, default=(reach + 1, 0))
        return self._points[at] if distance <= reach else None

    def _paint_axes(self, painter: QPainter, plot: QRectF) -> None:
        theme, line_px = self._themes.theme, self.fontMetrics().height()
        (x_low, x_high), (y_low, y_high) = self._ranges()
        for value in ticks(x_low, x_high):
            x = plot.left() + (value - x_low) / (x_high - x_low) * plot.width()
            painter.setPen(QPen(theme.colour("line"), 1))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            painter.setPen(theme.colour("muted"))
            below = QRectF(x - line_px * 3, plot.bottom() + line_px * 0.3, line_px * 6, line_px)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, f"{value:g}")
        for value in ticks(y_low, y_high):
            y = plot.bottom() - (value - y_low) / (y_high - y_low) * plot.height()
            painter.setPen(QPen(theme.colour("line"), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(theme.colour("muted"))
            beside = QRectF(0, y - line_px / 2, plot.left() - line_px * 0.4, line_px)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(beside, right, f"{value:g}")
        painter.setPen(theme.colour("text"))
        title = QRectF(plot.left(), plot.bottom() + line_px * 1.7, plot.width(), line_px * 1.3)
        painter.drawText(title, Qt.AlignmentFlag.AlignCenter, self._metric)
        painter.save()
        painter.translate(line_px * 1.0, plot.center().y())
        painter.rotate(-90)
        along = QRectF(-plot.height() / 2, -line_px * 0.65, plot.height(), line_px * 1.3)
        painter.drawText(along, Qt.AlignmentFlag.AlignCenter, self._human)
        painter.restore()


def label_places(
    names: Sequence[str],
    points: Sequence[QPointF],
    plot: QRectF,
    metrics: QFontMetricsF,
    radius: float,
) -> list[QRectF | None]:
    """Returns where each name goes, None where it would cover a point or another name.

    Right of the point is tried first, then left, above, below and the corners.
    """
    taken = [QRectF(p.x() - radius, p.y() - radius, 2 * radius, 2 * radius) for p in points]
    placed: list[QRectF | None] = []
    for name, point in zip(names, points, strict=True):
        width, height = metrics.horizontalAdvance(name) + 2, metrics.height()
        gap = radius + 2
        sides = ((gap, -height / 2), (-gap - width, -height / 2), (-width / 2, -gap - height),
                 (-width / 2, gap), (gap, gap / 2), (gap, -gap / 2 - height),
                 (-gap - width, gap / 2), (-gap - width, -gap / 2 - height))  # fmt: skip
        rects = (QRectF(point.x() + x, point.y() + y, width, height) for x, y in sides)
        free = next(
            (
                rect
                for rect in rects
                if plot.contains(rect) and not any(rect.intersects(other) for other in taken)
            ),
            None,
        )
        placed.append(free)
        if free is not None:
            taken.append(free)
    return placed


def ticks(low: float, high: float) -> list[float]:
    """Returns about five round values from `low` to `high`, in steps of 1, 2 or 5 of a power."""
    rough = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [round(at * step, 12) for at in range(first, last + 1)]


def _with_margin(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    margin = (high - low) * 0.08 or abs(low) * 0.1 or 1.0
    return low - margin, high + margin
