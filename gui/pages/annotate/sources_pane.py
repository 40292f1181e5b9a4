"""The pane in the middle: the source sentences as candidates, or in their documents."""

from html import escape
from itertools import takewhile
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from awase.core.annotation.evidence import RemarkKind, UncoveredWord
from awase.core.annotation.formula import address_of
from awase.core.annotation.suggestion import AssistLevel
from awase.core.errors import Listing
from awase.core.records.edits import Edit, SourceTextEdit
from awase.core.records.source import SentenceRef
from awase.gui.kit.commands import HandsFocusOn
from awase.gui.kit.i18n import beside, follow, inline, is_right_to_left, listed, mark, tr
from awase.gui.kit.jobs.running import once
from awase.gui.kit.look.fitting import ElidedLabel
from awase.gui.kit.look.flow import called, spaced, stacked, styled, titled_tabs, together
from awase.gui.kit.look.markup import allow_markup
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.pages.annotate.annotation_state import AnnotationState
from awase.gui.pages.annotate.commands import N_DIGITS
from awase.gui.pages.annotate.header import NoticeStack
from awase.gui.pages.annotate.live_results import Assistance
from awase.gui.pages.annotate.rows.row_view import MeasuringAhead, Minimap, RowView, drag
from awase.gui.pages.annotate.rows.source_delegate import SourceDelegate
from awase.gui.pages.annotate.rows.sources import SUBJECT, CandidateModel, DocumentModel, Sources


class PinnedSentence(QLabel):
    """The pinned abstract sentence, with uncovered words underlined and surplus ones listed.

    Words that no source sentence has are muted besides, as nothing can be linked for them.
    """

    def __init__(
        self,
        annotation: AnnotationState,
        assistance: Assistance,
        sources: Sources,
        themes: ThemeBox,
    ) -> None:
        super().__init__()
        self._annotation, self._assistance, self._sources = annotation, assistance, sources
        self._themes = themes
        self.setWordWrap(True)
        allow_markup(self, Qt.TextFormat.RichText)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._fit_margins()
        for signal in (
            annotation.placeChanged,
            annotation.sentenceChanged,
            assistance.changed,
            themes.changed,
        ):
            signal.connect(self.show_sentence)
        follow(self, self.show_sentence)

    def show_sentence(self) -> None:
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
            self._fit_margins()

    def _fit_margins(self) -> None:
        line = self.fontMetrics().height()
        self.setContentsMargins(line // 2, line // 4, line // 2, line // 4)


_TITLES: Final = (mark("Candidates"), mark("Documents"))
_CANDIDATES: Final = 0
# Sentences before and behind the peeked one, if they fit.
_MOST_NEIGHBOURS: Final = 2


class SourcesPane(HandsFocusOn, QWidget):
    """Source sentences as candidates or documents; a click links or unlinks."""

    refChosen = Signal(object, bool)  # `SentenceRef`; whether a new alternative begins with it
    foldingChanged = Signal(bool)  # texts of candidates are folded, or whole again

    def __init__(self, annotation: AnnotationState, sources: Sources, themes: ThemeBox) -> None:
        super().__init__()
        self._annotation, self.sources = annotation, sources
        self.candidate_model = CandidateModel(sources, self)
        self.document_model = DocumentModel(sources, self)
        self.candidates = RowView(self.candidate_model, _TITLES[_CANDIDATES])
        self.documents = RowView(self.document_model, _TITLES[1])
        self._tabs = QTabBar()
        self._stack = QStackedWidget()
        self.minimap = Minimap(sources, self.documents, themes)
        self.minimap.refChosen.connect(self._show_in_documents)
        self.panes = NoticeStack(self.candidates), NoticeStack(self.documents)
        self._has_new_documents = False
        self._hint = styled(ElidedLabel(), "muted")
        self._delegate = SourceDelegate(themes, self.candidates, sources)
        self._delegate.says_where = True
        self._delegate.text_of = self.candidate_model.text_at
        self._of_documents = SourceDelegate(themes, self.documents, sources)
        self._ahead = MeasuringAhead(
            lambda: (text.text for one in sources.documents for text in one.sentences),
            self._measure_of_document,
            self,
        )
        self.around = styled(QLabel(self), "card", wraps=True)
        allow_markup(self.around, Qt.TextFormat.RichText)
        self.around.setAutoFillBackground(True)
        self.around.setFrameShape(QLabel.Shape.StyledPanel)
        self.around.hide()
        for view, title in zip((self.candidates, self.documents), _TITLES, strict=True):
            view.rowClicked.connect(self._on_row_clicked)
            view.dragBegan.connect(self._on_drag_began)
            self._tabs.addTab(title)
        self._stack.addWidget(self.panes[_CANDIDATES])
        documents = together(self.panes[1], self.minimap, grows=self.panes[1], between=0)
        self._stack.addWidget(documents)
        self.hand_focus_to(self.panes[_CANDIDATES])
        self._layout = self._laid_out()
        self._tabs.currentChanged.connect(self._on_tab_changed)
        annotation.placeChanged.connect(self._on_place_changed)
        annotation.sentenceChanged.connect(self._on_sentence_changed)
        annotation.orderChanged.connect(self._on_sentence_changed)
        annotation.session.edited.connect(self._on_edited)  # the annotation is there before
        self._is_paging = False
        # Rows are measured once, not with every size on the way.
        self._resizing = once(self, 0, lambda: self._assign_digits(annotation.first_digit))
        self.candidates.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.candidate_model.modelAboutToBeReset.connect(self._delegate.forget_sizes)
        self.candidates.resized.connect(self._on_resized)
        called(titled_tabs(self._tabs, *_TITLES), mark("Candidates or documents"))
        follow(self, self._write_texts)

    @property
    def view(self) -> RowView:
        return self.candidates if self._tabs.currentIndex() == _CANDIDATES else self.documents

    def frame(self, above: QWidget, below: QWidget) -> None:
        """Puts widgets above and below the sentences, visible in both views."""
        self._layout.insertWidget(self._layout.indexOf(self._stack), above)
        self._layout.addWidget(below)
        self._below = below
        self._delegate.room = self._room

    def _room(self) -> int:
        """Returns the height for candidates, constant as suggestions come and go."""
        # Until the next layout the view has its old height.
        viewport = self.candidates.viewport()
        if self._annotation.session.frame.assist.level < AssistLevel.MARKS:
            return viewport.height()
        top = viewport.mapTo(self, QPoint()).y()
        return min(viewport.height(), self.height() - top - self._below.sizeHint().height())

    @property
    def is_folded(self) -> bool:
        """Whether candidates' texts are elided around matches."""
        return self._delegate.is_clamped

    def toggle_folding(self) -> None:
        """Toggles eliding of candidates' texts, by which nine digits are visible."""
        self.fold(not self.is_folded)
        self.foldingChanged.emit(self.is_folded)

    def fold(self, is_folded: bool) -> None:
        """Elides the candidates' texts around matches, or shows them whole."""
        self._delegate.is_clamped = is_folded
        self._delegate.forget_sizes()
        self.candidates.scheduleDelayedItemsLayout()
        self._show_from(self._annotation.first_digit)

    def show_next_candidates(self) -> None:
        """Moves the digits to the next candidates, at last to the first."""
        following = self._annotation.first_digit + self._annotation.n_digits
        self._show_from(following if following < len(self._annotation.order) else 0)

    def peek(self) -> None:
        """Shows the current sentence's context in its document until `end_peek`."""
        ref = self.current_ref()
        if ref is None or not self.around.isHidden():
            return
        margin = self.fontMetrics().height() // 2
        self.around.setMargin(margin)
        self.around.setFixedWidth(max(1, self.width() - 2 * margin))
        for reach in range(_MOST_NEIGHBOURS, -1, -1):
            self.around.setText(self._around_html(ref, reach))
            self.around.adjustSize()
            if self.around.height() <= self.height():
                break
        self.around.move(margin, max(0, (self.height() - self.around.height()) // 2))
        self.around.show()
        self.around.raise_()

    def _around_html(self, ref: SentenceRef, reach: int) -> str:
        """Returns its document, then itself with `reach` neighbours on each side."""
        lines = [f"<p><small>{inline(self.sources.document_text(ref))}</small></p>"]
        for other in self.sources.neighbours(ref, reach):
            address = address_of(other, self.sources.numbers)
            style = "font-weight:bold" if other == ref else ""
            lines.append(beside(f"{escape(address)}&nbsp;", self.sources.text(other), style))
        return "".join(lines)

    def end_peek(self) -> None:
        self.around.hide()

    def _show_from(self, row: int) -> None:
        """Scrolls to a candidate, and moves the digits to it and those after it."""
        first = self.candidate_model.index(row)
        if first.isValid():
            self._is_paging = True  # the last ones cannot be scrolled to the top
            self.candidates.setCurrentIndex(first)
            self.candidates.scrollTo(first, RowView.ScrollHint.PositionAtTop)
            self._is_paging = False
            self._assign_digits(row)

    def _assign_digits(self, first: int) -> None:
        """Assigns digits to visible candidates only, so that what a key links has been seen."""
        # One whose first line is visible counts; where candidates are hidden, nine have digits.
        n_digits, view, model = N_DIGITS, self.candidates, self.candidate_model
        if view.isVisible():
            end = view.viewport().height() - self.fontMetrics().height()
            rows = range(first + 1, min(first + N_DIGITS, model.rowCount()))
            within = takewhile(lambda row: view.visualRect(model.index(row)).top() <= end, rows)
            n_digits = 1 + sum(1 for _ in within)
        self._annotation.assign_digits(first, n_digits)

    def _on_scrolled(self) -> None:
        top = self.candidates.indexAt(QPoint(0, 0))
        if self._is_paging or not top.isValid() or not self._annotation.n:
            return
        below = self.candidates.indexBelow(top)
        hidden = -self.candidates.visualRect(top).top()
        is_cut = hidden > self.fontMetrics().height() // 2 and below.isValid()
        self._assign_digits(below.row() if is_cut else top.row())

    def _on_resized(self) -> None:
        self._ahead.begin()
        self._resizing.start()
        if self.is_folded and self._delegate.fits_otherwise(self.candidate_model):
            self.candidates.scheduleDelayedItemsLayout()

    def switch(self) -> None:
        """Switches between candidates and documents, at the same sentence."""
        self._tabs.setCurrentIndex(1 - self._tabs.currentIndex())
        self.setFocus()

    def current_ref(self) -> SentenceRef | None:
        """Returns the current row's sentence."""
        return _ref_of(self.view.currentIndex())

    def show_in_document(self, ref: SentenceRef) -> None:
        """Shows a sentence in its document, and focuses it."""
        if self.view is self.candidates:
            self.switch()
        self.show_ref(ref)
        self.setFocus()

    def show_ref(self, ref: SentenceRef) -> None:
        """Scrolls to a sentence and selects it."""
        model = self.candidate_model if self.view is self.candidates else self.document_model
        index = model.index_of(ref)
        if index.isValid():
            self.view.show_in_middle(index)

    def _laid_out(self) -> QVBoxLayout:
        line = self.fontMetrics().height()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        head = spaced(QHBoxLayout(), self, self._tabs, self._hint, grows=self._hint)
        head.setContentsMargins(0, 0, line // 2, 0)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return stacked(self, head, self._stack, grows=self._stack)

    def _write_texts(self) -> None:
        self._show_hint()
        self._show_notices()
        self.view.viewport().update()

    def _show_hint(self) -> None:
        is_ranked = self._tabs.currentIndex() == _CANDIDATES and self._annotation.is_ranked
        self._hint.setText(tr("best matches first") if is_ranked else tr("in reading order"))

    def _show_notices(self) -> None:
        of_candidates = of_documents = "", ""
        if not any(document.sentences for document in self.sources.documents):
            text = tr("No source sentences"), tr("Import documents into this topic.")
            of_candidates = of_documents = text
        elif self._annotation.n == 0:
            of_candidates = (
                tr("No candidates"),
                tr("There is no abstract sentence to find them for. Documents shows the texts."),
            )
        for pane, notice in zip(self.panes, (of_candidates, of_documents), strict=True):
            pane.show_notice(*notice)
        self._hint.setVisible(self._annotation.n > 0)
        self.minimap.setVisible(not of_documents[0])

    def _on_place_changed(self) -> None:
        self._has_new_documents = True
        if self.view is self.documents:
            self._expand_documents()
        else:
            self._ahead.begin()
        self._show_hint()
        self._show_notices()
        self._on_sentence_changed()

    def _expand_documents(self) -> None:
        """Expands the documents lazily: it takes half of the time of changing the topic."""
        self._ahead.stop()
        if self._has_new_documents:
            self._has_new_documents = False
            self.documents.expandAll()
            self.documents.scrollToTop()

    def _measure_of_document(self, text: str) -> None:
        """Measures a sentence at the documents' width."""
        width = self.candidates.viewport().width() - self.minimap.sizeHint().width()
        self._of_documents.measure_whole(text, float(width))

    def _on_sentence_changed(self) -> None:
        first = self.candidate_model.index(0)
        if first.isValid():
            self.candidates.show_row(first)
            self._assign_digits(self._annotation.first_digit)
            # Matching words changed; a signal for each row would measure all.
            self.documents.viewport().update()
            if self.view is self.documents:
                self._show_best_in_documents()

    def _on_edited(self, edit: Edit) -> None:
        if isinstance(edit, SourceTextEdit):  # undone, too: the candidates are in another order
            self.show_ref(edit.ref)

    def _show_best_in_documents(self) -> None:
        if not self._annotation.is_ranked and self.documents.currentIndex().isValid():
            return  # no sentence is better than the one that is being read
        best = next(iter(self._annotation.order), None)
        if best is not None and self._annotation.n:
            self._show_in_documents(best)

    def _on_tab_changed(self, at: int) -> None:
        old = self.candidates if at != _CANDIDATES else self.documents
        ref = _ref_of(old.currentIndex())
        if at != _CANDIDATES:
            self._expand_documents()
        self._stack.setCurrentIndex(at)
        self.hand_focus_to(self.panes[at])
        self._show_hint()
        if ref is not None:
            self.show_ref(ref)

    def _show_in_documents(self, ref: SentenceRef) -> None:
        self.documents.show_in_middle(self.document_model.index_of(ref))

    def _on_drag_began(self, index: QModelIndex) -> None:
        ref = _ref_of(index)
        if ref is not None and self._annotation.can_edit:
            drag(ref, self.view)

    def _on_row_clicked(self, index: QModelIndex, is_ctrl: bool) -> None:
        ref = _ref_of(index)
        if ref is not None:
            self.refChosen.emit(ref, is_ctrl)


def _ref_of(index: QModelIndex) -> SentenceRef | None:
    """Returns a row's source sentence; None = it has none."""
    ref = index.data(SUBJECT)
    return ref if isinstance(ref, SentenceRef) else None
