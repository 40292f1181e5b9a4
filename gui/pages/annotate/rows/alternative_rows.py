"""Rows of alternatives: model and delegate."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from PySide6.QtCore import QAbstractListModel, QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionViewItem

from awase.core.annotation.formula import (
    AlternativeFault,
    AlternativeWarning,
    address_of,
    alternative_warnings,
    formula,
    set_text,
)
from awase.core.records.source import SentenceRef
from awase.gui.kit.i18n import following, listed, mark, tr
from awase.gui.kit.look.rows import (
    RowDelegate,
    Scale,
    bold,
    draw_chip,
    draw_cross,
    metrics_of,
    smaller,
)
from awase.gui.kit.number_explanation import NO_PARENT, Index
from awase.gui.pages.annotate.annotation_state import AnnotationState
from awase.gui.pages.annotate.rows.sources import SUBJECT, Sources

FAULTS: Final[Mapping[AlternativeFault, str]] = {
    AlternativeFault.DUPLICATE: mark("the same as alternative {other}"),
    AlternativeFault.CONTAINS: mark("contains alternative {other}, so it is never needed"),
}


class Member(NamedTuple):
    """A member of an alternative, ready to be shown."""

    ref: SentenceRef
    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternativeRow:
    """Everything that a row shows; without members, the one that is begun next."""

    text: str = ""
    members: tuple[Member, ...] = ()
    is_current: bool = True
    remark: AlternativeWarning | None = None

    @property
    def warning(self) -> str:
        """What is wrong with it, in the window's language; empty = nothing."""
        found = self.remark
        return tr(FAULTS[found.fault]).format(other=found.other_idx + 1) if found else ""


class AlternativeModel(QAbstractListModel):
    """The alternatives, and a row for the next one."""

    def __init__(
        self, annotation: AnnotationState, sources: Sources, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self._sources = sources
        self._rows: list[AlternativeRow] = []
        sources.reset.connect(self._on_reset)
        sources.reordered.connect(self._on_reset)
        annotation.entryChanged.connect(self._on_moved)
        annotation.alternativeChanged.connect(self._on_moved)

    @property
    def formula(self) -> str:
        """The alternatives as a formula, such as `s1 ∨ (s10 ∧ s11)`."""
        alternatives = self._annotation.entry.alternatives if self._rows else ()
        return formula(alternatives, self._sources.numbers)

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(index.row(), row)
            case Qt.ItemDataRole.ToolTipRole:
                numbers = self._sources.numbers
                return "\n".join(
                    f"{address_of(one.ref, numbers)}  {following(one.text)}" for one in row.members
                )
        return row if role == SUBJECT else None

    def _spoken(self, at: int, row: AlternativeRow) -> str:
        if not row.members:
            return tr("New alternative, no member yet")
        spoken = tr("Alternative {number}: {members}").format(number=at + 1, members=row.text)
        return listed(filter(None, (spoken, row.warning)))

    def _rows_now(self) -> list[AlternativeRow]:
        annotation = self._annotation
        if annotation.n == 0:
            return []
        alternatives = annotation.entry.alternatives
        warnings = {found.alternative_idx: found for found in alternative_warnings(alternatives)}
        sources = self._sources
        rows = [
            AlternativeRow(
                text=set_text(alternative, sources.numbers),
                members=tuple(
                    Member(ref, sources.label(ref), sources.text(ref))
                    for ref in alternative.members
                ),
                is_current=at == annotation.alternative_idx,
                remark=warnings.get(at),
            )
            for at, alternative in enumerate(alternatives)
        ]
        return [*rows, AlternativeRow()] if annotation.is_fresh else rows

    def _on_reset(self, *_: object) -> None:
        self.beginResetModel()
        self._rows = self._rows_now()
        self.endResetModel()

    def _on_moved(self) -> None:
        """Adds or removes rows at the end, then reports changed rows."""
        new = self._rows_now()
        count = len(self._rows)
        if len(new) > count:
            self.beginInsertRows(NO_PARENT, count, len(new) - 1)
            self._rows += new[count:]
            self.endInsertRows()
        elif len(new) < count:
            self.beginRemoveRows(NO_PARENT, len(new), count - 1)
            del self._rows[len(new) :]
            self.endRemoveRows()
        for at, row in enumerate(new):
            if self._rows[at] != row:
                self._rows[at] = row
                self.dataChanged.emit(self.index(at), self.index(at))


# In heights of a line: a narrower text is below its label, not beside it.
_NARROWEST_TEXT: Final = 6


class _Place(NamedTuple):
    """Position of a member's text relative to its label."""

    left: float
    drop: float
    width: float


class AlternativeDelegate(RowDelegate):
    """Paints alternatives; a click on the cross requests removal."""

    removeChosen = Signal(int)  # row of the clicked cross
    is_read_only = False
    drop_row = -1  # row over which a sentence is dragged
    most_lines = 1  # of a text; those of the current alternative are whole

    def lines_that_fit(self, model: QAbstractListModel) -> int:
        """Returns the line limit of texts, at least 1, for all alternatives to be visible."""
        viewport, font = self._view.viewport(), self._view.font()
        room, width = float(viewport.height()), float(viewport.width())
        rows = [model.index(row, 0) for row in range(model.rowCount())]

        def height_with(most: int) -> int:
            heights = (self._height(row, font, width, self._lines_of(row, most)) for row in rows)
            return sum(map(round, heights))  # as the view has them

        members = (member for row in rows for member in _row_of(row).members)
        longest = max((self._n_lines(one, font, width) for one in members), default=1)
        return 1 + bisect_right(range(2, longest + 1), room, key=height_with)

    def row_height(self, index: Index, font: QFont, width: float) -> float:
        return self._height(index, font, width, self._lines_of(index, self.most_lines))

    def _lines_of(self, index: Index, most: int) -> int | None:
        """Returns the line limit of the row's texts; None = whole."""
        return None if self.is_marked(index) else most

    def _n_lines(self, member: Member, font: QFont, width: float) -> int:
        return self._texts.n_lines(member.text, font, _place_of(member, font, width).width)

    def _height(self, index: Index, font: QFont, width: float, most: int | None) -> float:
        scale, row = Scale.of(font), _row_of(index)
        heights = [self._member_height(one, font, width, most) for one in row.members]
        height = sum(heights) if heights else scale.line * 1.2
        if row.warning:
            height += scale.gap + self._texts.height(
                _drawn_warning(row.warning), smaller(font, 0.92), _text_width(width, scale)
            )
        return height + 2 * scale.pad

    def is_marked(self, index: Index) -> bool:
        return _row_of(index).is_current

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        scale, row = Scale.of(font), _row_of(index)
        if index.row() == self.drop_row:
            painter.setPen(QPen(self.colour("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))
        number = QRectF(
            rect.left() + scale.pad + scale.bar, rect.top() + scale.pad,
            scale.line * 1.2, scale.line * 1.1,
        )  # fmt: skip
        painter.setFont(bold(font))
        painter.setPen(self.colour("text" if row.is_current else "muted"))
        painter.drawText(number, Qt.AlignmentFlag.AlignVCenter, str(index.row() + 1))
        if not row.members:
            self._paint_fresh(painter, rect, font, scale)
            return
        rest = rect.adjusted(0, scale.pad, 0, 0)
        most = self._lines_of(index, self.most_lines)
        for member in row.members:
            self._paint_member(painter, rest, member, index, font)
            rest.setTop(rest.top() + self._member_height(member, font, rect.width(), most))
        if row.warning:
            at = QPointF(rect.left() + _text_edge(scale), rest.top() + scale.gap / 2)
            self._texts.draw(
                painter, at, _drawn_warning(row.warning), smaller(font, 0.92),
                _text_width(rect.width(), scale), self.colour("warning"),
            )  # fmt: skip
        if not self.is_read_only:
            draw_cross(painter, _cross(rect, scale), self.colour("muted"))

    def editorEvent(
        self, event: QEvent, model: object, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        if (
            isinstance(event, QMouseEvent)
            and event.type() is QEvent.Type.MouseButtonRelease
            and event.button() is Qt.MouseButton.LeftButton
            and self.is_on_cross(QRectF(option.rect), event.position(), index)
        ):
            self.removeChosen.emit(index.row())
            return True
        return False

    def is_on_cross(self, rect: QRectF, at: QPointF, index: Index) -> bool:
        """Returns whether a point of the row at `rect` means: remove it."""
        has_members = bool(_row_of(index).members)
        scale = Scale.of(self._view.font())
        return has_members and not self.is_read_only and _cross(rect, scale).contains(at)

    def _paint_fresh(self, painter: QPainter, rect: QRectF, font: QFont, scale: Scale) -> None:
        left = rect.left() + _text_edge(scale)
        box = QRectF(
            left, rect.top() + scale.pad, rect.right() - left - scale.pad, scale.line * 1.15
        )
        muted = self.colour("muted")
        small = smaller(font, 0.92)
        painter.setFont(small)
        text = metrics_of(small).elidedText(
            tr("new: link its first sentence"), Qt.TextElideMode.ElideRight, box.width() - 6
        )
        draw_chip(painter, box, text, back=None, ink=muted, border=muted, dashed=True)

    def _paint_member(
        self, painter: QPainter, rest: QRectF, member: Member, index: Index, font: QFont
    ) -> None:
        """Paints a member at the top of what is left of its row."""
        at = QPointF(rest.left() + _text_edge(Scale.of(font)), rest.top())
        most = self._lines_of(index, self.most_lines)
        ink = self.colour("text" if _row_of(index).is_current else "muted")
        painter.setFont(bold(font))
        painter.setPen(self.colour("text"))
        painter.drawText(at + QPointF(0, metrics_of(bold(font)).ascent()), member.label)
        place = _place_of(member, font, rest.width(), most)
        at += QPointF(place.left, place.drop)
        text = member.text
        if most is not None and most > 1:
            text = self._texts.first_lines(text, font, place.width, most)
        self._texts.draw(painter, at, text, font, place.width, ink, wraps=most != 1)

    def _member_height(self, member: Member, font: QFont, width: float, most: int | None) -> float:
        scale = Scale.of(font)
        if most == 1:
            return scale.line * 1.2
        place = _place_of(member, font, width)
        height = self._texts.height(member.text, font, place.width)
        if most is not None:
            n_lines = self._n_lines(member, font, width)
            height *= min(most, n_lines) / n_lines
        return max(place.drop + height, scale.line) + scale.line * 0.2


def _row_of(index: Index) -> AlternativeRow:
    row: AlternativeRow = index.data(SUBJECT)
    return row


def _place_of(member: Member, font: QFont, width: float, most: int | None = None) -> _Place:
    """Returns the text's layout within `most` lines; None = whole."""
    scale, metrics = Scale.of(font), metrics_of(bold(font))
    label = max(metrics.horizontalAdvance("s00 "), metrics.horizontalAdvance(member.label + " "))
    beside = _text_width(width, scale) - label
    if most == 1 or beside >= scale.line * _NARROWEST_TEXT:
        return _Place(label, 0.0, beside)
    return _Place(0.0, scale.line * 1.1, width - _text_edge(scale) - scale.pad)


def _drawn_warning(warning: str) -> str:
    return f"⚠ {warning}"


def _text_edge(scale: Scale) -> float:
    return scale.pad + scale.bar + scale.line * 1.2


def _text_width(width: float, scale: Scale) -> float:
    return width - _text_edge(scale) - scale.pad - scale.line * 1.2


def _cross(rect: QRectF, scale: Scale) -> QRectF:
    side = scale.line * 1.2
    return QRectF(rect.right() - scale.pad - side + 3, rect.top() + scale.pad * 0.8, side, side)
