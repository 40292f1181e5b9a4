"""What a widget paints, wherever: texts with their colour and weight, and shapes with theirs."""

from itertools import groupby

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QBrush, QPaintDevice, QPaintEngine, QPaintEngineState, QPen, QTextItem
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

_PEN, _BRUSH = QPaintEngine.DirtyFlag.DirtyPen.value, QPaintEngine.DirtyFlag.DirtyBrush.value


class _Paper(QPaintDevice):
    def __init__(self) -> None:
        super().__init__()
        self.engine = _Hand()

    def paintEngine(self) -> QPaintEngine:
        return self.engine

    def metric(self, metric: QPaintDevice.PaintDeviceMetric) -> int:
        """Returns dots an inch, and sizes, which limit nothing, beside the ratio of pixels."""
        return 1 << 16 if metric is self.PaintDeviceMetric.PdmDevicePixelRatioScaled else 96


class _Hand(QPaintEngine):
    """Writes down what it is told to paint: how each thing looks, and the text if it is one."""

    def __init__(self) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.pen, self.brush = QPen(), QBrush()
        self.painted: list[tuple[str, str]] = []

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def updateState(self, state: QPaintEngineState) -> None:
        dirty = state.state().value  # a number: combining flags takes Python ten times as long
        if dirty & _PEN:
            self.pen = state.pen()
        if dirty & _BRUSH:
            self.brush = state.brush()

    def drawTextItem(self, _place: object, item: QTextItem) -> None:
        font = item.font()
        look = " bold" * font.bold() + " italic" * font.italic() + " struck" * font.strikeOut()
        self.painted.append((f"{self.pen.color().name()}{look}", item.text()))

    def drawPath(self, *_: object) -> None:
        has_line = self.pen.style() is not Qt.PenStyle.NoPen
        is_filled = self.brush.style() is not Qt.BrushStyle.NoBrush
        look = f"line {self.pen.color().name()} " * has_line
        self.painted.append((look + f"fill {self.brush.color().name()}" * is_filled, ""))

    drawRects = drawLines = drawPolygon = drawEllipse = drawPath

    def drawPixmap(self, *_: object) -> None: ...

    drawImage = drawTiledPixmap = drawPoints = drawPixmap


def paints_itself(widget: QWidget) -> bool:
    """Whether our code paints it, or its cells, and not Qt's style alone."""
    if isinstance(widget, QAbstractItemView):
        return not isinstance(widget, QHeaderView)
    painter = next(kind for kind in type(widget).__mro__ if "paintEvent" in vars(kind))
    return painter.__module__.startswith("awase") and "fitting" not in painter.__module__


def painted_by(widget: QWidget) -> str:
    """Returns everything in its order; blanks are left out, as lines are broken by the font."""
    paper = _Paper()
    target = widget.viewport() if isinstance(widget, QAbstractItemView) else widget
    is_painting = target.updatesEnabled()
    target.setUpdatesEnabled(True)
    target.render(paper, QPoint(), renderFlags=QWidget.RenderFlag(0))
    target.setUpdatesEnabled(is_painting)
    same = groupby(paper.engine.painted, key=lambda one: one[0])
    texts = ((look, "".join("".join(text.split()) for _, text in parts)) for look, parts in same)
    return ", ".join(f"{look.strip()} {text}".strip() for look, text in texts)
