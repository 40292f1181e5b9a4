"""Editing commands of the menus and the Annotate page."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLineEdit, QWidget

from awase.core.annotation import content
from awase.core.annotation.content import Rewriting, rewritten
from awase.core.annotation.formula import label_of
from awase.core.errors import CorpusFormatError
from awase.core.records.abstract import LIMIT_UNITS, Abstract, Limit
from awase.core.records.edits import Edit
from awase.core.records.source import Document, SentenceRef, SourceSentence
from awase.core.records.topic import Topic
from awase.core.text.resplitting import Resplit
from awase.core.text.script import Cleaned, cleaned, length_of, usual_unit
from awase.gui.dialogs.editing.text_dialog import (
    UNIT_TITLES,
    ReviewRow,
    TextDialog,
    count_text,
    free_id,
    quoted,
    read_text_file,
    removed_text,
    store_and_close,
    uses_text,
)
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import ask_file, ask_first, open_once
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import (
    Body,
    Button,
    ChoiceField,
    Columns,
    Field,
    Form,
    Line,
    Note,
    Number,
    Shown,
)
from awase.gui.kit.i18n import LANGUAGES, aside, mark, ntr, problem_text, tr, what_of
from awase.gui.kit.jobs.running import Jobs, once
from awase.gui.kit.look.fitting import TextEditor
from awase.gui.kit.look.markup import MarkdownView
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
        self._topic, self._old = topic, abstract
        old = abstract.sentences if abstract else ()
        self._unit_of_text = usual_unit(topic.language, " ".join(one.text for one in old))
        super().__init__(
            session,
            jobs,
            topic.language,
            self._fields(),
            old,
            title=mark("Write an abstract") if abstract is None else mark("Edit the abstract"),
            parent=parent,
        )

    @property
    def limit(self) -> Limit | None:
        size = self.fields.number("limit")
        return Limit(unit=self.fields.text("unit"), size=size) if size else None

    def refresh(self) -> None:
        found = None
        with suppress(CorpusFormatError):
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
            return tr("This topic already has an abstract with that name.")
        if not self.editor.sentences():
            return tr("The abstract has no sentence yet: write or paste its text.")
        try:
            self._rewriting()
        except CorpusFormatError as error:
            return what_of(error.problems[0])
        return "" if self.review.is_decided else tr("Decide what to do with the sentences above.")

    def edit(self) -> Edit | None:
        new = self._rewriting().abstract
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

    def _rewriting(self) -> Rewriting:
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
        fate, gone = partial(self.fate, found=found.resplit), found.resplit.gone()
        return [
            ReviewRow(n, fate(tr("Sentence {n}", n=n), n), n in gone)
            for n in found.resplit.to_review()
            if n in found.worked_on
        ]

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
        known_ids = (part.id for part in self._topic.abstracts)
        name = abstract.id if abstract else free_id(f"{self._topic.id}-", known_ids)
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


_JOB = "document-file"


class DocumentDialog(TextDialog):
    """Edits the sentences of a document; its links follow the text."""

    def __init__(
        self,
        session: CorpusSession,
        jobs: Jobs,
        topic: Topic,
        document: Document | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Edits `document`; None = a new one."""
        self._topic, self._old = topic, document
        self._path = Path()
        take = Button("file", mark("Load text from a file…"), self._on_file)
        is_new = document is None
        super().__init__(
            session,
            jobs,
            topic.language,
            self._fields(),
            document.sentences if document else (),
            title=mark("Add a document") if is_new else mark("Split the document again"),
            buttons=(take,) if is_new else (),
            parent=parent,
        )
        # A title is longer than its field, and is recognised by its beginning.
        self.fields.widget_as("title", QLineEdit).home(False)

    def load(self, path: Path) -> None:
        language, self._path = self.editor.language, path
        self.start(
            _JOB, lambda reporter: read_text_file(path, language, reporter), self._on_read
        )  # fmt: skip

    def refresh(self) -> None:
        found = self.resplit()
        self.editor.setReadOnly(self.is_busy)
        self.editor.set_labels([str(n) for n, _ in found.sentences])
        self.review.show_rows(self._rows(found))
        count = ntr("{n} sentence", "{n} sentences", len(found.sentences))
        self.fields.write("count", count, "muted")

    def problem(self) -> str:
        name = self.fields.text("id")
        if self.is_busy:
            return tr("The file is being read. Cancel stops that.")
        if not name:
            return tr("Give the document an id.")
        if self._old is None and name in {part.id for part in self._topic.documents}:
            return tr("This topic already has a document with that id.")
        if not self.editor.sentences():
            return tr("The document has no sentence yet: paste its text or choose a file.")
        if not self.review.is_decided:
            return tr("Decide what to do with the sentences above.")
        try:
            self._new_topic()
        except CorpusFormatError as error:
            return what_of(error.problems[0])
        return ""

    def _on_read(self, result: tuple[list[str], Cleaned]) -> None:
        self.fields.set("id", self._path.stem)
        self.editor.take(*result)

    def went_wrong(self, error: BaseException) -> None:
        self.show_outcome(what_of(problems_of(error)[0]), "danger")

    def edit(self) -> Edit | None:
        return content.topic_edit(
            self._topic,
            self._new_topic(),
            verb=content.ADD_DOCUMENT if self._old is None else content.RESPLIT_DOCUMENT,
            subject=self.fields.text("id"),
        )

    def _new_topic(self) -> Topic:
        found = self.resplit()
        document = Document(
            id=self.fields.text("id"),
            title=self.fields.text("title") or None,
            source=self.fields.text("source") or None,
            date=self.fields.text("date") or None,
            sentences=self._sentences(found),
        )
        if self._old is None:
            return content.with_document(self._topic, document)
        carried = content.carried_in(document.id, found)
        recut = content.recut_in(document.id, found)
        return content.with_replaced_document(self._topic, document, carried, recut)

    def _sentences(self, found: Resplit) -> tuple[SourceSentence, ...]:
        """Returns the sentences; a new one joins the paragraph of the one before it."""
        known = {part.n: part for part in (self._old.sentences if self._old else ())}
        sentences: list[SourceSentence] = []
        paragraph: int | None = None
        for n, text in found.sentences:
            old = known.get(n)
            paragraph = old.paragraph if old else paragraph
            same = old is not None and found.found[n] == (n,) and n not in found.to_review()
            kept = old.text if old is not None and same else text
            sentences.append(SourceSentence(n=n, text=kept, paragraph=paragraph))
        return tuple(sentences)

    def _rows(self, found: Resplit) -> list[ReviewRow]:
        if self._old is None:
            return []
        numbers = self._session.numbers(self._topic.id)
        rows = []
        for n in found.to_review():
            ref = SentenceRef(self._old.id, n)
            uses = content.uses_of(self._topic, frozenset([ref]))
            if uses.is_any:
                text = self.fate(label_of(ref, numbers), n, found)
                row = ReviewRow(n, aside(text, uses_text(uses)), n in found.gone())
                rows.append(row)
        return rows

    def _fields(self) -> list[tuple[Field, Field]]:
        old = self._old
        known = (document.id for document in self._topic.documents)
        name = old.id if old else free_id("d", known)
        return [
            (
                Field("id", mark("Document id"), Line(name, is_fixed=old is not None)),
                Field("date", mark("Date"), Line((old.date or "") if old else "")),
            ),
            (
                Field("title", mark("Title"), Line((old.title or "") if old else "")),
                Field("source", mark("Source"), Line((old.source or "") if old else "")),
            ),
        ]

    def _on_file(self) -> None:
        ask_file(self, tr("Choose a text file"), self.load, kinds=(tr("Text files (*.txt)"),))


_PAUSE_MS: Final = 150


class GuidelinesDialog(FormDialog):
    """Guidelines editor; stays open until stored."""

    def __init__(self, session: CorpusSession, parent: QWidget | None = None) -> None:
        self._session = session
        self._old = session.frame.guidelines
        self.editor, self.preview = TextEditor(self._old), MarkdownView()
        self.editor.setTabChangesFocus(True)
        text = Body("text", mark("Text (Markdown)"), self.editor, has_heading=True)
        look = Body("preview", mark("As annotators see it"), self.preview, has_heading=True)
        form = Form(
            title=mark("Guidelines"),
            parts=(
                Columns(((1, (text,)), (1, (look,)))),
                Note(mark("# heading, - list, **bold**, | table |. Pictures are not shown.")),
            ),
            accept=mark("Save"),
            width=54,
            height=34,
        )
        super().__init__(form, parent)
        self._timer = once(self, _PAUSE_MS, self.show_state)
        self.editor.textChanged.connect(self._timer.start)

    def refresh(self) -> None:
        at = self.preview.verticalScrollBar().value()
        self.preview.show_markdown(self.editor.toPlainText())
        self.preview.verticalScrollBar().setValue(at)

    def submit(self) -> None:
        """Stores the text and closes; what cannot be stored is dropped, with a message."""
        found = cleaned(self.editor.toPlainText())
        if found.n_removed:
            self.editor.setPlainText(found.text)
            self.editor.document().setModified(True)
            self.show_outcome(removed_text(found), "warning")
            return
        store_and_close(self, self._session, content.guidelines_edit(self._old, found.text))


class TopicDialog(FormDialog):
    """Title and language of a topic; the id is fixed, as much refers to it."""

    def __init__(self, session: CorpusSession, topic: Topic, parent: QWidget | None = None) -> None:
        self._session, self._topic = session, topic
        codes = dict.fromkeys(("", *LANGUAGES, topic.language or ""))
        named = [
            (code, f"{LANGUAGES[code]} – {code}" if code in LANGUAGES else code) for code in codes
        ]
        languages = ChoiceField(named, topic.language, is_open=True)
        form = Form(
            title=mark("Edit the topic"),
            parts=(
                Field("id", mark("Topic id"), Shown(topic.id)),
                Field("title", mark("Title"), Line(topic.title or "")),
                Field("language", mark("Language"), languages),
                Note(
                    mark(
                        "A language code such as ja or en; it decides how texts are split into "
                        "sentences and words."
                    )
                ),
            ),
            accept=mark("Save"),
            focus="title",
            width=30,
        )
        super().__init__(form, parent)

    def edit(self) -> Edit | None:
        """Returns the edit that stores the form; None = no difference."""
        new = replace(
            self._topic,
            title=self.fields.text("title") or None,
            language=self.fields.text("language") or None,
        )
        return content.topic_edit(self._topic, new, verb=content.EDIT_TOPIC, subject=self._topic.id)

    def verdict(self) -> Verdict:
        try:
            self.edit()
        except CorpusFormatError as error:
            return refused(problem_text(error.problems[0]))
        return Verdict()

    def submit(self) -> None:
        store_and_close(self, self._session, self.edit())


class Here(Protocol):
    """Where the user is."""

    def current_topic(self) -> Topic | None: ...

    def current_abstract(self) -> Abstract | None: ...

    def current_document(self) -> Document | None: ...

    def edit_text(self) -> None: ...

    def show_message(self, text: str) -> None: ...


class Editing(QObject):
    """Edits the corpus where the user is."""

    def __init__(self, session: CorpusSession, here: Here, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._here = here
        self._jobs = jobs
        self._window = window
        self.commands: dict[str, Callable[[], object]] = {
            "edit:text": here.edit_text,
            "edit:new-abstract": partial(self._write, AbstractDialog),
            "edit:abstract": partial(self._write, AbstractDialog, here.current_abstract),
            "edit:remove-abstract": self.remove_abstract,
            "edit:new-document": partial(self._write, DocumentDialog),
            "edit:document": partial(self._write, DocumentDialog, self._document),
            "edit:remove-document": self.remove_document,
            "edit:topic": self.edit_topic,
            "edit:guidelines": self.edit_guidelines,
        }

    def _write(
        self, dialog: Callable[..., TextDialog], current: Callable[[], object] | None = None
    ) -> None:
        """Opens the dialog of what is current in the topic; of a new one by default."""
        topic, old = self._topic(), current() if current is not None else None
        if topic is not None and (old is not None or current is None):
            open_once(dialog(self._session, self._jobs, topic, old, self._window))

    def remove_abstract(self) -> None:
        """Confirms what else is removed with the abstract, then removes it."""
        topic, abstract = self._topic(), self._here.current_abstract()
        if topic is None or abstract is None:
            return
        kept = tuple(part for part in topic.abstracts if part is not abstract)
        edit = content.topic_edit(
            topic,
            topic.with_abstracts(kept),
            verb=content.REMOVE_ABSTRACT,
            subject=abstract.id,
        )
        n_people = len(abstract.alignments)
        text = tr("Remove abstract “{name}”?", name=quoted(abstract.id))
        goes = ntr(
            "The work of {n} annotator on it is removed, too. Undo brings all of it back.",
            "The work of {n} annotators on it is removed, too. Undo brings all of it back.",
            n_people,
        )
        self._ask(text, goes if n_people else tr("Undo brings it back."), edit)

    def remove_document(self) -> None:
        """Confirms the number of links lost, then removes the current document."""
        topic, document = self._topic(), self._document()
        if topic is None or document is None:
            return
        edit = content.topic_edit(
            topic,
            content.without_document(topic, document.id),
            verb=content.REMOVE_DOCUMENT,
            subject=document.id,
        )
        uses = content.uses_of(topic, frozenset(document.refs()))
        text = tr("Remove document “{name}”?", name=quoted(document.title or document.id))
        goes = tr("Nothing refers to it. Undo brings it back.")
        if uses.is_any:
            goes = tr("Also removed: {uses}. Undo brings all of it back.", uses=uses_text(uses))
        self._ask(text, goes, edit)

    def edit_topic(self) -> None:
        topic = self._topic()
        if topic is not None:
            open_once(TopicDialog(self._session, topic, self._window))

    def edit_guidelines(self) -> None:
        if self._session.read_only:
            self._here.show_message(tr("This corpus is open for reading only."))
        else:
            open_once(GuidelinesDialog(self._session, self._window))

    def _topic(self) -> Topic | None:
        if self._session.read_only:
            self._here.show_message(tr("This corpus is open for reading only."))
            return None
        topic = self._here.current_topic()
        if topic is None:
            self._here.show_message(tr("There is no topic yet: import documents first."))
        return topic

    def _document(self) -> Document | None:
        document = self._here.current_document()
        if document is None:
            self._here.show_message(tr("Choose a sentence of the document first."))
        return document

    def _ask(self, question: str, what_goes: str, edit: Edit | None) -> None:
        title, leaves = tr("Remove it"), tr("Cancel")
        then = partial(self._session.perform, edit)
        ask_first(self._window, title, question, what_goes, does=title, leaves=leaves, then=then)
