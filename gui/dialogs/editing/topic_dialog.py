"""The title and the language of a topic."""

from dataclasses import replace

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from awase.core.annotation import content
from awase.core.errors import CorpusFormatError
from awase.core.records.edit import Edit
from awase.core.records.topic import Topic
from awase.gui.kit.look.looks import set_look
from awase.gui.kit.texts.i18n import LANGUAGES, hint_of, tr, what_of
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.session.session import CorpusSession


class TopicDialog(Retranslated, QDialog):
    """Stays open until what it says is stored; the id stays what it is, as much refers to it."""

    def __init__(self, session: CorpusSession, topic: Topic, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._topic = session, topic
        self.title_field = QLineEdit(topic.title or "")
        self.language_field = QComboBox()
        self.language_field.setEditable(True)
        for code in dict.fromkeys(("", *LANGUAGES, topic.language or "")):
            self.language_field.addItem(code)
        self.language_field.setCurrentText(topic.language or "")
        self._id = QLabel(topic.id)
        self._labels = (QLabel(), QLabel(), QLabel())
        self._hint, self._message = QLabel(), QLabel()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._save = self._buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self._save.setDefault(True)
        self._lay_out()
        self.title_field.textChanged.connect(self._check)
        self.language_field.editTextChanged.connect(self._check)
        self._buttons.accepted.connect(self.save)
        self._buttons.rejected.connect(self.reject)
        self._retranslate()
        self.title_field.setFocus()

    def edit(self) -> Edit | None:
        """Returns the edit that stores the form; None = no difference.

        Raises:
            CorpusFormatError: A field holds what no topic may have.
        """
        new = replace(
            self._topic,
            title=self.title_field.text().strip() or None,
            language=self.language_field.currentText().strip() or None,
        )
        return content.topic_edit(self._topic, new, verb=content.EDIT_TOPIC, subject=self._topic.id)

    def save(self) -> None:
        """Stores the form and closes; stays open when that cannot be."""
        if not self._check():
            return
        edit = self.edit()
        if edit is not None and not self._session.perform(edit):
            self._say(tr("It was not stored. Your text is still here."), "danger")
            return
        self.accept()

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        form = QFormLayout()
        form.setHorizontalSpacing(line_px)
        form.setVerticalSpacing(line_px // 2)
        for label, field in zip(
            self._labels, (self._id, self.title_field, self.language_field), strict=True
        ):
            label.setBuddy(field)
            form.addRow(label, field)
        for text in (self._hint, self._message):
            text.setWordWrap(True)
            text.setProperty("look", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        layout.addLayout(form)
        layout.addWidget(self._hint)
        layout.addWidget(self._message)
        layout.addStretch(1)
        layout.addWidget(self._buttons)
        self.setMinimumWidth(line_px * 30)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Edit the topic"))
        titles = (tr("Topic id"), tr("Title"), tr("Language"))
        for label, title in zip(self._labels, titles, strict=True):
            label.setText(title)
        self.title_field.setAccessibleName(titles[1])
        self.language_field.setAccessibleName(titles[2])
        self._hint.setText(
            tr("A language code such as ja or en; it decides how texts become sentences and words.")
        )
        self._save.setText(tr("Save"))
        self._check()

    def _check(self) -> bool:
        try:
            self.edit()
        except CorpusFormatError as error:
            problem = error.problems[0]
            self._say(f"{what_of(problem)} {hint_of(problem)}", "danger")
            self._save.setEnabled(False)
            return False
        self._say("", "muted")
        self._save.setEnabled(True)
        return True

    def _say(self, text: str, look: str) -> None:
        set_look(self._message, look)
        self._message.setText(text)
        self._message.setVisible(bool(text))
