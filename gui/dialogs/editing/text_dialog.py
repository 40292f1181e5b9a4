"""What the abstract dialog and the document dialog have in common: a text, sentence by sentence."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.core.records.edit import Edit
from awase.core.text.cleaning import Cleaned
from awase.core.text.resplitting import Resplit
from awase.gui.dialogs.editing.review import ReviewList
from awase.gui.dialogs.editing.sentence_editor import SentenceEditor
from awase.gui.dialogs.editing.wording import removed_text
from awase.gui.kit.look.looks import set_look
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.session.session import CorpusSession

_PAUSE_MS: Final = 120
"""The numbers follow once typing pauses: finding sentences again takes a moment in long texts."""


class TextDialog(Retranslated, QDialog):
    """A form, the text, what is to be reviewed, and Save; it stays until the text is stored."""

    def __init__(
        self, session: CorpusSession, language: str | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._n_removed: Cleaned | None = None
        self.editor = SentenceEditor(language)
        self.review = ReviewList()
        self._intro, self._count, self._hint = QLabel(), QLabel(), QLabel()
        self._intro.setWordWrap(True)
        self._intro.setProperty("look", "muted")
        self._hint.setWordWrap(True)
        self._form = QFormLayout()
        self._labels: dict[QWidget, tuple[QLabel, str]] = {}
        self._resplit = QPushButton()
        self._resplit.setAutoDefault(False)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._save = self._buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self._save.setDefault(True)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._lay_out()
        self._timer.timeout.connect(self.refresh)
        self.editor.textChanged.connect(self._timer.start)
        self.editor.pasted.connect(self._on_pasted)
        self.review.putBack.connect(self.put_back)
        self.review.decided.connect(self.refresh)
        self._resplit.clicked.connect(self.editor.split_anew)
        self._buttons.accepted.connect(self.save)
        self._buttons.rejected.connect(self.reject)

    # What the two dialogs fill in

    def refresh(self) -> None:
        """Shows numbers, length and review of the text as it stands."""
        raise NotImplementedError

    def edit(self) -> Edit | None:
        """Returns the edit that stores the form and the text; None = no difference."""
        raise NotImplementedError

    def problem(self) -> str:
        """Returns in words what keeps the text from being stored; empty when nothing does."""
        raise NotImplementedError

    def put_back(self, n: int) -> None:
        """Puts an old sentence into the text again."""
        raise NotImplementedError

    # What they share

    def put_after(self, before: Sequence[int], found: Resplit, text: str) -> None:
        """Puts a sentence behind the last of the old sentences `before` that is still there."""
        place_by_n = {n: place for place, (n, _) in enumerate(found.sentences)}
        kept = [place_by_n[new] for n in before for new in found.found[n]]
        self.editor.put(text, max(kept, default=-1) + 1)
        self.refresh()

    def save(self) -> None:
        """Stores the text and closes; stays open with the text when that cannot be."""
        self.refresh()
        if self.problem():
            return
        edit = self.edit()
        if edit is not None and not self._session.perform(edit):
            self._say(tr("It was not stored. Your text is still here."), "danger")
            return
        self.accept()

    def _begin(self, texts: Sequence[str]) -> None:
        """Shows the text as it is stored; what went before cannot be undone into."""
        self.editor.set_sentences(texts)
        self.editor.document().clearUndoRedoStacks()
        self._retranslate()
        self.editor.setFocus()

    def _add_field(self, title: str, field: QWidget, beside: QWidget | None = None) -> None:
        """Adds a field, and another one beside it, under an English title."""
        label = QLabel()
        label.setBuddy(field)
        self._labels[field] = (label, title)
        if beside is None:
            self._form.addRow(label, field)
            return
        both = QHBoxLayout()
        both.addWidget(field, 1)
        both.addWidget(beside, 1)
        self._form.addRow(label, both)

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        middle = self._below_text = QHBoxLayout()
        middle.setSpacing(line_px // 2)
        middle.addWidget(self._count, 1)
        middle.addWidget(self._resplit)
        layout = QVBoxLayout(self)
        layout.addLayout(self._form)
        layout.addWidget(self._intro)
        layout.addWidget(self.editor, 1)
        layout.addLayout(middle)
        layout.addWidget(self.review)
        layout.addWidget(self._hint)
        layout.addWidget(self._buttons)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        self._form.setHorizontalSpacing(line_px)
        self._form.setVerticalSpacing(line_px // 3)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.resize(line_px * 46, line_px * 36)

    def _retranslate(self) -> None:
        for field, (label, title) in self._labels.items():
            label.setText(tr(title))
            field.setAccessibleName(tr(title))
        self._intro.setText(
            tr("One sentence a line. Enter splits a sentence, Backspace at its start joins it.")
        )
        self.editor.setAccessibleName(tr("Text, one sentence a line"))
        self._resplit.setText(tr("Split into sentences anew"))
        self._save.setText(tr("Save"))
        self.refresh()

    def _show_state(self, labels: Sequence[str]) -> None:
        self.editor.set_labels(labels)
        problem = self.problem()
        self._save.setEnabled(not problem)
        if problem:
            # Who has not begun yet has made no mistake.
            self._say(problem, "danger" if self.editor.sentences() else "muted")
        elif self._n_removed is not None:
            self._say(removed_text(self._n_removed), "warning")
        else:
            self._say("", "muted")

    def _say(self, text: str, look: str) -> None:
        set_look(self._hint, look)
        self._hint.setText(text)
        self._hint.setVisible(bool(text))

    def _on_pasted(self, found: Cleaned) -> None:
        self._n_removed = found
        self.refresh()
