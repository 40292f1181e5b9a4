"""What the other annotators did with the selected abstract sentence: to read, never to edit."""

from collections.abc import Iterable
from html import escape

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QWidget

from awase.core.annotation.formula import formula
from awase.core.annotation.overview import others_of, same_opinion
from awase.core.errors import CorpusFormatError
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.gui.kit.flow import stacked
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.direction import beside
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.texts.markup import MarkdownView
from awase.gui.kit.texts.state_names import STATE_NAMES
from awase.gui.kit.texts.whole_label import WholeLabel
from awase.gui.pages.annotate.rows.sources import Sources
from awase.gui.pages.annotate.state.annotation_state import AnnotationState

_LEAST_LINES = 3
"""What a scroll bar would have as its least height is more, where letters are large."""


class OtherAnnotatorsView(QWidget):
    """Shows each other annotator by name; hidden until it is asked for."""

    refChosen = Signal(object)
    """A member was clicked: its `SentenceRef`."""

    def __init__(
        self, annotation: AnnotationState, sources: Sources, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._annotation, self._sources = annotation, sources
        self._title = WholeLabel()
        self._title.setProperty("look", "heading")
        self.text = MarkdownView()
        self.text.anchorClicked.connect(self._on_anchor_clicked)
        line = self.fontMetrics().height()
        self._title.setContentsMargins(line // 2, line // 3, line // 2, line // 3)
        stacked(self, self._title, self.text, grows=self.text)
        self.text.setMinimumHeight(line * _LEAST_LINES)
        for signal in (
            annotation.placeChanged,
            annotation.sentenceChanged,
            annotation.entryChanged,
            annotation.othersChanged,
        ):
            signal.connect(self._show)
        self._bind_texts()

    def _bind_texts(self) -> None:
        bind(self._title, "text", mark("Other annotators (to read only)"))
        bind(self.text, "accessibleName", mark("Other annotators (to read only)"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        self._show()

    def _show(self, _n: int = 0) -> None:
        self.setVisible(self._annotation.shows_others)
        if not self._annotation.shows_others:
            self.text.clear()
            return
        place, n = self._annotation.place, self._annotation.n
        if n and not place.may_see_others(n):
            hidden = tr("Settle the sentence first; then you see what others did.")
            self.text.show_html(f"<p>{escape(hidden)}</p>")
            return
        known = others_of(place.abstract, place.who, n) if place.abstract and n else ()
        blocks = [self._block(who, entry) for who, entry in known]
        nobody = f"<p>{escape(tr('Nobody else has aligned this abstract.'))}</p>"
        self.text.show_html("".join(blocks) or nobody)

    def _block(self, who: str, entry: SentenceAlignment) -> str:
        same = same_opinion(self._annotation.entry, entry)
        verdict = {True: tr("the same as yours"), False: tr("differs from yours"), None: ""}[same]
        head = "".join(f" · {part}" for part in (tr(STATE_NAMES[entry.state]), verdict) if part)
        # No dash: a Japanese font draws one as the number 1.
        lines = [f"<p><b>{escape(who)}</b>{escape(head)}"]
        whole = formula(entry.alternatives, self._sources.numbers)
        if whole:
            lines.append(f"<br>{escape(whole)}")
        if entry.note:
            lines.append(f"<br><i>{escape(tr('Note: {note}', note=entry.note))}</i>")
        lines.append("</p>")
        lines += self._members(dict.fromkeys(entry.refs()))
        return "".join(lines)

    def _members(self, refs: Iterable[SentenceRef]) -> Iterable[str]:
        for ref in refs:
            address = QUrl.toPercentEncoding(str(ref)).toStdString()
            link = f'<a href="#{address}">{escape(self._sources.label(ref))}</a>'
            yield beside(link, self._sources.text(ref), "margin-left:1em; margin-right:1em")

    def _on_anchor_clicked(self, url: QUrl) -> None:
        address = url.fragment(QUrl.ComponentFormattingOption.FullyDecoded)
        try:
            self.refChosen.emit(SentenceRef.parse(address))
        except CorpusFormatError:
            return  # not written by this view
