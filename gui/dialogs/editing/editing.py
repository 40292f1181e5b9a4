"""Editing commands of the menus and the Annotate page."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from awase.core.annotation import content
from awase.core.errors import CorpusFormatError
from awase.core.records.abstract import Abstract
from awase.core.records.edit import Edit
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.core.text.script import cleaned
from awase.gui.dialogs.editing.abstract_dialog import AbstractDialog, DocumentDialog
from awase.gui.dialogs.editing.text_dialog import quoted, removed_text, store_and_close, uses_text
from awase.gui.kit.forms.asking import ask_first, open_once
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import Body, ChoiceField, Columns, Field, Form, Line, Note, Shown
from awase.gui.kit.i18n import LANGUAGES, mark, ntr, problem_text, tr
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.look.fitting import TextEditor
from awase.gui.kit.look.markup import MarkdownView
from awase.gui.session.session import CorpusSession

_PAUSE_MS: Final = 150


class GuidelinesDialog(FormDialog):
    """Guidelines editor; stays open until stored."""

    def __init__(self, session: CorpusSession, parent: QWidget | None = None) -> None:
        self._session = session
        self._old = session.guidelines
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
            leave=mark("Cancel"),
            width=54,
            height=34,
        )
        super().__init__(form, parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.show_state)
        self.editor.textChanged.connect(self._timer.start)
        self.show_state()

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
                        "A language code such as ja or en; it decides how texts become sentences "
                        "and words."
                    )
                ),
            ),
            accept=mark("Save"),
            leave=mark("Cancel"),
            focus="title",
            width=30,
        )
        super().__init__(form, parent)
        self.show_state()

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
            "edit:new-abstract": self.write_abstract,
            "edit:abstract": self.edit_abstract,
            "edit:remove-abstract": self.remove_abstract,
            "edit:new-document": self.add_document,
            "edit:document": self.resplit_document,
            "edit:remove-document": self.remove_document,
            "edit:topic": self.edit_topic,
            "edit:guidelines": self.edit_guidelines,
        }

    def write_abstract(self) -> None:
        topic = self._topic()
        if topic is not None:
            open_once(AbstractDialog(self._session, self._jobs, topic, None, self._window))

    def edit_abstract(self) -> None:
        topic, abstract = self._topic(), self._here.current_abstract()
        if topic is not None and abstract is not None:
            open_once(AbstractDialog(self._session, self._jobs, topic, abstract, self._window))

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
            "The work of {n} annotator on it goes, too. Undo brings all of it back.",
            "The work of {n} annotators on it goes, too. Undo brings all of it back.",
            n_people,
        )
        self._ask(text, goes if n_people else tr("Undo brings it back."), edit)

    def add_document(self) -> None:
        topic = self._topic()
        if topic is not None:
            open_once(DocumentDialog(self._session, self._jobs, topic, None, self._window))

    def resplit_document(self) -> None:
        topic, document = self._topic(), self._document()
        if topic is not None and document is not None:
            open_once(DocumentDialog(self._session, self._jobs, topic, document, self._window))

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
            goes = tr("These go, too: {uses}. Undo brings all of it back.", uses=uses_text(uses))
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
