"""The alternatives of the selected abstract sentence, as rows."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from awase.core.annotation.formula import address_of, formula, set_text
from awase.core.annotation.warnings import (
    AlternativeFault,
    AlternativeWarning,
    alternative_warnings,
)
from awase.core.records.alignment import Alternative
from awase.core.records.identifiers import SentenceRef
from awase.gui.kit.texts.direction import following
from awase.gui.kit.texts.i18n import listed, mark, tr
from awase.gui.pages.annotate.rows.roles import AlternativeRole
from awase.gui.pages.annotate.rows.sources import Sources
from awase.gui.pages.annotate.state.annotation_state import AnnotationState

Index = QModelIndex | QPersistentModelIndex

FAULTS: Final[Mapping[AlternativeFault, str]] = {
    AlternativeFault.DUPLICATE: mark("the same as alternative {other}"),
    AlternativeFault.CONTAINS: mark("contains alternative {other}, so it is never needed"),
}


class Member(NamedTuple):
    """A member of an alternative, ready to be shown."""

    ref: SentenceRef
    label: str
    text: str


class _Row(NamedTuple):
    """All that decides how a row looks."""

    alternative: Alternative | None
    is_current: bool
    warning: AlternativeWarning | None


class AlternativeModel(QAbstractListModel):
    """Rows are the alternatives; one more stands for the one that is about to begin."""

    def __init__(
        self, annotation: AnnotationState, sources: Sources, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self._sources = sources
        self._rows: list[_Row] = []
        sources.reset.connect(self._on_reset)
        sources.reordered.connect(self._on_reset)
        annotation.entryChanged.connect(self._on_moved)
        annotation.alternativeChanged.connect(self._on_moved)

    @property
    def formula(self) -> str:
        """What it takes to write the sentence, such as `s1 ∨ (s10 ∧ s11)`."""
        alternatives = (row.alternative for row in self._rows if row.alternative)
        return formula(alternatives, self._sources.numbers)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        members = row.alternative.members if row.alternative else ()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._set_text(row)
            case AlternativeRole.MEMBERS:
                sources = self._sources
                return tuple(Member(ref, sources.label(ref), sources.text(ref)) for ref in members)
            case AlternativeRole.IS_CURRENT:
                return row.is_current
            case AlternativeRole.WARNING:
                return _warning_text(row.warning)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(index.row(), row)
            case Qt.ItemDataRole.ToolTipRole:
                numbers = self._sources.numbers
                return "\n".join(
                    f"{address_of(ref, numbers)}  {following(self._sources.text(ref))}"
                    for ref in members
                )
        return None

    def _set_text(self, row: _Row) -> str:
        return set_text(row.alternative, self._sources.numbers) if row.alternative else ""

    def _spoken(self, at: int, row: _Row) -> str:
        if row.alternative is None:
            return tr("New alternative, no member yet")
        text = self._set_text(row)
        spoken = tr("Alternative {number}: {members}").format(number=at + 1, members=text)
        return listed(filter(None, (spoken, _warning_text(row.warning))))

    def _rows_now(self) -> list[_Row]:
        annotation = self._annotation
        if annotation.n == 0:
            return []
        alternatives = annotation.entry.alternatives
        warnings = {found.alternative_idx: found for found in alternative_warnings(alternatives)}
        rows = [
            _Row(alternative, at == annotation.alternative_idx, warnings.get(at))
            for at, alternative in enumerate(alternatives)
        ]
        return [*rows, _Row(None, True, None)] if annotation.is_fresh else rows

    def _on_reset(self, *_: object) -> None:
        self.beginResetModel()
        self._rows = self._rows_now()
        self.endResetModel()

    def _on_moved(self) -> None:
        """Lets rows come or go at the end, then tells which others look different."""
        new = self._rows_now()
        count = len(self._rows)
        if len(new) > count:
            self.beginInsertRows(QModelIndex(), count, len(new) - 1)
            self._rows += new[count:]
            self.endInsertRows()
        elif len(new) < count:
            self.beginRemoveRows(QModelIndex(), len(new), count - 1)
            del self._rows[len(new) :]
            self.endRemoveRows()
        for at, row in enumerate(new):
            if self._rows[at] != row:
                self._rows[at] = row
                self.dataChanged.emit(self.index(at), self.index(at))


def _warning_text(warning: AlternativeWarning | None) -> str:
    return tr(FAULTS[warning.fault]).format(other=warning.other_idx + 1) if warning else ""
