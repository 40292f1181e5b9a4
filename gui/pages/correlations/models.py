"""A study as two tables: metrics by coefficients, and metrics by metrics."""

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QFont

from awase.core.reports.score_report import UNDEFINED
from awase.core.statistics.correlation.coefficients import Coefficient
from awase.core.statistics.correlation.intervals import Interval
from awase.core.statistics.correlation.study import Comparison, Estimate, Study
from awase.gui.kit.texts.i18n import ntr, tr, what_of

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
SIGNIFICANT = 0.05
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class StudyModel(QAbstractTableModel):
    """Metrics in rows: name, coefficients, how many systems and topics."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._study: Study | None = None

    def show(self, study: Study | None) -> None:
        """Replaces what is shown."""
        self.beginResetModel()
        self._study = study
        self.endResetModel()

    def retranslate(self) -> None:
        """Tells the views that headings may have changed."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(0, self.columnCount() - 1))

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() or self._study is None else len(self._study.results)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        if parent.isValid() or self._study is None:
            return 0
        return 3 + len(self._study.request.coefficients)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self._study is None:
            return None
        result = self._study.results[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole and column:
            return _RIGHT
        if column == 0:
            shown = {Qt.ItemDataRole.DisplayRole: result.metric,
                     Qt.ItemDataRole.ToolTipRole: result.signature}  # fmt: skip
            return shown.get(Qt.ItemDataRole(role)) if role in shown else None
        n_coefficients = len(result.estimates)
        if column <= n_coefficients:
            return self._estimate_data(result.estimates[column - 1], role)
        if role == Qt.ItemDataRole.DisplayRole:
            is_systems = column == n_coefficients + 1
            return str(result.n_systems if is_systems else result.n_topics or UNDEFINED)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal or self._study is None:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        names = [one.value for one in self._study.request.coefficients]
        return [tr("Metric"), *names, tr("Systems"), tr("Topics")][section]

    def _estimate_data(self, estimate: Estimate, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return UNDEFINED if estimate.value is None else f"{estimate.value:.3f}"
        if role == Qt.ItemDataRole.FontRole and self._is_best(estimate):
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.ToolTipRole:
            return _explanation(estimate)
        return None

    def _is_best(self, estimate: Estimate) -> bool:
        if self._study is None or len(self._study.results) < 2:
            return False
        values = [
            one.value
            for result in self._study.results
            for one in result.estimates
            if one.coefficient is estimate.coefficient and one.value is not None
        ]
        return estimate.value is not None and round(max(values) - estimate.value, 9) == 0


def _explanation(estimate: Estimate) -> str:
    if estimate.value is None:
        return what_of(estimate.reason) if estimate.reason is not None else tr("Undefined")
    lines = [f"{estimate.value:.6f}"]
    if estimate.bootstrap is not None:
        lines.append(tr("95 % interval, bootstrap: {ends}", ends=_ends(estimate.bootstrap)))
    if estimate.closed_form is not None:
        lines.append(tr("95 % interval, closed form: {ends}", ends=_ends(estimate.closed_form)))
    if estimate.undefined_topics:
        n = len(estimate.undefined_topics)
        lines.append(ntr("{n} topic is undefined", "{n} topics are undefined", n))
    return "\n".join(lines)


def _ends(interval: Interval) -> str:
    return f"{interval.low:.3f} – {interval.high:.3f}"


class DifferencesModel(QAbstractTableModel):
    """The row's metric less the column's, with p after Holm's correction."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._found: dict[tuple[str, str], Comparison] = {}

    def show(self, study: Study | None, coefficient: Coefficient) -> None:
        """Replaces what is shown."""
        self.beginResetModel()
        self._names = tuple(result.metric for result in study.results) if study else ()
        self._found = {
            (one.first, one.second): one
            for one in (study.comparisons if study else ())
            if one.coefficient is coefficient
        }
        self.endResetModel()

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._names)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT
        row, column = self._names[index.row()], self._names[index.column()]
        comparison, sign = self._found.get((row, column)), 1
        if comparison is None:
            comparison, sign = self._found.get((column, row)), -1
        if comparison is None:
            return None
        is_significant = comparison.p_holm is not None and comparison.p_holm <= SIGNIFICANT
        if role == Qt.ItemDataRole.DisplayRole:
            if comparison.difference is None:
                return UNDEFINED
            return f"{sign * comparison.difference:+.3f}{'*' if is_significant else ' '}"
        if role == Qt.ItemDataRole.FontRole and is_significant:
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.ToolTipRole and comparison.p_holm is not None:
            return tr(
                "{row} less {column}: p = {p}, after Holm's correction {p_holm}",
                row=row, column=column, p=f"{comparison.p:.4f}", p_holm=f"{comparison.p_holm:.4f}",
            )  # fmt: skip
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        return self._names[section] if role == Qt.ItemDataRole.DisplayRole else None
