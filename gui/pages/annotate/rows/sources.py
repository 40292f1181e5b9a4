"""Source sentences with their facts, and the two models of the centre pane."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt, Signal

from awase.core.annotation.candidates import TopicIndex
from awase.core.annotation.formula import address_of, label_of
from awase.core.errors import Listing
from awase.core.records.source import Document, SentenceRef, SourceSentence
from awase.core.text.script import spans_of
from awase.gui.kit.i18n import listed, tr
from awase.gui.kit.number_explanation import NO_PARENT, Index
from awase.gui.pages.annotate.annotation_state import AnnotatePosition, AnnotationState

# What a row is about: an `AbstractRow`, an `AlternativeRow`, a `Document`, or the `SentenceRef` of
# a source sentence.
SUBJECT: Final = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFacts:
    """How one source sentence is linked, seen from the selected abstract sentence."""

    is_linked: bool = False
    others: tuple[int, ...] = ()
    used_by: tuple[int, ...] = ()
    # A linked sentence that it nearly repeats; None when it is linked itself.
    like: SentenceRef | None = None


NOTHING_LINKED = SourceFacts()


def facts_of(
    place: AnnotatePosition,
    n: int,
    alternative_idx: int,
    index: TopicIndex,
    elsewhere: Mapping[SentenceRef, SourceFacts],
) -> Mapping[SentenceRef, SourceFacts]:
    """Returns source sentences' facts; `elsewhere` is from `facts_elsewhere`."""
    holders: dict[SentenceRef, list[int]] = {}
    for idx, alternative in enumerate(place.entry(n).alternatives if n else ()):
        for ref in alternative.members:
            holders.setdefault(ref, []).append(idx)
    like: dict[SentenceRef, SentenceRef] = {}
    for ref in holders:
        for duplicate in index.near_duplicates(ref):
            if duplicate not in holders:
                like.setdefault(duplicate, ref)
    here = {
        ref: SourceFacts(
            is_linked=alternative_idx in holders.get(ref, ()),
            others=tuple(idx for idx in holders.get(ref, ()) if idx != alternative_idx),
            used_by=elsewhere.get(ref, NOTHING_LINKED).used_by,
            like=like.get(ref),
        )
        for ref in holders.keys() | like.keys()
    }
    return {**elsewhere, **here}


def facts_elsewhere(place: AnnotatePosition, n: int) -> Mapping[SentenceRef, SourceFacts]:
    """Returns the source sentences used by other abstract sentences than `n`."""
    used_by: dict[SentenceRef, list[int]] = {}
    for entry in place.alignment.sentences:
        if entry.n != n:
            for ref in dict.fromkeys(entry.refs()):
                used_by.setdefault(ref, []).append(entry.n)
    return {ref: SourceFacts(used_by=tuple(numbers)) for ref, numbers in used_by.items()}


_Value = TypeVar("_Value")


class Sources(QObject):
    """The topic's source sentences with up-to-date facts."""

    reset = Signal()  # another topic or abstract
    # Other candidates: order and matching words, and for these (frozenset) digits or facts.
    reordered = Signal(object)
    # Addresses (frozenset) of sentences with changed facts.
    factsChanged = Signal(object)

    def __init__(self, annotation: AnnotationState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self._sentence_by_ref: dict[SentenceRef, SourceSentence] = {}
        self._document_by_id: dict[str, Document] = {}
        self._place_by_ref: dict[SentenceRef, int] = {}
        self._facts: Mapping[SentenceRef, SourceFacts] = {}
        self._spans: dict[SentenceRef, tuple[tuple[int, int], ...]] = {}
        self._digit_by_ref: dict[SentenceRef, int] = {}
        self._elsewhere: tuple[object, Mapping[SentenceRef, SourceFacts]] | None = None
        self._needle = ""
        self.numbers: Mapping[SentenceRef, int] = {}  # running numbers for showing
        annotation.placeChanged.connect(self._on_place_changed)
        annotation.sentenceChanged.connect(self._on_sentence_changed)
        annotation.orderChanged.connect(self._on_sentence_changed)
        annotation.digitsChanged.connect(self._on_facts_changed)
        annotation.alternativeChanged.connect(self._on_facts_changed)
        annotation.entryChanged.connect(self._on_facts_changed)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The topic's documents."""
        topic = self._annotation.place.topic
        return topic.documents if topic else ()

    @property
    def order(self) -> tuple[SentenceRef, ...]:
        """The candidates, best first."""
        return self._annotation.order

    def set_needle(self, needle: str) -> None:
        """Marks occurrences of `needle`, case-folded; empty = matching words."""
        self._needle = needle
        self._spans.clear()

    def text(self, ref: SentenceRef) -> str:
        """Returns the sentence's text; empty when there is none."""
        sentence = self._sentence_by_ref.get(ref)
        return sentence.text if sentence else ""

    def facts(self, ref: SentenceRef) -> SourceFacts:
        """Returns the sentence's links."""
        return self._facts.get(ref, NOTHING_LINKED)

    def label(self, ref: SentenceRef) -> str:
        """Returns the sentence's short name."""
        return label_of(ref, self.numbers)

    def data(self, ref: SentenceRef, role: int) -> object:
        """Returns a model's data of the sentence."""
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(ref)
            case Qt.ItemDataRole.ToolTipRole:
                return self._tool_tip(ref)
            case Qt.ItemDataRole.AccessibleTextRole:
                return listed([self.label(ref), *self.remarks(ref), self.text(ref)])
        return ref if role == SUBJECT else None

    def digit(self, ref: SentenceRef) -> int:
        """Returns the candidate's digit; 0 = none."""
        return self._digit_by_ref.get(ref, 0)

    def remarks(self, ref: SentenceRef) -> list[str]:
        """Describes the row's marks in words."""
        facts = self.facts(ref)
        remarks = []
        if facts.is_linked:
            remarks.append(tr("linked in this alternative"))
        if facts.others:
            others = Listing(idx + 1 for idx in facts.others)
            remarks.append(tr("linked in alternative {others}", others=others))
        if facts.used_by:
            numbers = Listing(facts.used_by)
            remarks.append(tr("also used by abstract sentence {numbers}", numbers=numbers))
        if facts.like:
            remarks.append(tr("nearly the same as {label}").format(label=self.label(facts.like)))
        return remarks

    def about(self, ref: SentenceRef) -> str:
        """Returns the sentence's id, source, date and position."""
        document = self._document_by_id.get(ref.document_id)
        if document is None:
            return str(ref)
        place = f"{self._place_by_ref[ref]}/{len(document.sentences)}"
        parts = (str(ref), document.date, place, document.source)
        return " · ".join(part for part in parts if part)

    def neighbours(self, ref: SentenceRef, reach: int) -> tuple[SentenceRef, ...]:
        """Returns the sentences around one in its document, itself among them."""
        document = self._document_by_id.get(ref.document_id)
        refs = tuple(document.refs()) if document else ()
        at = self._place_by_ref.get(ref, 1) - 1
        return refs[max(0, at - reach) : at + reach + 1]

    def _tool_tip(self, ref: SentenceRef) -> str:
        about = filter(None, (address_of(ref, self.numbers), self.document_text(ref)))
        return "\n".join(["  ".join(about), *self.remarks(ref)])

    def document_text(self, ref: SentenceRef) -> str:
        """Returns source, date and title of the sentence's document; empty when it has none."""
        document = self._document_by_id.get(ref.document_id)
        parts = (document.source, document.date, document.title) if document else ()
        return "  ".join(part for part in parts if part)

    def spans(self, ref: SentenceRef) -> tuple[tuple[int, int], ...]:
        """Returns where the words of the needle are, or those of the abstract sentence."""
        if ref not in self._spans and self._needle:
            self._spans[ref] = spans_of(self.text(ref), self._needle)
        elif ref not in self._spans:
            text = self._annotation.place.text(self._annotation.n)
            self._spans[ref] = self._annotation.index.matches(ref, text) if text else ()
        return self._spans[ref]

    def _renew(self) -> frozenset[SentenceRef]:
        """Computes facts and digits, and returns the sentences of which either is another."""
        old_facts, old_digits = self._facts, self._digit_by_ref
        annotation, n = self._annotation, self._annotation.n
        others = tuple(one for one in annotation.place.alignment.sentences if one.n != n)
        if self._elsewhere is None or self._elsewhere[0] != (n, others):
            self._elsewhere = (n, others), facts_elsewhere(annotation.place, n)
        self._facts = facts_of(
            annotation.place, n, annotation.alternative_idx, annotation.index, self._elsewhere[1]
        )
        end = annotation.first_digit + annotation.n_digits
        best = annotation.order[annotation.first_digit : end] if n else ()
        self._digit_by_ref = {ref: digit for digit, ref in enumerate(best, start=1)}
        return _differing(old_facts, self._facts) | _differing(old_digits, self._digit_by_ref)

    def _on_place_changed(self) -> None:
        topic, session = self._annotation.place.topic, self._annotation.session
        self._sentence_by_ref = dict(topic.sentences()) if topic else {}
        self._document_by_id = {document.id: document for document in self.documents}
        self._place_by_ref = {
            ref: place
            for document in self.documents
            for place, ref in enumerate(document.refs(), start=1)
        }
        self.numbers = session.numbers(topic.id) if topic else {}
        self._spans.clear()
        self._renew()
        self.reset.emit()

    def _on_sentence_changed(self) -> None:
        self._spans.clear()
        self.reordered.emit(self._renew())

    def _on_facts_changed(self) -> None:
        touched = self._renew()
        if touched:
            self.factsChanged.emit(touched)


def _differing(
    old: Mapping[SentenceRef, _Value], new: Mapping[SentenceRef, _Value]
) -> frozenset[SentenceRef]:
    # Most are the same objects, a quicker check than equality.
    return frozenset(
        ref
        for ref in old.keys() | new.keys()
        if (one := old.get(ref)) is not (other := new.get(ref)) and one != other
    )


FACT_ROLES = [int(Qt.ItemDataRole.AccessibleTextRole)]  # none that decides a row's height


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
        row = self._row_by_ref.get(ref)
        return QModelIndex() if row is None else self.index(row)

    def text_at(self, row: int) -> str:
        return self._sources.text(self._order[row])

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._order)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self._sources.data(self._order[index.row()], role) if index.isValid() else None

    def _on_reordered(self, *_: object) -> None:
        self.beginResetModel()
        self._order = self._sources.order
        self._row_by_ref = {ref: row for row, ref in enumerate(self._order)}
        self.endResetModel()

    def _on_facts_changed(self, refs: frozenset[SentenceRef]) -> None:
        for index in map(self.index_of, refs):
            if index.isValid():
                self.dataChanged.emit(index, index, FACT_ROLES)


class DocumentModel(QAbstractItemModel):
    """Tree of documents and sentences."""

    # A sentence's internal id is its document's number from 1; a document's is 0.

    def __init__(self, sources: Sources, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sources = sources
        self._documents: tuple[Document, ...] = ()
        self._place_by_ref: dict[SentenceRef, tuple[int, int]] = {}
        sources.reset.connect(self._on_reset)
        sources.reordered.connect(self._on_facts_changed)
        sources.factsChanged.connect(self._on_facts_changed)

    def index_of(self, ref: SentenceRef) -> QModelIndex:
        place = self._place_by_ref.get(ref)
        if place is None:
            return QModelIndex()
        document, row = place
        return self.createIndex(row, 0, document + 1)

    def index(self, row: int, column: int, parent: Index = NO_PARENT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = NO_PARENT) -> QModelIndex:  # type: ignore[override]  # Qt overloads it
        document = index.internalId() if index.isValid() else 0
        return self.createIndex(document - 1, 0, 0) if document else QModelIndex()

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        if not parent.isValid():
            return len(self._documents)
        if parent.internalId() == 0 and parent.column() == 0:
            return len(self._documents[parent.row()].sentences)
        return 0

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if index.internalId() == 0:
            document = self._documents[index.row()]
            match role:
                case Qt.ItemDataRole.DisplayRole:
                    return document.title or document.id
                case Qt.ItemDataRole.ToolTipRole:
                    return document.id
            return document if role == SUBJECT else None
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
        for index in map(self.index_of, refs):
            if index.isValid():
                self.dataChanged.emit(index, index, FACT_ROLES)
