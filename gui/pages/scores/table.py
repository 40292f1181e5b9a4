"""View of the scores: sortable, as wide as there is room; cells are links."""

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from fractions import Fraction
from itertools import chain
from textwrap import wrap
from typing import Final
from unicodedata import east_asian_width

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontDatabase, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import Problem
from awase.core.metrics.registry import greatest_of
from awase.core.metrics.significance import ALPHA
from awase.core.reports.grid import (
    BETTER,
    PROVISIONAL,
    UNDEFINED,
    WORSE,
    Cell,
    Column,
    Grid,
    typeset,
)
from awase.core.reports.score_report import (
    Arrangement,
    ScoreCell,
    ScoreColumn,
    ScoreViewRow,
    ScoreWording,
    View,
    ViewKind,
    grid_of_scores,
    report_cell,
    spread_of,
    with_notes,
)
from awase.gui.kit.grid.grid import GridView, frame_cell
from awase.gui.kit.grid.model import GridModel, copy_report
from awase.gui.kit.i18n import labelled, listed, mark, ntr, tr
from awase.gui.kit.look.fitting import ElidedLabel
from awase.gui.kit.look.flow import spaced, styled, written
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.number_explanation import GridRole, Index, declare_text
from awase.gui.kit.problems import RemarksButton
from awase.gui.session.metric_drafts import metric_title, options_in_words, reason_of
from awase.gui.session.pages import LOST_BY, Cause

_DIGITS: Final = 3
# Characters of a heading's line with options in words: some are whole clauses.
_WIDEST_WORDS: Final = 11


def heading(column: ScoreColumn) -> str:
    """Returns the title of a column, a word a line: numbers are narrow."""
    if column.system:
        return "\n".join(wrap(column.system, _widest(column.system)))
    options = options_in_words(column.title) if column.metric is not None else []
    plain = column_title(replace(column, title="") if options else column, " ")
    words = plain.replace(":", "\n", 1).replace(",", "\n").replace(" ", "\n")
    # Without the value's aside.
    told = (wrap(f"{name} = {value.partition('（')[0]}", _WIDEST_WORDS) for name, value in options)
    return "\n".join((words, *chain.from_iterable(told)))


def _widest(name: str) -> int:
    is_wide = any(east_asian_width(one) in "WF" for one in name)
    return _WIDEST_WORDS if is_wide else 2 * _WIDEST_WORDS


def column_title(column: ScoreColumn, separator: str) -> str:
    """Returns the heading of a column: its length class and its metric, or its system."""
    if column.system:
        return column.system
    if column.metric is None:
        title = tr("Topics")
    else:
        title = metric_title(column.title or column.metric.metric)
    return f"{column.length}{separator}{title}" if column.length is not None else title


def shown_cell(cell: ScoreCell, column: ScoreColumn) -> Cell:
    """Returns a display cell: three decimals, a bar, the best in bold."""
    if column.metric is None:
        return report_cell(None, column, cell)
    worded = replace(report_cell(None, column, cell, _DIGITS), change=cell.change)
    if cell.value is None:
        return Cell(text=worded.text)
    return Cell(
        text=worded.full_text(_DIGITS),
        value=cell.value,
        shade=cell.value / greatest_of(column.metric.metric),
        is_best=cell.is_best,
    )


def cell_explanation(cell: ScoreCell, column: ScoreColumn, baseline: str = "") -> str:
    if column.metric is None:
        return ntr("Mean over {n} topic", "Mean over {n} topics", cell.n_topics)
    score = cell.score
    if score is None:
        return tr("The system has no output for this.")
    whose = (score.system, score.topic or "", column_title(replace(column, system=""), " "))
    if score.value is None:
        return "\n".join((reason_of(score), " · ".join(filter(None, whose))))
    lines = [f"{float(score.value):.6f}"]
    if isinstance(score.value, Fraction):
        lines[0] = f"{score.value} = {lines[0]}"
    if score.topic is not None:
        lines.append(" · ".join(whose))
    else:
        lines.append(ntr("Mean over {n} topic", "Mean over {n} topics", cell.n_topics))
    if cell.earlier is not None and cell.earlier.value is not None:
        lines.append(tr("Kept: {value}", value=f"{float(cell.earlier.value):.6f}"))
    if cell.interval is not None:
        low, high = typeset(f"{cell.interval.low:.4f}"), typeset(f"{cell.interval.high:.4f}")
        lines.append(tr("Interval: {low} to {high}", low=low, high=high))
    spread = spread_of(score)
    if spread is not None:
        low, high = f"{spread[0]:.4f}", f"{spread[1]:.4f}"
        lines.append(tr("The annotators' own alignments give {low} to {high}", low=low, high=high))
    lines += _comparison_lines(cell, baseline)
    if score.provisional:
        lines.append(tr("Provisional: the annotation it is based on is unfinished."))
    lines.append(score.signature)
    return "\n".join(lines)


def _comparison_lines(cell: ScoreCell, baseline: str) -> list[str]:
    one = cell.comparison
    if one is None:
        return []
    if one.p is None or one.adjusted_p is None or one.difference is None:
        return [tr("No topic in common with {baseline}: not compared.", baseline=baseline)]
    return [
        ntr(
            "{difference} against {baseline} on {n} common topic: p = {p}, {adjusted} after Holm",
            "{difference} against {baseline} on {n} common topics: p = {p}, {adjusted} after Holm",
            one.n_topics,
            difference=typeset(f"{one.difference:+.4f}"),
            baseline=baseline,
            p=f"{one.p:.4f}",
            adjusted=f"{one.adjusted_p:.4f}",
        )
    ]


_MOST_AT_ONCE = 200  # rows built together; of more, only visible ones


class ScoreRole(IntEnum):
    """Roles beside those of every table; bars are `GridRole.SHADE`."""

    BEGINS_GROUP = GridRole.OWN  # whether the columns of another length class begin here
    INTERVAL = GridRole.OWN + 1  # (low, high) of the mean on the bar's scale; None = there is none


class ScoresModel(GridModel):
    """Systems or topics in rows; the first column is the row's name."""

    def __init__(self) -> None:
        super().__init__()
        self.arrangement = Arrangement()

    def show_arrangement(self, arrangement: Arrangement) -> None:
        self.arrangement = arrangement
        self.retranslate()

    def retranslate(self) -> None:
        self.show(self._worded())

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.isValid() and index.column():
            cell = self.arrangement.cells[self.row_at(index)][index.column() - 1]
            column = self.arrangement.columns[index.column() - 1]
            if role == Qt.ItemDataRole.ToolTipRole:  # thousands, few of which are viewed
                return cell_explanation(cell, column, self.arrangement.baseline)
            if role == ScoreRole.BEGINS_GROUP:
                before = (
                    self.arrangement.columns[index.column() - 2] if index.column() > 1 else None
                )
                return before is None or column.length != before.length
            if role == ScoreRole.INTERVAL and column.metric and cell.interval is not None:
                greatest = greatest_of(column.metric.metric)
                return cell.interval.low / greatest, cell.interval.high / greatest
        return super().data(index, role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation is Qt.Orientation.Horizontal:
            side = self.side_of_title(section) if section else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignTop
        return super().headerData(section, orientation, role)

    def _worded(self) -> Grid:
        shown = self.arrangement
        wording = ScoreWording(
            cell=lambda _row, column, cell: shown_cell(cell, column),
            column=self._column,
            name=tr("System") if shown.has_systems_in_rows else tr("Topic"),
            name_cell=self._name_cell,
        )
        return grid_of_scores(shown, wording, as_asked=len(shown.rows) > _MOST_AT_ONCE)

    def _column(self, column: ScoreColumn) -> Column:
        signatures = [text for columns, text in self.arrangement.signatures if column in columns]
        tip = "\n".join([column_title(column, " "), *signatures])
        is_count = column.metric is None
        return Column(title=heading(column), tip=tip, is_number=True, is_spare=is_count)

    def _name_cell(self, row: ScoreViewRow) -> Cell:
        text, tip = row.name, ""
        if row.name == self.arrangement.baseline:
            text = tr("{system} (baseline)", system=row.name)
        if self.arrangement.has_systems_in_rows:
            tip = tr("{system}: click for its scores topic by topic", system=row.name)
        return Cell(text=text, value=row.name, tip=tip, is_number=False)


class ScoreDelegate(QStyledItemDelegate):
    """Draws scores."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        theme = self._themes.theme
        if index.data(ScoreRole.BEGINS_GROUP):
            painter.fillRect(
                option.rect.adjusted(0, 0, 1 - option.rect.width(), 0), theme.colour("line")
            )
        share = index.data(GridRole.SHADE)
        if share is not None:
            self._paint_bar(painter, option, index, float(share))
        if option.state & QStyle.StateFlag.State_HasFocus:
            frame_cell(painter, option, theme.colour("text"))

    def _paint_bar(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        share: float,
    ) -> None:
        theme = self._themes.theme
        thickness = max(2.0, option.fontMetrics.height() * 0.16)
        margin = option.fontMetrics.height() * 0.4
        track = QRectF(option.rect).adjusted(margin, 0, -margin, -2)
        track.setTop(track.bottom() - thickness)
        painter.fillRect(track, theme.colour("gutter"))
        bar = QRectF(track)
        bar.setWidth(track.width() * min(1.0, max(0.0, share)))
        painter.fillRect(bar, theme.bar(0))
        bounds = index.data(ScoreRole.INTERVAL)
        if bounds is not None:
            low, high = (track.left() + track.width() * min(1.0, max(0.0, x)) for x in bounds)
            middle = track.center().y()
            painter.setPen(theme.colour("text"))
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
            for end in (low, high):
                painter.drawLine(QPointF(end, track.top() - 1), QPointF(end, track.bottom() + 1))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        line_px = option.fontMetrics.height()
        return QSize(size.width() + line_px, round(line_px * 1.9))


# Minimal width of a column and of the first one, and maximal spare room of each, in heights of a
# line.
_NARROWEST, _NARROWEST_NAME, _MOST_SPARE = 4, 6, 4


class ScoresTable(GridView):
    """Table of scores; Ctrl+C copies all, Enter goes from a number to its loss."""

    ROW_LINES = 1.9  # there is a bar below each number

    viewChosen = Signal(object)  # the `View` that a cell leads to
    causeChosen = Signal(object)  # the `Cause` of the number that was chosen

    def __init__(self, themes: ThemeBox) -> None:
        self.scores = ScoresModel()
        super().__init__(None, self.scores)
        self.setItemDelegate(ScoreDelegate(themes, self))
        self.setAlternatingRowColors(True)
        self.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        self.clicked.connect(self._on_clicked)
        self.activated.connect(self._on_activated)

    @property
    def arrangement(self) -> Arrangement:
        return self.scores.arrangement

    def show_arrangement(self, arrangement: Arrangement) -> None:
        index, before = self.currentIndex(), self.arrangement
        row, column = self.row_of(index), index.column()
        self._needs = []  # of the former columns
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

    def report(self) -> Grid:
        shown = self.arrangement
        wording = ScoreWording(
            column=lambda column: Column(title=column_title(column, " "), is_number=True),
            cell=report_cell,
            name=tr("System") if shown.has_systems_in_rows else tr("Topic"),
        )
        return with_notes(grid_of_scores(shown, wording, [*self.grid.order]), shown)

    def copy_all(self) -> None:
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

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.column() == 0:
            self._on_activated(index)

    def _column_at(self, index: Index) -> ScoreColumn | None:
        """Returns the metric's column of a cell; None = the cell has no metric's number."""
        column = self.arrangement.columns[index.column() - 1] if index.column() > 0 else None
        return column if column is not None and column.metric is not None else None

    def _on_activated(self, index: QModelIndex) -> None:
        if self._column_at(index) is not None:
            self.causeChosen.emit(self.cause_at(index))
            return
        shown = self.arrangement
        name = shown.rows[self.grid.row_at(index)].name
        kind = ViewKind.SYSTEM if shown.has_systems_in_rows else ViewKind.TOPIC
        self.viewChosen.emit(View(kind=kind, subject=name))

    def leads_to(self, index: Index) -> str:
        """Returns where Enter leads: from a number to its cause, else to scores of their own."""
        if self._column_at(index) is None:
            return tr("Enter shows only its scores.")
        if self.arrangement.has_systems_in_rows:
            return tr("Enter shows the sentences that lowered it, T the metric topic by topic.")
        return tr(LOST_BY)

    def cause_at(self, index: QModelIndex) -> Cause:
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
        column = self._column_at(self.currentIndex())
        if column is None or not self.arrangement.has_systems_in_rows:
            return False
        view = View(kind=ViewKind.METRIC, length=column.length, metric=column.metric)
        self.viewChosen.emit(view)
        return True


_MOST_LINES = 7
_FEWEST_LINES = 2  # of signatures beside a plot; others are scrolled


class ScoresFooter(QFrame):
    """Legend of the table."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "strip")
        self._shown, self._has_warnings = Arrangement(), False
        self._is_small, self._explains_marks = False, True
        self._facts, self.legend = ElidedLabel(), styled(QLabel(), wraps=True)
        self._provisional = styled(QLabel(), "warning")
        meaning = mark("h: the fewest source sentences that make every abstract sentence possible")
        declare_text(self._facts, lambda: tr(meaning))
        tip = mark("What determines the numbers, one line per metric")
        self.signatures = written(QPushButton(), mark("Signatures"), tip)
        self.signatures.setCheckable(True)
        self.signatures.toggled.connect(self._fill_signatures)
        self._warnings = RemarksButton(mark("Notes on these scores"))
        inside = QWidget()
        self._signatures = spaced(QGridLayout(inside), self, across=0, down=0, between=1 / 6)
        self._signatures.setHorizontalSpacing(self.fontMetrics().height())
        self._signatures.setColumnStretch(1, 1)
        self._scroll = QScrollArea()
        self._scroll.setWidget(inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setStyleSheet(
            "QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; }"
        )
        top = (self._facts, self._provisional, None, self.signatures, self._warnings)
        row = spaced(QHBoxLayout(), self, *top, across=0, down=0, between=1)
        self._column = spaced(QVBoxLayout(self), self, row, self.legend, self._scroll)
        self.retranslate()

    def show_arrangement(self, arrangement: Arrangement, warnings: Sequence[Problem]) -> None:
        self._shown, self._has_warnings = arrangement, bool(warnings)
        self._warnings.show_remarks(warnings)
        self.retranslate()

    def make_small(self, is_small: bool) -> None:
        self._is_small = is_small
        self._fill_signatures()

    def explain_marks(self, are_in_sight: bool) -> None:
        self._explains_marks = are_in_sight
        self.legend.setVisible(are_in_sight and bool(self.legend.text()))

    def spared_px(self) -> int:
        """Returns the height saved while the marks are not explained."""
        if self._explains_marks or not self.legend.text():
            return 0
        margins = self._column.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        return self.legend.heightForWidth(width) + self._column.spacing()

    def retranslate(self) -> None:
        self._facts.setText(self._facts_text())
        self._facts.setVisible(bool(self._shown.h))
        self._provisional.setText(
            tr("{mark} provisional: the annotation is unfinished", mark=PROVISIONAL)
        )
        self._provisional.setVisible(self._shown.is_provisional)
        self.legend.setText("   ".join(self._legend()))
        self.explain_marks(self._explains_marks)
        self._fill_signatures()
        self.setVisible(bool(self._shown.rows) or self._has_warnings)

    def _facts_text(self) -> str:
        is_mean = self._shown.view.kind is not ViewKind.TOPIC
        parts = []
        for length, h in self._shown.h:
            told = (
                tr("mean h = {h}", h=f"{float(h):.2f}") if is_mean else tr("h = {h}", h=_number(h))
            )
            parts.append(labelled(length, told) if length is not None else told)
        return "   ".join(parts)

    def _legend(self) -> list[str]:
        shown = self._shown
        lines = []
        if shown.has_dash:
            lines.append(tr("{mark} no value: the tool tip says why", mark=UNDEFINED))
        if shown.has_partial:
            lines.append(tr("(n) mean over n topics only"))
        if shown.baseline:
            fields = {"baseline": shown.baseline, "alpha": f"{ALPHA:g}"}
            better = tr("better than {baseline}, p ≤ {alpha} after Holm", **fields)
            worse = tr("worse than {baseline}, p ≤ {alpha} after Holm", **fields)
            lines += [f"{BETTER} {better}", f"{WORSE} {worse}"]
            lines.append(ntr("{n} comparison", "{n} comparisons", shown.n_compared))
        return lines

    def _fill_signatures(self) -> None:
        while (item := self._signatures.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        rows = [
            (listed((column_title(column, " · ") for column in columns), most=4), signature)
            for columns, signature in self._shown.signatures
        ]  # fmt: skip
        rows += [("", line) for line in self._shown.resampling]
        for row, (name, signature) in enumerate(rows):
            for column, label in enumerate(self._labels(name, signature)):
                self._signatures.addWidget(label, row, column)
        line_px = self.fontMetrics().height()
        shown = min(len(rows), _FEWEST_LINES if self._is_small else _MOST_LINES)
        self._scroll.setFixedHeight(shown * (line_px + line_px // 6) + line_px // 4)
        self._scroll.setVisible(bool(rows) and self.signatures.isChecked())
        self.signatures.setVisible(bool(rows))

    def _labels(self, name: str, signature: str) -> tuple[QLabel, QLabel]:
        title, text = styled(QLabel(name), "muted"), styled(QLabel(signature), "muted")
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(self.font().pointSizeF() * 0.9)
        text.setFont(fixed)
        text.setToolTip(signature)
        # A long signature is cut at the window's edge rather than widening the window.
        text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        text.setAccessibleName(tr("Signature"))
        return title, text


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"
