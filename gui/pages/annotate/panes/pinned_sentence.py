"""The abstract sentence above its candidates, with the words that are not covered yet."""

from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget

from awase.core.assist.evidence import RemarkKind, UncoveredWord
from awase.core.errors import Listing
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.direction import is_right_to_left
from awase.gui.kit.texts.i18n import listed, tr
from awase.gui.kit.texts.markup import allow_markup
from awase.gui.pages.annotate.rows.sources import Sources
from awase.gui.pages.annotate.state.annotation_state import AnnotationState
from awase.gui.pages.annotate.state.assistance import Assistance


class PinnedSentence(QLabel):
    """Says what is looked for, and in words what the alternative lacks or has too much of.

    Words of no member are underlined; those that no source sentence has are muted besides, as
    nothing can be linked for them.
    """

    def __init__(
        self,
        annotation: AnnotationState,
        assistance: Assistance,
        sources: Sources,
        themes: ThemeBox,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._annotation, self._assistance, self._sources = annotation, assistance, sources
        self._themes = themes
        self.setWordWrap(True)
        allow_markup(self, Qt.TextFormat.RichText)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        line = self.fontMetrics().height()
        self.setContentsMargins(line // 2, line // 4, line // 2, line // 4)
        for signal in (annotation.placeChanged, annotation.sentenceChanged):
            signal.connect(self.show_sentence)
        assistance.changed.connect(self.show_sentence)
        themes.changed.connect(self._on_theme_changed)
        follow(self, self.show_sentence)

    def _on_theme_changed(self, _theme: object) -> None:
        self.show_sentence()

    def show_sentence(self) -> None:
        """Shows the selected abstract sentence as it stands."""
        annotation = self._annotation
        text = annotation.place.text(annotation.n) if annotation.n else ""
        self.setVisible(bool(text))
        if not text:
            return
        words = self._assistance.uncovered()
        html = f"<b>{annotation.n}</b>&nbsp; {self._marked(text, words)}"
        if is_right_to_left(text):
            html = f'<p dir="rtl">{html}</p>'
        remarks = self._remarks()
        if remarks:
            html += f"<br><small>{escape(remarks)}</small>"
        if html != self.text():
            self.setText(html)
        lacking = Listing(text[one.start : one.end] for one in words)
        told = tr("not covered: {words}", words=lacking) if lacking else ""
        parts = (tr("Sentence {n}", n=annotation.n), text, told, remarks)
        self.setAccessibleName(listed(filter(None, parts)))

    def _remarks(self) -> str:
        said = []
        for remark in self._assistance.remarks():
            label = self._sources.label(remark.ref)
            if remark.kind is RemarkKind.ALONE_MAY_DO:
                said.append(tr("{label} alone may do", label=label))
            else:
                said.append(tr("{label} adds nothing", label=label))
        return " · ".join(said)

    def _marked(self, text: str, words: tuple[UncoveredWord, ...]) -> str:
        muted = self._themes.theme.colour("muted").name()
        parts, at = [], 0
        for one in words:
            style = "" if one.is_elsewhere else f' style="color:{muted}"'
            parts.append(escape(text[at : one.start]))
            parts.append(f"<u{style}>{escape(text[one.start : one.end])}</u>")
            at = one.end
        return "".join((*parts, escape(text[at:])))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            line = self.fontMetrics().height()
            self.setContentsMargins(line // 2, line // 4, line // 2, line // 4)
