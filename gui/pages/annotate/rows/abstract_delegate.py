"""Rows of the abstract: number, rank, state, alternatives and bars above the text."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from awase.core.records.alignment import AlignmentState
from awase.core.reports.grid import UNDEFINED
from awase.gui.kit.look.palettes import contrast_ratio
from awase.gui.kit.rows.painting import Scale, bold, draw_chip, draw_state, metrics_of, smaller
from awase.gui.kit.rows.row_delegate import Index, RowDelegate
from awase.gui.kit.texts.i18n import ntr, tr
from awase.gui.kit.texts.state_names import STATE_NAMES
from awase.gui.pages.annotate.rows.roles import AbstractRole

_MOST_BARS: Final = 8
_LEAST_CONTRAST: Final = 1.5
"""Below it a chip has a border, or its shape would be lost on the row."""


class AbstractDelegate(RowDelegate):
    """Paints sentences of the abstract."""

    chosen_system = ""
    """The system whose bar stands out; with many systems, the only one drawn."""

    def row_height(self, index: Index, font: QFont, width: float) -> float:
        scale = Scale.of(font)
        text = index.data(Qt.ItemDataRole.DisplayRole)
        text_height = self._texts.height(text, font, self._text_width(width, scale))
        return scale.pad * 2 + scale.line * 1.15 + scale.gap + text_height

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        scale = Scale.of(font)
        head = QRectF(
            rect.left() + scale.pad + scale.bar,
            rect.top() + scale.pad,
            rect.width() - 2 * scale.pad - scale.bar,
            scale.line * 1.15,
        )
        self._paint_head(painter, head, index, font, scale)
        at = QPointF(head.left(), head.bottom() + scale.gap)
        text = index.data(Qt.ItemDataRole.DisplayRole)
        width = self._text_width(rect.width(), scale)
        self._texts.draw(
            painter, at, text, font, width, self.colour("text"),
            index.data(AbstractRole.SPANS), self.colour("highlight_match"),
        )  # fmt: skip

    def _text_width(self, width: float, scale: Scale) -> float:
        return width - 2 * scale.pad - scale.bar

    def _paint_head(
        self, painter: QPainter, head: QRectF, index: Index, font: QFont, scale: Scale
    ) -> None:
        painter.setFont(bold(font))
        painter.setPen(self.colour("text"))
        number = str(index.data(AbstractRole.NUMBER))
        number_width = max(metrics_of(bold(font)).horizontalAdvance(number), scale.line * 0.9)
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, number)
        chip = QRectF(
            head.left() + number_width + scale.gap, head.top(), scale.line * 1.3, head.height()
        )
        self._paint_rank(painter, chip, index, font)
        left = chip.right() + scale.gap * 1.6
        right = self._paint_bars(painter, head, index, scale)
        between = QRectF(left, head.top(), max(0.0, right - left - scale.gap), head.height())
        self._paint_state(painter, between, index, font, scale)

    def _paint_rank(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        painter.setFont(bold(font))
        rank, position = index.data(AbstractRole.RANK), index.data(AbstractRole.RANK_POSITION)
        if rank is None:
            muted = self.colour("muted")
            draw_chip(painter, rect, UNDEFINED, back=None, ink=muted, border=muted, dashed=True)
            return
        chip = self._themes.theme.rank_chip(max(position, 0))
        ground = self.colour("accent_soft" if self.is_marked(index) else "base")
        is_lost = contrast_ratio(chip.back.name(), ground.name()) < _LEAST_CONTRAST
        text = metrics_of(bold(font)).elidedText(rank, Qt.TextElideMode.ElideRight, rect.width())
        draw_chip(
            painter, rect, text, back=chip.back, ink=chip.text,
            border=self.colour("muted") if is_lost else None,
        )  # fmt: skip

    def _paint_state(
        self, painter: QPainter, rect: QRectF, index: Index, font: QFont, scale: Scale
    ) -> None:
        state: AlignmentState = index.data(AbstractRole.STATE)
        chip = self._themes.theme.state_chip(state)
        side = scale.line * 0.95
        shape = QRectF(rect.left(), rect.center().y() - side / 2, side, side)
        draw_state(
            painter, shape, state, chip.back, chip.text if state.is_settled else self.colour("text")
        )
        small = smaller(font, 0.92)
        painter.setFont(small)
        painter.setPen(self.colour("muted"))
        beside = rect.adjusted(side + scale.gap, 0, 0, 0)
        text = state_text(index, beside.width(), metrics_of(small))
        painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_bars(self, painter: QPainter, head: QRectF, index: Index, scale: Scale) -> float:
        """Draws e(i), a bar for each system, and returns where they begin."""
        shares: tuple[tuple[str, Fraction], ...] = index.data(AbstractRole.SHARES)
        if not shares:
            return head.right()
        places = bars_of([system for system, _ in shares], self.chosen_system)
        shown = [(at, *shares[at]) for at in places]
        width, gap = scale.line * 0.32, scale.line * 0.12
        left = head.right() - len(shown) * (width + gap) + gap
        mark = max(2.0, scale.line * 0.12)
        full = head.height() - 2 * mark  # the mark below a bar stays off the text
        for place, (at, system, value) in enumerate(shown):
            x = left + place * (width + gap)
            is_chosen = system == self.chosen_system
            colour = self._themes.theme.bar(at)
            trough = QRectF(x, head.top(), width, full)
            painter.fillRect(trough, self.colour("gutter"))
            height = full * float(value)
            painter.fillRect(QRectF(x, trough.bottom() - height, width, height), colour)
            if is_chosen and len(shown) > 1:
                painter.fillRect(QRectF(x, head.bottom() - mark, width, mark), self.colour("text"))
        return left


def bars_of(systems: Sequence[str], chosen: str) -> list[int]:
    """Returns which systems have a bar, by their places: with many, the chosen one alone."""
    is_shown = len(systems) <= _MOST_BARS
    return [at for at, system in enumerate(systems) if is_shown or system == chosen]


def state_text(index: Index, width: float, metrics: QFontMetricsF) -> str:
    """Returns as much of the state as fits; where little does, the sign beside it says the rest."""
    state, count = index.data(AbstractRole.STATE), index.data(AbstractRole.N_ALTERNATIVES)
    named = tr(STATE_NAMES[state])
    counted = ntr("{n} alt", "{n} alts", count) if count else ""
    noted = tr("note") if index.data(AbstractRole.HAS_NOTE) else ""
    choices = ((named, counted, noted), (named, counted), (counted, noted), (counted,), (named,))
    texts = [" · ".join(filter(None, words)) for words in choices]
    fitting = (text for text in texts if text and metrics.horizontalAdvance(text) <= width)
    return next(fitting, metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, width))
