"""The tour's panel, above the page: one step at a time, gone on when it is done or skipped."""

from PySide6.QtCore import QEvent, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from awase.gui.frame.tour.steps import STEPS
from awase.gui.frame.tour.watcher import TourWatcher
from awase.gui.kit.keys.markdown import key_in_markdown
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.markup import allow_markup
from awase.gui.kit.texts.whole_label import WholeLabel
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.session import CorpusSession


class TourPanel(QFrame):
    """Takes no key from the page, and can be ended at any time."""

    ended = Signal()

    def __init__(
        self,
        session: CorpusSession,
        page: AnnotatePage,
        page_changed: SignalInstance,
        parent: QWidget | None = None,
    ) -> None:
        """Watches what is done on `page`, and which page is shown (`page_changed`)."""
        super().__init__(parent)
        self.setProperty("look", "tour")
        self._keys = page.keys
        self._at = 0
        self._number, self._text = QLabel(), WholeLabel()
        self._number.setProperty("look", "heading")
        allow_markup(self._text, Qt.TextFormat.MarkdownText)
        self._skip, self._end = QPushButton(), QPushButton()
        for button in (self._skip, self._end):
            button.setAutoDefault(False)
            # A click must not take the keyboard from the page: the next step may be a key.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._skip.clicked.connect(self.go_on)
        self._end.clicked.connect(self.ended)
        self._lay_out()
        self._watcher = TourWatcher(session, page, page_changed, self)
        self._watcher.happened.connect(self._on_happened)
        self._show()

    @property
    def at(self) -> int:
        """The step, from 0; the number of steps = the tour is over."""
        return self._at

    def go_on(self) -> None:
        """Shows the next step."""
        self._at = min(self._at + 1, len(STEPS))
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._show()

    def _lay_out(self) -> None:
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

    def _show(self) -> None:
        self._end.setText(tr("End the tour"))
        self._skip.setText(tr("Skip this step"))
        self._skip.setVisible(self._at < len(STEPS))
        if self._at == len(STEPS):
            self._number.setText(tr("That was the tour."))
            self._text.setText(
                tr("The help explains the rest: what the scores mean, every key, every warning.")
            )
            self._end.setText(tr("Close"))
            return
        step = STEPS[self._at]
        title = tr(
            "Step {n} of {total}: {title}", n=self._at + 1, total=len(STEPS), title="{title}"
        )
        self._number.setText(title.format(title=tr(step.title)))
        self._text.setText(step.text_in(self._keys, key_in_markdown))

    def _on_happened(self, what: str) -> None:
        if self._at < len(STEPS) and STEPS[self._at].signal == what:
            self.go_on()
