"""Panel of the tour: one step at a time, until done or skipped."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from awase.core.annotation import actions
from awase.core.records.edit import AlignmentEdit, Edit
from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.keys import KeyMap, key_in_markdown
from awase.gui.kit.look.markup import allow_markup
from awase.gui.kit.notices import WholeLabel
from awase.gui.kit.texts import bind
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.session import CorpusSession

_KEY = re.compile(r"\[([a-z0-9-]+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TourStep:
    """A step of the tour."""

    title: str
    text: str  # English message; `[command]` is replaced by its keys
    # What happens when the step is done: `sentence`, `others`, `undo`, `page:ID`, or `edit:VERB`
    # for an edit with that verb.
    signal: str

    def text_in(self, keys: KeyMap, key_text: Callable[[str, KeyMap], str]) -> str:
        """Returns the text in the window's language, with the keys as they are bound."""
        return _KEY.sub(lambda match: key_text(match[1], keys), tr(self.text))


STEPS: Final[Sequence[TourStep]] = (
    TourStep(
        title=mark("Choose a sentence."),
        text=mark(
            "On the left stand the sentences of an abstract. Go to the next one with "
            "[next-sentence], or click another one."
        ),
        signal="sentence",
    ),
    TourStep(
        title=mark("Link a source sentence."),
        text=mark(
            "In the middle stand the source sentences, the likeliest first. Press a digit, such "
            "as [candidate-4], or click a sentence: what is not linked yet joins the alternative "
            "at the right."
        ),
        signal=f"edit:{actions.LINK}",
    ),
    TourStep(
        title=mark("Begin another alternative."),
        text=mark(
            "Can the sentence be written from other source sentences, too? Press "
            "[new-alternative], then link a sentence. Below you see h and the scores follow."
        ),
        signal="alternative",
    ),
    TourStep(
        title=mark("Take it back."),
        text=mark(
            "Every action is stored the moment it happens; there is no Save. [undo] takes the "
            "last one back, even after a restart."
        ),
        signal="undo",
    ),
    TourStep(
        title=mark("Rank the sentence."),
        text=mark("How important is it? [rank-1], [rank-2] or [rank-3]: choose one it has not."),
        signal=f"edit:{actions.RANK}",
    ),
    TourStep(
        title=mark("Confirm it."),
        text=mark(
            "[confirm] says that the sentence is finished and goes on to the next one that is not."
        ),
        signal=f"edit:{actions.CONFIRM}",
    ),
    TourStep(
        title=mark("See what somebody else did."),
        text=mark(
            "Your alignment is your own. [show-others] shows the others', by name and to read "
            "only; the same key hides them."
        ),
        signal="others",
    ),
    TourStep(
        title=mark("Read the guidelines."),
        text=mark("[guidelines] shows what the owner of the corpus asks of its annotators."),
        signal="guidelines",
    ),
    TourStep(
        title=mark("Look at the scores."),
        text=mark(
            "Choose “Scores” in the rail at the left: systems by metrics, with signatures. "
            "“Correlations” below it tells how far they agree with people."
        ),
        signal="page:scores",
    ),
)


class TourPanel(QFrame):
    """Tour panel; takes no keys from the page, can be closed at any time."""

    ended = Signal()

    def __init__(
        self, session: CorpusSession, page: AnnotatePage, page_changed: SignalInstance
    ) -> None:
        super().__init__()
        self.setProperty("look", "tour")
        self._keys = page.keys
        self.at = 0  # the step, from 0; the number of steps = the tour is over
        self._number, self._text = QLabel(), WholeLabel()
        self._number.setProperty("look", "heading")
        allow_markup(self._text, Qt.TextFormat.MarkdownText)
        self._skip, self._end = QPushButton(), QPushButton()
        for button in (self._skip, self._end):
            button.setAutoDefault(False)
            # A click must not move the focus from the page: the next step may be a key.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._skip.clicked.connect(self.go_on)
        self._end.clicked.connect(self.ended)
        line_px = self.fontMetrics().height()
        words = QVBoxLayout()
        words.setSpacing(line_px // 4)
        words.addWidget(self._number)
        words.addWidget(self._text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line_px, line_px // 4, line_px, line_px // 4)
        layout.setSpacing(line_px // 2)
        layout.addLayout(words, 1)
        layout.addWidget(self._skip)
        layout.addWidget(self._end)
        # Room for two lines from the start, so that the page does not jump from step to step.
        self._text.setMinimumHeight(self.fontMetrics().lineSpacing() * 2)
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._n_undoable = session.undo_stack.index()
        page.annotation.sentenceChanged.connect(self._on_sentence_changed)
        page.annotation.othersChanged.connect(self._on_others_changed)
        page.guidelinesToggled.connect(self._on_guidelines_toggled)
        page_changed.connect(self._on_page_changed)
        session.edited.connect(self._on_edited)
        session.undo_stack.indexChanged.connect(self._on_index_changed)
        self._show()

    def height_in(self, width: int) -> int:
        """Returns the height of the highest step in this width."""
        layout, now, heights = self.layout(), self.at, []
        assert layout is not None
        for self.at in range(len(STEPS)):
            self._show()
            heights.append(layout.totalHeightForWidth(width))
        self.at = now
        self._show()
        return max(heights)

    def float_over(self, work: QWidget) -> None:
        """Becomes a window of its own, at the bottom of one too low for both."""
        self.setParent(work, Qt.WindowType.Dialog)
        window = work.window()
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        for button in (self._skip, self._end):
            button.clicked.connect(window.activateWindow)
        bind(self, "windowTitle", mark("Five-minute tour"))
        width = window.width() * 2 // 3
        self.resize(width, self.height_in(width))
        corner = window.mapToGlobal(window.rect().bottomRight())
        self.move(corner - self.rect().bottomRight())
        self.show()

    def go_on(self) -> None:
        self.at = min(self.at + 1, len(STEPS))
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Returns room for the whole text, else the page below would be squeezed for it."""
        hint, layout = super().minimumSizeHint(), self.layout()
        return hint.expandedTo(QSize(0, layout.totalHeightForWidth(self.width()) if layout else 0))

    def _show(self) -> None:
        self._end.setText(tr("End the tour"))
        self._skip.setText(tr("Skip this step"))
        self._skip.setVisible(self.at < len(STEPS))
        if self.at == len(STEPS):
            self._number.setText(tr("That was the tour."))
            self._text.setText(
                tr("The help explains the rest: what the scores mean, every key, every warning.")
            )
            self._end.setText(tr("Close"))
            return
        step = STEPS[self.at]
        title = tr("Step {n} of {total}: {title}", n=self.at + 1, total=len(STEPS), title="{title}")
        self._number.setText(title.format(title=tr(step.title)))
        self._text.setText(step.text_in(self._keys, key_in_markdown))

    def _on_sentence_changed(self) -> None:
        self._happened("sentence")

    def _on_others_changed(self) -> None:
        self._happened("others")

    def _on_guidelines_toggled(self) -> None:
        self._happened("guidelines")

    def _on_page_changed(self, page_id: str) -> None:
        self._happened(f"page:{page_id}")

    def _on_edited(self, edit: Edit) -> None:
        self._happened(f"edit:{edit.verb}")
        if isinstance(edit, AlignmentEdit):
            n_old, n_new = len(edit.old.alternatives), len(edit.new.alternatives)
            if 0 < n_old < n_new:
                self._happened("alternative")

    def _on_index_changed(self, index: int) -> None:
        was, self._n_undoable = self._n_undoable, index
        if index < was:
            self._happened("undo")

    def _happened(self, what: str) -> None:
        """Goes on if this, as in `TourStep.signal`, ends the step."""
        if self.at < len(STEPS) and STEPS[self.at].signal == what:
            self.go_on()
