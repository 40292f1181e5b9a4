"""The title and the language of a topic."""

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from awase.core.annotation import content
from awase.core.errors import CorpusFormatError
from awase.core.records.edit import Edit
from awase.core.records.topic import Topic
from awase.gui.dialogs.editing.storing import store_and_close
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import ChoiceField, Field, Form, Line, Note, Shown
from awase.gui.kit.texts.i18n import LANGUAGES, mark, problem_text
from awase.gui.session.session import CorpusSession


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
