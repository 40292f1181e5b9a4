"""Finds what a person could not read or hit in a window: by the geometry of what stands in it."""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QScrollArea,
    QSplitter,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)

from awase.core.analysis.extractors import EXTRACTORS
from awase.core.metrics.registry import METRICS, options_of
from awase.gui.kit.look.fitting import ElidedButton, ElidedComboBox, ElidedLabel, ElidedLine
from awase.gui.kit.look.stylesheet import TARGET_PX
from awase.gui.kit.picture_view import PictureView, PlotView
from awase.gui.session.topic_list import TopicButton

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_CONTRAST = 4.5
_SLACK_PX = 1
_ROWS_SEEN = 30
_FEWEST_ROWS = 2
_NUMBER = re.compile(r"[+−-]?(?!0\d)\d[\d.,]*(?:/\d+)?(?: ?%)?")
"""An id such as 0710 is a name."""
_FOCUS_MARGIN = QStyle.PixelMetric.PM_FocusFrameHMargin
_WIDE, _LEAST_ROW, _PADDING = 7.5, 1.15, 0.8
"""Of a column that may cut its texts, of a row, and beside a text: in heights of a line."""


def cut_texts(window: QWidget) -> list[str]:
    """Returns what is shown only in part, a line each: which widget, what it says, what it has."""
    return [
        f"{name(widget)}: {what}"
        for widget in seen(window)
        for kind, look in _CUT.items()
        if isinstance(widget, kind)
        for what in look(widget)
    ]


def least_size(window: QWidget) -> QSize:
    """Returns how large a window has to be so that nothing in it scrolls as a whole."""
    area = window.centralWidget() if isinstance(window, QMainWindow) else None
    if not isinstance(area, QScrollArea):
        return window.minimumSizeHint()
    return area.widget().minimumSizeHint() + (window.size() - area.size())


def outside(window: QWidget) -> list[str]:
    """Returns what reaches over the edge of what it stands in, where nothing scrolls to it."""
    found = []
    for widget in seen(window):
        parent = widget.parentWidget()
        if widget is window or parent is None or widget.isWindow():
            continue
        holder = parent.parentWidget()
        if isinstance(holder, QAbstractScrollArea) and holder.viewport() is parent:
            continue
        if not isinstance(widget, _CONTROLS) or is_part(widget):
            continue
        if not parent.rect().adjusted(-1, -1, 1, 1).contains(widget.geometry()):
            found.append(f"{name(widget)}: {widget.geometry()} in {parent.size()}")
    return found


def small_targets(window: QWidget) -> list[str]:
    """Returns what can be pressed and is less than 24 px high or wide, rows of lists among them."""
    controls = [
        f"{name(widget)}: {widget.width()} × {widget.height()}"
        for widget in seen(window)
        if isinstance(widget, _CONTROLS) and widget.isEnabled() and not is_part(widget)
        if min(widget.width(), widget.height()) < TARGET_PX
    ]
    rows = [
        f"{name(widget)}: a row is {row_height(widget)} px high"
        for widget in seen(window)
        if isinstance(widget, QAbstractItemView) and 0 < row_height(widget) < TARGET_PX
    ]
    return [*controls, *rows]


def overlaps(window: QWidget) -> list[str]:
    """Returns controls of which one covers a part of the other."""
    placed = [
        (widget, _rect_in_sight(widget, window).adjusted(1, 1, -1, -1))
        for widget in seen(window)
        if isinstance(widget, (*_CONTROLS, QAbstractScrollArea)) and not is_part(widget)
        if widget is not window and not isinstance(widget, QHeaderView)
    ]
    return [
        f"{name(one)} and {name(other)}"
        for (one, of_one), (other, of_other) in combinations(placed, 2)
        if of_one.intersects(of_other)
        if not (one.isAncestorOf(other) or other.isAncestorOf(one))
    ]


def covered(window: QWidget) -> list[str]:
    """Returns the controls that the mouse cannot press: something else is at their middle."""
    found = []
    for widget in window.findChildren(QWidget):
        is_control = isinstance(widget, (*_CONTROLS, QAbstractItemView, QTabBar))
        if not is_control or is_part(widget) or not widget.isVisibleTo(window):
            continue
        rect = _rect_in_sight(widget, window)
        there = window.childAt(rect.center()) if not rect.isEmpty() else widget
        if widget.window() is window and there is not widget and not _is_above(widget, there):
            found.append(f"{name(widget)}: {there and name(there)} of {there and there.size()}")
    return found


def _is_above(widget: QWidget, other: QWidget | None) -> bool:
    return other is not None and widget.isAncestorOf(other)


def _rect_in_sight(widget: QWidget, window: QWidget) -> QRect:
    """Returns what is left of a widget within all that it stands in, whatever stands on it."""
    rect, above = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()), widget.parentWidget()
    while above is not None and above is not window:
        rect &= QRect(above.mapTo(window, QPoint(0, 0)), above.size())
        above = above.parentWidget()
    return rect


def sideways(window: QWidget) -> list[str]:
    return [
        f"{name(area)}: {area.horizontalScrollBar().maximum()} px out of sight"
        for area in seen(window)
        if isinstance(area, QAbstractScrollArea)
        and area.horizontalScrollBar().maximum() > (0 if _scrolls_by_columns(area) else _SLACK_PX)
        and area.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    ]


def _scrolls_by_columns(area: QAbstractScrollArea) -> bool:
    per_item = QAbstractItemView.ScrollMode.ScrollPerItem
    return isinstance(area, QAbstractItemView) and area.horizontalScrollMode() is per_item


def left_numbers(window: QWidget) -> list[str]:
    """Returns the columns of tables that hold nothing but numbers, and these at the left."""
    found = []
    for table in seen(window):
        if not isinstance(table, QTableView) or table.model() is None:
            continue
        model = table.model()
        for column in range(table.horizontalHeader().count()):
            rows = range(min(_ROWS_SEEN, model.rowCount()))
            cells = [model.index(row, column) for row in rows if not table.isColumnHidden(column)]
            told = [cell for cell in cells if cell.data()]
            if all(_NUMBER.fullmatch(str(cell.data())) for cell in told):
                title = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
                found += [
                    f"{name(table)}: {title}: {cell.data()} at the left"
                    for cell in told[:1]
                    if not Qt.AlignmentFlag(cell.data(Qt.ItemDataRole.TextAlignmentRole) or 0)
                    & Qt.AlignmentFlag.AlignRight
                ]
    return found


def cut_cells(window: QWidget) -> list[str]:
    """Returns titles and cells of tables that are shown only in part, and tables of low rows.

    A wide column may cut a text; none may cut a number.
    """
    found = []
    for table in seen(window):
        if not isinstance(table, QTableView) or table.horizontalHeader().isHidden():
            continue
        model, header, line_px = (
            table.model(),
            table.horizontalHeader(),
            table.fontMetrics().height(),
        )
        sections = [at for at in range(header.count()) if not header.isSectionHidden(at)]
        for at in sections:
            has = header.sectionSize(at) + _SLACK_PX
            title = str(model.headerData(at, Qt.Orientation.Horizontal) or "")
            needs = max(
                (header.fontMetrics().horizontalAdvance(line) for line in title.splitlines()),
                default=0,
            )
            if title and needs + _PADDING * line_px > has:
                found.append(f"{name(table)}: “{title}” of {needs} px has {has} px")
            cells = (model.index(row, at) for row in range(min(_ROWS_SEEN, model.rowCount())))
            for cell in () if table.wordWrap() else cells:
                side = Qt.AlignmentFlag(cell.data(Qt.ItemDataRole.TextAlignmentRole) or 0)
                may_be_cut = not side & Qt.AlignmentFlag.AlignRight and has >= line_px * _WIDE
                metrics = QFontMetrics(cell.data(Qt.ItemDataRole.FontRole) or table.font())
                needs = metrics.horizontalAdvance(str(cell.data() or ""))
                margins = 2 * (table.style().pixelMetric(_FOCUS_MARGIN, None, table) + 1)
                if needs and needs + _PADDING * line_px + margins > has and not may_be_cut:
                    found.append(f"{name(table)}: “{cell.data()}” of {needs} px has {has} px")
        if model is not None and 0 < row_height(table) < line_px * _LEAST_ROW:
            found.append(f"{name(table)}: rows of {row_height(table)} px for letters of {line_px}")
    return found


def low_tables(window: QWidget) -> list[str]:
    found = []
    for table in seen(window):
        if isinstance(table, QTableView) and row_height(table) > 0:
            n_rows, n_seen = table.model().rowCount(), _whole_rows(table)
            if n_seen < min(n_rows, _FEWEST_ROWS):
                found.append(f"{name(table)}: {n_seen} of {n_rows} rows")
    return found


def _whole_rows(table: QTableView) -> int:
    header = table.verticalHeader()
    tops = range(table.model().rowCount())
    room = table.viewport().height() + _SLACK_PX
    places = [header.sectionViewportPosition(at) for at in tops]
    return sum(y >= 0 and y + table.rowHeight(at) <= room for at, y in enumerate(places))


def cut_plots(window: QWidget) -> list[str]:
    return [
        f"{name(plot.picture)}: {plot.picture.visibleRegion().boundingRect().size().toTuple()}"
        f" of {plot.picture.size().toTuple()}"
        for plot in seen(window)
        if isinstance(plot, PlotView) and plot.picture.isVisible()
        if plot.picture.visibleRegion().boundingRect().size() != plot.picture.size()
    ]


def row_height(view: QAbstractItemView) -> int:
    model = view.model()
    if model is None or not model.rowCount(view.rootIndex()):
        return 0
    return view.visualRect(model.index(0, 0, view.rootIndex())).height()


def faint_texts(window: QWidget) -> list[str]:
    """Returns labels and buttons whose ink stands out less than 4.5 from what is behind it.

    What is behind a text is what most of its pixels are, and its ink the pixel farthest from that.
    """
    picture = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    shape = (picture.height(), picture.bytesPerLine() // 4, 4)
    pixels = np.frombuffer(picture.constBits(), np.uint8).reshape(shape)[..., 2::-1]
    found = []
    for widget in seen(window):
        if not isinstance(widget, (QLabel, QAbstractButton)) or not widget.isEnabled():
            continue
        if not widget.text().strip() or is_part(widget) or widget.visibleRegion().isEmpty():
            continue
        if isinstance(widget, QLabel) and widget.pixmap().width():
            continue
        ratio = _contrast(pixels, QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()))
        if ratio < LEAST_CONTRAST:
            found.append(f"{name(widget)}: {ratio:.2f}")
    return found


def pictures_alone(window: QWidget) -> list[str]:
    """Returns pictures that a screen reader cannot tell of: without a named table beside them."""
    return [
        name(picture)
        for picture in seen(window)
        if isinstance(picture, PictureView) and picture.marks() and not _has_table(picture)
    ]


def _has_table(picture: QWidget) -> bool:
    beside = picture.parentWidget()
    while beside is not None and not isinstance(beside, QSplitter):
        beside = beside.parentWidget()
    tables = [] if beside is None else beside.findChildren(QTableView)
    return any(
        table.isVisible() and table.accessibleName() and table.model().rowCount()
        for table in tables
    )


def _contrast(pixels: "NDArray[np.uint8]", area: QRect) -> float:
    part = pixels[max(0, area.top()) : area.bottom() + 1, max(0, area.left()) : area.right() + 1]
    colours, counts = np.unique(part.reshape(-1, 3), axis=0, return_counts=True)
    if len(colours) < 2:
        return 21.0  # nothing of it is in sight
    shares = colours / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    light = linear @ np.array([0.2126, 0.7152, 0.0722])
    back = light[counts.argmax()]
    ratios = (np.maximum(light, back) + 0.05) / (np.minimum(light, back) + 0.05)
    return float(ratios.max())


def codes(window: QWidget, names: Container[str]) -> list[str]:
    """Returns what no Japanese screen should say: options spelled, and English without Japanese.

    Signatures, which have a version, are to be copied, and columns of one metric are told apart
    as these do it.

    Args:
        window: In Japanese.
        names: What may stand there in Latin letters.
    """
    texts = [
        (widget, text, is_own)
        for widget in seen(window)
        for text, is_own in _texts_of(widget)
        if "version=" not in text
    ]
    return [
        f"{name(widget)}: “{text}”"
        for widget, text, is_own in texts
        if (is_own and _is_english(text, names))
        or any(name in _OPTIONS for name in _SPELLED_OPTION.findall(text))
    ]


def _is_english(text: str, names: Container[str]) -> bool:
    words = _PARTED.split(text.replace("\N{WORD JOINER}", ""))
    unknown = [word for word in words if _DIGEST.sub("", word) not in names]
    return not _JAPANESE.search(text) and any(map(_WORD.search, unknown))


def _texts_of(widget: QWidget) -> Iterator[tuple[str, bool]]:
    """Yields what it says, and whether it says that itself."""
    yield from ((text, True) for text in _own_words_of(widget))
    model = widget.model() if isinstance(widget, QAbstractItemView) else None
    if model is not None:
        rows = range(min(_ROWS_SEEN, model.rowCount(widget.rootIndex())))
        for row in rows:
            yield str(model.index(row, 0, widget.rootIndex()).data()), False


def _own_words_of(widget: QWidget) -> Iterator[str]:
    """Yields what a control says itself; what stands in tables and lists is often data."""
    match widget:
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QGroupBox():
            yield widget.title()
        case QComboBox():
            yield from map(widget.itemText, range(widget.count()))
        case QLineEdit():
            yield widget.placeholderText()
        case QTabBar():
            yield from map(widget.tabText, range(widget.count()))


_JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")
_WORD = re.compile("[A-Za-z]{2}")
_PARTED = re.compile(r"[\s,、·:/–→()+=]+")
_DIGEST = re.compile(r"-[0-9a-f]{6}$")
_SPELLED_OPTION = re.compile(r"\b([a-z]+) ?= ?[a-z]")
_OPTIONS = frozenset(
    option.name
    for options in (
        *map(options_of, METRICS),
        *(extractor.options for extractor in EXTRACTORS.values()),
    )
    for option in options
)

_CONTROLS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)


def seen(window: QWidget) -> Iterator[QWidget]:
    for widget in [window, *window.findChildren(QWidget)]:
        if widget.isVisible() and widget.window() is window.window() and _is_open(widget):
            yield widget


def _is_open(widget: QWidget) -> bool:
    """Whether no page of a stack hides it and it has any room at all."""
    return not widget.visibleRegion().isEmpty() or widget.width() * widget.height() == 0


def is_part(widget: QWidget) -> bool:
    """Whether it is a part of a control that Qt made: the line of a box, the cross of a line."""
    above = widget.parentWidget()
    return (
        widget.objectName().startswith("qt_")
        or isinstance(above, (QAbstractSpinBox, QComboBox, QLineEdit, QTabBar))
        or type(widget).__name__ == "QTableCornerButton"
    )


def name(widget: QWidget) -> str:
    text = getattr(widget, "text", lambda: "")()
    return f"{type(widget).__name__} “{widget.accessibleName() or text}”"


def _label(label: QLabel) -> Iterator[str]:
    if not label.text() or label.pixmap().width():
        return
    room = label.contentsRect()
    if label.wordWrap():
        needs = label.heightForWidth(label.width())
        if label.height() + _SLACK_PX < needs:
            yield f"“{label.text()}” has {label.height()} of {needs} px of height"
        return
    needs = label.sizeHint().width()
    is_elided = isinstance(label, ElidedLabel) or label.toolTip() == label.text()
    if label.width() + _SLACK_PX < needs and not is_elided:
        yield f"“{label.text()}” has {room.width()} of {needs} px"
    if label.height() + _SLACK_PX < label.sizeHint().height():
        yield f"“{label.text()}” has {label.height()} of {label.sizeHint().height()} px of height"


def _button(button: QAbstractButton) -> Iterator[str]:
    if not button.text() or is_part(button) or isinstance(button, (TopicButton, ElidedButton)):
        return
    needs = button.minimumSizeHint() if isinstance(button, QToolButton) else button.sizeHint()
    if button.width() < needs.width() * 0.98 or button.height() < needs.height() * 0.9:
        yield f"“{button.text()}” has {button.size().toTuple()} of {needs.toTuple()}"


def _box(box: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    room = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
    )
    if box.isEditable() or isinstance(box, ElidedComboBox):
        return
    now = box.fontMetrics().horizontalAdvance(box.currentText())
    if room.width() + _SLACK_PX < now:
        yield f"“{box.currentText()}” has {room.width()} of {now} px"


def _line(field: QWidget) -> Iterator[str]:
    needs = field.sizeHint().height()
    if not is_part(field) and field.height() < needs * 0.9:
        yield f"has {field.height()} of {needs} px of height"
    if isinstance(field, QLineEdit) and not isinstance(field, ElidedLine) and not field.hasFocus():
        width = field.fontMetrics().horizontalAdvance(field.displayText())
        if width > field.contentsRect().width():
            yield f"“{field.text()}” has {field.contentsRect().width()} of {width} px"


def _tabs(bar: QTabBar) -> Iterator[str]:
    for at in range(bar.count()):
        if not bar.isTabVisible(at):
            continue
        rect = bar.tabRect(at)
        if rect.right() > bar.width() + _SLACK_PX:
            yield f"tab “{bar.tabText(at)}” ends at {rect.right()} of {bar.width()} px"
        elif rect.width() < bar.fontMetrics().horizontalAdvance(bar.tabText(at).replace("&", "")):
            yield f"tab “{bar.tabText(at)}” has {rect.width()} px"


def _group(group: QGroupBox) -> Iterator[str]:
    needs = group.fontMetrics().horizontalAdvance(group.title())
    if needs > group.width():
        yield f"“{group.title()}” has {group.width()} of {needs} px"


_CUT: Mapping[type, Callable[..., Iterator[str]]] = {
    QLabel: _label,
    QAbstractButton: _button,
    QAbstractSpinBox: _line,
    QComboBox: _box,
    QLineEdit: _line,
    QTabBar: _tabs,
    QGroupBox: _group,
}
