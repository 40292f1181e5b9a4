"""Base of the abstract and document dialogs: a text, sentence by sentence."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from awase.core.records.edit import Edit
from awase.core.text.resplitting import Resplit
from awase.core.text.script import Cleaned
from awase.gui.dialogs.editing.review import ReviewList
from awase.gui.dialogs.editing.sentence_editor import SentenceEditor
from awase.gui.dialogs.editing.storing import store_and_close
from awase.gui.dialogs.editing.wording import removed_text
from awase.gui.kit.forms.dialog import Verdict, refused
from awase.gui.kit.forms.job_dialog import JobDialog
from awase.gui.kit.forms.parts import Body, Button, Field, Form, Note, Pairs, Row
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.texts.i18n import mark
from awase.gui.session.session import CorpusSession

# The numbers follow once typing pauses: finding sentences again takes a moment in long texts.
_PAUSE_MS: Final = 120


class TextDialog(JobDialog):
    """Form, text, review and Save; stays open until stored."""

    uses_text = False

    def __init__(
        self,
        session: CorpusSession,
        jobs: Jobs,
        language: str | None,
        fields: Sequence[tuple[Field, Field]],
        texts: Sequence[str],
        *,
        title: str,
        buttons: Sequence[Button] = (),
        parent: QWidget | None = None,
    ) -> None:
        """Builds the dialog with `texts` below two rows of fields."""
        self._session = session
        self._removed: Cleaned | None = None
        self.editor = SentenceEditor(language)
        self.review = ReviewList()
        resplit = Button("resplit", mark("Split into sentences anew"), self.editor.split_anew)
        form = Form(
            title=title,
            parts=(
                Pairs(fields),
                Note(
                    mark(
                        "One sentence a line. Enter splits a sentence, Backspace at its start "
                        "joins it."
                    )
                ),
                Body("text", mark("Text, one sentence a line"), self.editor),
                Row((Note(name="count", share=1), *buttons, resplit)),
                Body("review", "", self.review, share=0),
            ),
            accept=mark("Save"),
            leave=mark("Cancel"),
            focus="text",
            width=46,
            height=36,
        )
        super().__init__(form, jobs, mark("The text was not read."), parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.show_state)
        # What went before cannot be undone into.
        self.editor.set_sentences(texts)
        self.editor.document().clearUndoRedoStacks()
        self.editor.document().setModified(False)
        self.editor.textChanged.connect(self._on_text_changed)
        self.editor.pasted.connect(self._on_pasted)
        self.review.putBack.connect(self.put_back)
        self.review.decided.connect(self.show_state)
        self.show_state()

    # What the two dialogs fill in

    def edit(self) -> Edit | None:
        """Returns the edit that stores the form and the text; None = no difference."""
        raise NotImplementedError

    def problem(self) -> str:
        """Returns why the text cannot be stored; empty when it can."""
        raise NotImplementedError

    def put_back(self, n: int) -> None:
        """Restores an old sentence."""
        raise NotImplementedError

    # What they share

    def put_after(self, before: Sequence[int], found: Resplit, text: str) -> None:
        """Inserts a sentence after the last of `before` that still exists."""
        place_by_n = {n: place for place, (n, _) in enumerate(found.sentences)}
        kept = [place_by_n[new] for n in before for new in found.found[n]]
        self.editor.put(text, max(kept, default=-1) + 1)
        self.show_state()

    def verdict(self) -> Verdict:
        problem = self.problem()
        if problem:
            # Who has not begun yet has made no mistake.
            return refused(problem, "danger" if self.editor.sentences() else "muted")
        if self._removed is not None:
            return Verdict(removed_text(self._removed), "warning")
        return Verdict()

    def submit(self) -> None:
        """Stores the text and closes; stays open on failure."""
        store_and_close(self, self._session, self.edit())

    def _on_text_changed(self) -> None:
        self.forget_failure()
        self._timer.start()

    def _on_pasted(self, found: Cleaned) -> None:
        self._removed = found
        self.show_state()
