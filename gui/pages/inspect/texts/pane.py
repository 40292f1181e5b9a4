"""A system's text, with similar sentences of abstract and sources."""

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QWidget

from awase.core.analysis.inspection import InspectedSentence
from awase.core.records.output import TextOutput
from awase.gui.kit.choices import offer
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.flow import below_controls
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.kit.texts.binding import bind
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.texts.markup import Browser
from awase.gui.pages.inspect.findings import InspectFindings
from awase.gui.pages.inspect.texts.marking_box import MarkingBox
from awase.gui.pages.inspect.texts.report import text_report
from awase.gui.session.session import CorpusSession


class TextsPane(QWidget):
    """The text for the current sentence's abstract."""

    showChosen = Signal(str)  # a source sentence to look at in its document

    def __init__(
        self,
        session: CorpusSession,
        findings: InspectFindings,
        themes: ThemeBox,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._findings, self._themes = session, findings, themes
        self._sentence: InspectedSentence | None = None
        self.system, self.marking, self.browser = ElidedComboBox(), MarkingBox(), Browser()
        below_controls(self, (self.system, self.marking), self.browser)
        self.system.activated.connect(self.refresh)
        self.marking.activated.connect(self.refresh)
        self.browser.anchorClicked.connect(self._on_anchor_clicked)
        declare(self.browser, self._why)
        bind(self.browser, "accessibleName", mark("What the sentences of a text resemble"))
        bind(self.system, "accessibleName", mark("System"))

    def show_sentence(self, sentence: InspectedSentence | None) -> None:
        """Offers the systems that have a text for the sentence's topic; None = there is none."""
        self._sentence = sentence
        topic = self._session.topic(sentence.key.topic) if sentence is not None else None
        writers = [o.system for o in topic.outputs if isinstance(o, TextOutput)] if topic else []
        offer(self.system, [(one, one) for one in dict.fromkeys(writers)])
        if self.isVisible():
            self.refresh()

    def show_system(self, system: str) -> None:
        """Chooses a system: its text is shown wherever it has one."""
        offer(self.system, [(system, system)])

    def refresh(self) -> None:
        sentence, system = self._sentence, self.system.currentText()
        topic = self._session.topic(sentence.key.topic) if sentence is not None else None
        abstract = topic.abstract(sentence.key.abstract) if topic and sentence else None
        found = self._findings.resemblances(sentence, system) if sentence and system else ()
        if sentence is None or abstract is None or not found:
            self.browser.show_html(f"<p>{tr('No system has a text for this abstract.')}</p>")
            return
        theme, numbers = self._themes.theme, self._session.numbers(sentence.key.topic)
        html = text_report(abstract, system, found, self.marking.marking, theme, numbers)
        self.browser.show_html(html)

    def _why(self) -> Why:
        share = tr(
            "Each share says how much of the other sentence the system's sentence has: of its "
            "words, the rarer ones counting more."
        )
        return Why(name=self.system.currentText(), lines=(share,))

    def _on_anchor_clicked(self, url: QUrl) -> None:
        self.showChosen.emit(url.path(QUrl.ComponentFormattingOption.FullyDecoded))
