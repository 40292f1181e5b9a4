"""The source sentences with all that is shown beside them; both centre models read from here."""

from collections.abc import Mapping
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from awase.core.annotation.formula import address_of, label_of
from awase.core.errors import Listing
from awase.core.records.identifiers import SentenceRef
from awase.core.records.source import Document, SourceSentence
from awase.core.text.text_search import spans_of
from awase.gui.kit.texts.i18n import listed, tr
from awase.gui.pages.annotate.rows.roles import SourceRole
from awase.gui.pages.annotate.state.annotation_state import AnnotationState
from awase.gui.pages.annotate.state.source_facts import (
    NOTHING_LINKED,
    SourceFacts,
    facts_elsewhere,
    facts_of,
)

_Value = TypeVar("_Value")
_FACT_ROLES = (
    SourceRole.IS_LINKED,
    SourceRole.OTHERS,
    SourceRole.USED_BY,
    SourceRole.LIKE,
    SourceRole.DIGIT,
    Qt.ItemDataRole.AccessibleTextRole,
)


class Sources(QObject):
    """Knows the topic's source sentences and keeps their facts up to date."""

    reset = Signal()
    """Another topic or abstract."""
    reordered = Signal(object)
    """Other candidates: order and matching words, and for these (frozenset) digits or facts."""
    factsChanged = Signal(object)
    """Addresses (frozenset) of the sentences whose facts are no longer what they were."""

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
        self._numbers: Mapping[SentenceRef, int] = {}
        annotation.placeChanged.connect(self._on_place_changed)
        annotation.sentenceChanged.connect(self._on_sentence_changed)
        annotation.orderChanged.connect(self._on_sentence_changed)
        annotation.digitsChanged.connect(self._on_digits_changed)
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

    @property
    def numbers(self) -> Mapping[SentenceRef, int]:
        """Running numbers for showing."""
        return self._numbers

    def set_needle(self, needle: str) -> None:
        """Marks where sentences have `needle`, folded; an empty one marks matching words again."""
        self._needle = needle
        self._spans.clear()

    def text(self, ref: SentenceRef) -> str:
        """Returns the sentence's text; empty when there is none."""
        sentence = self._sentence_by_ref.get(ref)
        return sentence.text if sentence else ""

    def facts(self, ref: SentenceRef) -> SourceFacts:
        """Returns how the sentence is linked."""
        return self._facts.get(ref, NOTHING_LINKED)

    def label(self, ref: SentenceRef) -> str:
        """Returns the sentence's short name."""
        return label_of(ref, self._numbers)

    def data(self, ref: SentenceRef, role: int) -> object:
        """Returns what a model says about the sentence."""
        facts = self.facts(ref)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(ref)
            case SourceRole.REF:
                return ref
            case SourceRole.LABEL:
                return self.label(ref)
            case SourceRole.DIGIT:
                return self._digit_by_ref.get(ref, 0)
            case SourceRole.IS_LINKED:
                return facts.is_linked
            case SourceRole.OTHERS:
                return facts.others
            case SourceRole.USED_BY:
                return facts.used_by
            case SourceRole.LIKE:
                return self.label(facts.like) if facts.like else ""
            case SourceRole.SPANS:
                return self._spans_of(ref)
            case SourceRole.IS_DOCUMENT:
                return False
            case SourceRole.ABOUT:
                return self._about(ref)
            case Qt.ItemDataRole.ToolTipRole:
                return self._tool_tip(ref)
            case Qt.ItemDataRole.AccessibleTextRole:
                return listed([self.label(ref), *self.remarks(ref), self.text(ref)])
        return None

    def remarks(self, ref: SentenceRef) -> list[str]:
        """Returns in words what the row shows by marks."""
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

    def _about(self, ref: SentenceRef) -> str:
        """Returns where the sentence stands: its id, source and date, place in its document."""
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
        about = filter(None, (address_of(ref, self._numbers), self.document_text(ref)))
        return "\n".join(["  ".join(about), *self.remarks(ref)])

    def document_text(self, ref: SentenceRef) -> str:
        """Returns source, date and title of the sentence's document; empty when it has none."""
        document = self._document_by_id.get(ref.document_id)
        parts = (document.source, document.date, document.title) if document else ()
        return "  ".join(part for part in parts if part)

    def _spans_of(self, ref: SentenceRef) -> tuple[tuple[int, int], ...]:
        if ref not in self._spans and self._needle:
            self._spans[ref] = spans_of(self.text(ref), self._needle)
        elif ref not in self._spans:
            text = self._annotation.place.text(self._annotation.n)
            self._spans[ref] = self._annotation.index.matches(ref, text) if text else ()
        return self._spans[ref]

    def _compute_facts(self) -> Mapping[SentenceRef, SourceFacts]:
        annotation = self._annotation
        n, entries = annotation.n, annotation.place.alignment.sentences
        others = tuple(entry for entry in entries if entry.n != n)
        if self._elsewhere is None or self._elsewhere[0] != (n, others):
            self._elsewhere = (n, others), facts_elsewhere(annotation.place, n)
        return facts_of(
            annotation.place, n, annotation.alternative_idx, annotation.index, self._elsewhere[1]
        )

    def _take_order(self) -> None:
        self._spans.clear()
        self._facts = self._compute_facts()
        self._take_digits()

    def _take_digits(self) -> None:
        first, has_abstract = self._annotation.first_digit, self._annotation.n > 0
        end = first + self._annotation.n_digits
        best = self._annotation.order[first:end] if has_abstract else ()
        self._digit_by_ref = {ref: digit for digit, ref in enumerate(best, start=1)}

    def _on_digits_changed(self) -> None:
        old = self._digit_by_ref
        self._take_digits()
        self.factsChanged.emit(_differing(old, self._digit_by_ref))

    def _on_place_changed(self) -> None:
        topic, session = self._annotation.place.topic, self._annotation.session
        self._sentence_by_ref = dict(topic.sentences()) if topic else {}
        self._document_by_id = {document.id: document for document in self.documents}
        self._place_by_ref = {
            ref: place
            for document in self.documents
            for place, ref in enumerate(document.refs(), start=1)
        }
        self._numbers = session.numbers(topic.id) if session and topic else {}
        self._take_order()
        self.reset.emit()

    def _on_sentence_changed(self) -> None:
        old_facts, old_digits = self._facts, self._digit_by_ref
        self._take_order()
        touched = _differing(old_facts, self._facts) | _differing(old_digits, self._digit_by_ref)
        self.reordered.emit(touched)

    def _on_facts_changed(self) -> None:
        old, self._facts = self._facts, self._compute_facts()
        touched = _differing(old, self._facts)
        if touched:
            self.factsChanged.emit(touched)


def _differing(
    old: Mapping[SentenceRef, _Value], new: Mapping[SentenceRef, _Value]
) -> frozenset[SentenceRef]:
    # Most are the same objects, which is quicker to see than that they are equal.
    return frozenset(
        ref
        for ref in old.keys() | new.keys()
        if (one := old.get(ref)) is not (other := new.get(ref)) and one != other
    )


FACT_ROLES = list(map(int, _FACT_ROLES))
"""Roles that `factsChanged` is about."""
