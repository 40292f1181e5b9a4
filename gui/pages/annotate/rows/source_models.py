"""The centre's two ways to look at the source sentences: best candidates first, or in documents."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from awase.core.records.identifiers import SentenceRef
from awase.core.records.source import Document
from awase.gui.pages.annotate.rows.roles import SourceRole
from awase.gui.pages.annotate.rows.sources import FACT_ROLES, Sources

Index = QModelIndex | QPersistentModelIndex


class CandidateModel(QAbstractListModel):
    """All source sentences of the topic, the best candidates first."""

    def __init__(self, sources: Sources, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sources = sources
        self._order: tuple[SentenceRef, ...] = ()
        self._row_by_ref: dict[SentenceRef, int] = {}
        sources.reset.connect(self._on_reordered)
        sources.reordered.connect(self._on_reordered)
        sources.factsChanged.connect(self._on_facts_changed)

    def index_of(self, ref: SentenceRef) -> QModelIndex:
        """Returns where the sentence is."""
        row = self._row_by_ref.get(ref)
        return QModelIndex() if row is None else self.index(row)

    def text_at(self, row: int) -> str:
        return self._sources.text(self._order[row])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._order)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self._sources.data(self._order[index.row()], role) if index.isValid() else None

    def _on_reordered(self, *_: object) -> None:
        self.beginResetModel()
        self._order = self._sources.order
        self._row_by_ref = {ref: row for row, ref in enumerate(self._order)}
        self.endResetModel()

    def _on_facts_changed(self, refs: frozenset[SentenceRef]) -> None:
        for ref in refs:
            index = self.index_of(ref)
            if index.isValid():
                self.dataChanged.emit(index, index, FACT_ROLES)


class DocumentModel(QAbstractItemModel):
    """The topic's documents, each with its sentences below it.

    A document's rows carry its number from 1 as internal id; documents themselves carry 0.
    """

    def __init__(self, sources: Sources, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sources = sources
        self._documents: tuple[Document, ...] = ()
        self._place_by_ref: dict[SentenceRef, tuple[int, int]] = {}
        sources.reset.connect(self._on_reset)
        sources.reordered.connect(self._on_facts_changed)
        sources.factsChanged.connect(self._on_facts_changed)

    def index_of(self, ref: SentenceRef) -> QModelIndex:
        """Returns where the sentence is."""
        place = self._place_by_ref.get(ref)
        if place is None:
            return QModelIndex()
        document, row = place
        return self.createIndex(row, 0, document + 1)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008  (Qt overloads it)
        document = index.internalId() if index.isValid() else 0
        return self.createIndex(document - 1, 0, 0) if document else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        if not parent.isValid():
            return len(self._documents)
        if parent.internalId() == 0 and parent.column() == 0:
            return len(self._documents[parent.row()].sentences)
        return 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if index.internalId() == 0:
            return _document_data(self._documents[index.row()], role)
        return self._sources.data(self._ref_at(index), role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and index.internalId() == 0:
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def _ref_at(self, index: Index) -> SentenceRef:
        document = self._documents[index.internalId() - 1]
        return SentenceRef(document.id, document.sentences[index.row()].n)

    def _on_reset(self, *_: object) -> None:
        self.beginResetModel()
        self._documents = self._sources.documents
        self._place_by_ref = {
            ref: (document_idx, row)
            for document_idx, document in enumerate(self._documents)
            for row, ref in enumerate(document.refs())
        }
        self.endResetModel()

    def _on_facts_changed(self, refs: frozenset[SentenceRef]) -> None:
        for ref in refs:
            index = self.index_of(ref)
            if index.isValid():
                self.dataChanged.emit(index, index, FACT_ROLES)


def _document_data(document: Document, role: int) -> object:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return document.title or document.id
        case SourceRole.IS_DOCUMENT:
            return True
        case SourceRole.LABEL:
            parts = (document.id if document.title else None, document.source, document.date)
            return "  ".join(part for part in parts if part)
        case Qt.ItemDataRole.ToolTipRole:
            return document.id
    return None
