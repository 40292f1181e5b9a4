"""Dialog to write or rewrite an abstract."""

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from awase.core.annotation import content
from awase.core.annotation.content import Rewriting, rewritten
from awase.core.errors import CorpusFormatError
from awase.core.records.abstract import LIMIT_UNITS, Abstract, Limit
from awase.core.records.edit import Edit
from awase.core.records.topic import Topic
from awase.core.text.limits import length_of, usual_unit
from awase.gui.dialogs.editing.review import ReviewRow
from awase.gui.dialogs.editing.text_dialog import TextDialog
from awase.gui.dialogs.editing.wording import UNIT_TITLES, count_text, fate_text
from awase.gui.kit.forms.parts import ChoiceField, Field, Line, Number
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.texts.i18n import mark, tr, what_of
from awase.gui.session.session import CorpusSession

_LARGEST_LIMIT = 1_000_000


class AbstractDialog(TextDialog):
    """Edits the sentences of an abstract, its length class, author and limit."""

    def __init__(
        self,
        session: CorpusSession,
        jobs: Jobs,
        topic: Topic,
        abstract: Abstract | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Edits `abstract`; None = a new one."""
        texts = [sentence.text for sentence in abstract.sentences] if abstract else []
        self._topic, self._old = topic, abstract
        self._unit_of_text = usual_unit(topic.language, " ".join(texts))
        super().__init__(
            session,
            jobs,
            topic.language,
            self._fields(),
            texts,
            title=mark("Write an abstract") if abstract is None else mark("Edit the abstract"),
            parent=parent,
        )

    @property
    def limit(self) -> Limit | None:
        """The abstract's length limit."""
        size = self.fields.number("limit")
        return Limit(unit=self.fields.text("unit"), size=size) if size else None

    def refresh(self) -> None:
        found = self._rewriting()
        self.editor.set_labels([str(part.n) for part in found.abstract.sentences] if found else ())
        if found is not None:
            self.review.show_rows(self._rows(found))
        unit = self.fields.text("unit") or self._unit_of_text
        size = length_of(self.editor.sentences(), unit)
        limit = self.limit
        is_over = limit is not None and size > limit.size
        text = ("▲ " if is_over else "") + count_text(size, unit, limit)
        self.fields.write("count", text, "danger" if is_over else "muted")

    def problem(self) -> str:
        name = self.fields.text("id")
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
            id=self.fields.text("id") or "-",
            length=self.fields.text("length") or None,
            author=self.fields.text("author") or None,
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

    def _fields(self) -> list[tuple[Field, Field]]:
        abstract = self._old
        known = [part.length for part in self._topic.abstracts if part.length]
        lengths = [(name, name) for name in dict.fromkeys([*known, "short", "long"])]
        length = (abstract.length or "") if abstract else ""
        limit = abstract.limit if abstract else None
        units = ChoiceField(
            value=limit.unit if limit else self._unit_of_text,
            messages=[(unit, UNIT_TITLES[unit]) for unit in LIMIT_UNITS],
        )
        size = Number(
            limit.size if limit else 0, 0, _LARGEST_LIMIT, special=mark("no limit")
        )  # fmt: skip
        name = abstract.id if abstract else self._free_name()
        author = (abstract.author or "") if abstract else ""
        unit = Field("unit", mark("Unit of the limit"), units)
        return [
            (
                Field("id", mark("Name"), Line(name, is_fixed=abstract is not None)),
                Field("length", mark("Length class"), ChoiceField(lengths, length, is_open=True)),
            ),
            (
                Field("author", mark("Author"), Line(author)),
                Field("limit", mark("Limit"), size, beside=unit),
            ),
        ]

    def _free_name(self) -> str:
        known = {abstract.id for abstract in self._topic.abstracts}
        names = (f"{self._topic.id}-{place}" for place in range(1, len(known) + 2))
        return next(name for name in names if name not in known)
