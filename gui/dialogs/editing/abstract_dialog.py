"""Writes an abstract, or one that is there anew."""

from dataclasses import replace

from PySide6.QtWidgets import QComboBox, QLineEdit, QSpinBox, QWidget

from awase.core.annotation import content
from awase.core.annotation.abstracts import Rewriting, rewritten
from awase.core.errors import CorpusFormatError
from awase.core.records.abstract import LIMIT_UNITS, Abstract, Limit
from awase.core.records.edit import Edit
from awase.core.records.topic import Topic
from awase.core.text.lengths import length_of, usual_unit
from awase.gui.dialogs.editing.review import ReviewRow
from awase.gui.dialogs.editing.text_dialog import TextDialog
from awase.gui.dialogs.editing.wording import UNIT_TITLES, count_text, fate_text
from awase.gui.kit.look.looks import set_look
from awase.gui.kit.texts.i18n import mark, tr, what_of
from awase.gui.session.session import CorpusSession

_LARGEST_LIMIT = 1_000_000


class AbstractDialog(TextDialog):
    """Edits the sentences of an abstract, its length class, author and limit."""

    def __init__(
        self,
        session: CorpusSession,
        topic: Topic,
        abstract: Abstract | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Edits `abstract`; None = writes a new one."""
        texts = [sentence.text for sentence in abstract.sentences] if abstract else []
        language = topic.language
        super().__init__(session, language, parent)
        self._topic, self._old = topic, abstract
        self.id_field, self.author_field = QLineEdit(), QLineEdit()
        self.length_field, self.unit_field = QComboBox(), QComboBox()
        self.limit_field = QSpinBox()
        self._unit_of_text = usual_unit(language, " ".join(texts))
        self._fill(abstract)
        for title, field in (
            (mark("Name"), self.id_field),
            (mark("Length class"), self.length_field),
            (mark("Author"), self.author_field),
        ):
            self._add_field(title, field)
        self._add_field(mark("Limit"), self.limit_field, self.unit_field)
        self._begin(texts)
        self.id_field.textChanged.connect(self.refresh)
        self.length_field.editTextChanged.connect(self.refresh)
        self.limit_field.valueChanged.connect(self.refresh)
        self.unit_field.currentIndexChanged.connect(self.refresh)

    @property
    def limit(self) -> Limit | None:
        """How long the abstract may be."""
        size = self.limit_field.value()
        return Limit(unit=str(self.unit_field.currentData()), size=size) if size else None

    def refresh(self) -> None:
        found = self._rewriting()
        if found is None:
            self._show_state(())
        else:
            self.review.show_rows(self._rows(found))
            self._show_state([str(sentence.n) for sentence in found.abstract.sentences])
        unit = str(self.unit_field.currentData() or self._unit_of_text)
        size = length_of(self.editor.sentences(), unit)
        limit = self.limit
        is_over = limit is not None and size > limit.size
        set_look(self._count, "danger" if is_over else "muted")
        self._count.setText(("▲ " if is_over else "") + count_text(size, unit, limit))

    def problem(self) -> str:
        name = self.id_field.text().strip()
        known = [abstract.id for abstract in self._topic.abstracts]
        if not name:
            return tr("Give the abstract a name.")
        if name in known and (self._old is None or name != self._old.id):
            return tr("This topic has an abstract of that name.")
        if not self.editor.sentences():
            return tr("The abstract has no sentence yet: write or paste its text.")
        try:
            self._rewriting_checked()
        except CorpusFormatError as error:
            return what_of(error.problems[0])
        return "" if self.review.is_decided else tr("Decide what becomes of the sentences above.")

    def edit(self) -> Edit | None:
        new = self._rewriting_checked().abstract
        if self._old is None:
            abstracts = (*self._topic.abstracts, new)
        else:
            abstracts = tuple(new if part is self._old else part for part in self._topic.abstracts)
        return content.topic_edit(
            self._topic,
            replace(self._topic, abstracts=abstracts),
            verb=content.ADD_ABSTRACT if self._old is None else content.EDIT_ABSTRACT,
            abstract=new.id,
            subject=new.id,
        )

    def put_back(self, n: int) -> None:
        found = self._rewriting()
        if self._old is not None and found is not None:
            numbers = [sentence.n for sentence in self._old.sentences]
            self.put_after(
                numbers[: numbers.index(n)],
                found.resplit,
                self._old.sentences[numbers.index(n)].text,
            )

    def _rewriting(self) -> Rewriting | None:
        try:
            return self._rewriting_checked()
        except CorpusFormatError:
            return None

    def _rewriting_checked(self) -> Rewriting:
        base = self._old or Abstract(id="-")
        head = replace(
            base,
            id=self.id_field.text().strip() or "-",
            length=self.length_field.currentText().strip() or None,
            author=self.author_field.text().strip() or None,
            limit=self.limit,
        )
        return rewritten(head, self.editor.sentences())

    def _rows(self, found: Rewriting) -> list[ReviewRow]:
        if self._old is None:
            return []
        worked_on = {
            entry.n
            for alignment in self._old.alignments
            for entry in alignment.sentences
            if entry.refs() or entry.note
        }
        text_by_n = {sentence.n: sentence.text for sentence in self._old.sentences}
        return [
            ReviewRow(n, self._fate(n, text_by_n[n], found), n in found.lost)
            for n in found.resplit.to_review()
            if n in worked_on or n in found.lost
        ]

    def _fate(self, n: int, text: str, found: Rewriting) -> str:
        n_places = len(found.resplit.found[n])
        return fate_text(tr("Sentence {n}", n=n), text, found.resplit.fates[n], n_places)

    def _fill(self, abstract: Abstract | None) -> None:
        self.length_field.setEditable(True)
        known = [part.length for part in self._topic.abstracts if part.length]
        self.length_field.addItems(list(dict.fromkeys([*known, "short", "long"])))
        self.limit_field.setRange(0, _LARGEST_LIMIT)
        for unit in LIMIT_UNITS:
            self.unit_field.addItem("", unit)
        limit = abstract.limit if abstract else None
        self.limit_field.setValue(limit.size if limit else 0)
        unit = limit.unit if limit else self._unit_of_text
        self.unit_field.setCurrentIndex(self.unit_field.findData(unit))
        self.length_field.setEditText((abstract.length or "") if abstract else "")
        self.author_field.setText((abstract.author or "") if abstract else "")
        self.id_field.setText(abstract.id if abstract else self._free_name())
        self.id_field.setReadOnly(abstract is not None)

    def _free_name(self) -> str:
        known = {abstract.id for abstract in self._topic.abstracts}
        names = (f"{self._topic.id}-{place}" for place in range(1, len(known) + 2))
        return next(name for name in names if name not in known)

    def _retranslate(self) -> None:
        is_new = self._old is None
        self.setWindowTitle(tr("Write an abstract") if is_new else tr("Edit the abstract"))
        self.limit_field.setSpecialValueText(tr("no limit"))
        self.unit_field.setAccessibleName(tr("Unit of the limit"))
        for index, unit in enumerate(LIMIT_UNITS):
            self.unit_field.setItemText(index, tr(UNIT_TITLES[unit]))
        super()._retranslate()
