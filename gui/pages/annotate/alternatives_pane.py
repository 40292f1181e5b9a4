"""Right pane: alternatives, the note, and other annotators' entries."""

from collections.abc import Iterable, Mapping
from html import escape

from PySide6.QtCore import QEvent, QMimeData, Qt, QUrl, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from awase.core.annotation.actions import others_of, same_opinion
from awase.core.annotation.formula import OR, formula
from awase.core.errors import CorpusFormatError
from awase.core.records.abstract import AlignmentState, SentenceAlignment
from awase.core.records.source import SentenceRef
from awase.core.text.script import cleaned
from awase.gui.kit.commands import ENTER, HandsFocusOn
from awase.gui.kit.i18n import beside, bind, follow, mark, tr
from awase.gui.kit.look.fitting import ButtonRows, TextEditor
from awase.gui.kit.look.flow import called, spaced, stacked, styled
from awase.gui.kit.look.markup import MarkdownView
from awase.gui.kit.look.rows import STATE_NAMES, WrappedText
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.notices import WholeLabel
from awase.gui.pages.annotate.annotation_actions import AnnotationActions
from awase.gui.pages.annotate.annotation_state import AnnotationState
from awase.gui.pages.annotate.command_button import Controls
from awase.gui.pages.annotate.header import NoticeStack
from awase.gui.pages.annotate.rows.alternative_rows import AlternativeDelegate, AlternativeModel
from awase.gui.pages.annotate.rows.row_view import DropPlace, RowView
from awase.gui.pages.annotate.rows.sources import Sources

_LINES, _LEAST_LINES = 3, 1
NotePlace = tuple[str, str, str, int]  # annotator, topic, abstract and number of the sentence


class NoteField(TextEditor):
    """Stores the note on leaving, by Enter, Esc or the mouse; Shift+Enter breaks the line."""

    # The annotator has finished writing, so the keyboard belongs to the panes again.
    left = Signal()
    pendingChanged = Signal()  # there is text that is not stored, or none any more

    def __init__(self, annotation: AnnotationState, actions: AnnotationActions) -> None:
        super().__init__()
        self._annotation = annotation
        self._actions = actions
        self._at: NotePlace = ("", "", "", 0)
        # What could not be stored, as when the disk was full; it must not be typed again.
        self._refused: dict[NotePlace, str] = {}
        self.setTabChangesFocus(True)
        self._fit()
        annotation.placeChanged.connect(self._show_entry)
        annotation.sentenceChanged.connect(self._show_entry)
        annotation.entryChanged.connect(self._show_entry)
        self.document().modificationChanged.connect(self.pendingChanged)
        bind(self, "accessibleName", mark("Note on the sentence"))
        bind(self, "placeholderText", mark("Note"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in ENTER
        with_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape or (is_enter and not with_shift):
            self.store()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(cleaned(source.text()).text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._refused.get(self._at) != self._text():  # once for each text that is refused
            self.store()
        super().focusOutEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    @property
    def pending(self) -> Mapping[NotePlace, str]:
        """The unsaved note, by its address."""
        shown = {self._at: self._text()} if self.document().isModified() else {}
        return {**self._refused, **shown}

    def store(self) -> None:
        if self.document().isModified():
            self._store(self._at, self._text())

    def store_pending(self) -> None:
        """Stores unsaved notes, here and elsewhere, without moving."""
        for place, text in self.pending.items():
            self._store(place, text)

    def forget(self) -> None:
        """Discards unsaved notes."""
        self._refused.clear()
        self.document().setModified(False)

    def _store(self, place: NotePlace, text: str) -> None:
        if place == self._at:
            self.document().setModified(False)  # or what is stored would not be shown
        self._refused.pop(place, None)
        if not self._actions.set_note(*place, text):
            self._refused[place] = text
            if place == self._at:
                self.document().setModified(True)
        self.pendingChanged.emit()

    def _text(self) -> str:
        return cleaned(self.toPlainText()).text

    def _place(self) -> NotePlace:
        place = self._annotation.place
        return (place.who, *place.ids, self._annotation.n)

    def _fit(self) -> None:
        margins = round(2 * self.document().documentMargin())
        line_px = self.fontMetrics().lineSpacing()
        # Part of a line for the style's frame and padding, and for fallback fonts.
        self.setMaximumHeight(round(line_px * (_LINES + 0.75)) + margins)
        self.setMinimumHeight(round(line_px * (_LEAST_LINES + 0.75)) + margins)

    def _show_entry(self) -> None:
        at, n = self._place(), self._annotation.n
        note = self._annotation.entry.note or "" if n else ""
        if at != self._at:
            self.store()
            self._at = at
            self._show(note)
            typed = self._refused.pop(at, None)
            if typed is not None:
                self._show(typed, is_stored=False)
        elif not self.document().isModified() and note != self.toPlainText().strip():
            self._show(note)  # what is being typed stays
        self.setEnabled(n > 0)
        self.setReadOnly(self._annotation.session.read_only)

    def _show(self, text: str, *, is_stored: bool = True) -> None:
        self.setPlainText(text)
        self.document().setModified(not is_stored)
        self.pendingChanged.emit()  # Qt reports that setting a text modifies it, not that it ends


# What a scroll bar would have as its least height is more, where letters are large.
_LEAST_LINES_OF_OTHERS = 3


class OtherAnnotatorsView(QWidget):
    """The other annotators' alternatives, hidden until requested."""

    refChosen = Signal(object)  # a member was clicked: its `SentenceRef`

    def __init__(self, annotation: AnnotationState, sources: Sources) -> None:
        super().__init__()
        self._annotation, self._sources = annotation, sources
        title = mark("Other annotators (read-only)")
        self._title = styled(WholeLabel(), "heading", wraps=True)
        bind(self._title, "text", title)
        self.text = called(MarkdownView(), title)
        self.text.anchorClicked.connect(self._on_anchor_clicked)
        line = self.fontMetrics().height()
        self._title.setContentsMargins(line // 2, line // 3, line // 2, line // 3)
        stacked(self, self._title, self.text, grows=self.text)
        self.text.setMinimumHeight(line * _LEAST_LINES_OF_OTHERS)
        for signal in (
            annotation.placeChanged,
            annotation.sentenceChanged,
            annotation.entryChanged,
            annotation.othersChanged,
        ):
            signal.connect(self._show)
        follow(self, self._show)

    def _show(self) -> None:
        self.setVisible(self._annotation.shows_others)
        if not self._annotation.shows_others:
            self.text.clear()
            return
        place, n = self._annotation.place, self._annotation.n
        if n and not place.may_see_others(n):
            hidden = tr("Settle the sentence first; then you see others' work.")
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


_LINES_A_LINE, _LOW_LINES = 10, 14  # of the pane for each line of the formula, and for two of them


class AlternativesPane(HandsFocusOn, QWidget):
    """Alternatives of the selected sentence; selects the current one."""

    def __init__(
        self,
        annotation: AnnotationState,
        actions: AnnotationActions,
        sources: Sources,
        controls: Controls,
        themes: ThemeBox,
    ) -> None:
        super().__init__()
        self._annotation = annotation
        self.model = AlternativeModel(annotation, sources, self)
        self.view = RowView(self.model, mark("Alternatives"))
        self._delegate = AlternativeDelegate(themes, self.view)
        self.content = NoticeStack(self.view)
        self.hand_focus_to(self.content)
        self._formula = called(styled(WholeLabel(), "heading", wraps=True), mark("Formula"))
        self._texts = WrappedText()
        self.note = NoteField(annotation, actions)
        self.others = OtherAnnotatorsView(annotation, sources)
        self._buttons = [
            controls.button("new-alternative", mark("New")),
            controls.button("add-duplicates", mark("Near-duplicates")),
        ]
        self.drops = DropPlace(self.view, self.content.notice)
        self.drops.dropped.connect(lambda ref, row: actions.add_to(row, ref))
        self.drops.hovered.connect(self._on_hovered)
        self._lay_out()
        self.view.rowClicked.connect(lambda index, _: annotation.stand_at(index.row()))
        self.view.resized.connect(self._give_room)
        self._delegate.removeChosen.connect(actions.remove_alternative)
        for signal in (
            annotation.placeChanged,
            annotation.sentenceChanged,
            annotation.entryChanged,
            annotation.alternativeChanged,
        ):
            signal.connect(self._show_all)
        follow(self, self._show_all)
        follow(self, self.view.viewport().update)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._give_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_formula()
        self._give_room()

    def _lay_out(self) -> None:
        line = self.fontMetrics().height()
        self._formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._formula.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._formula.setContentsMargins(line // 2, line // 3, line // 2, line // 3)
        parts = (self.note, ButtonRows(self._buttons))
        foot = spaced(QVBoxLayout(), self, *parts, across=1 / 2, down=1 / 3, between=1 / 3)
        column = stacked(self, self._formula, self.content, self.others, foot, grows=self.content)
        column.setStretchFactor(self.others, 1)

    def _show_all(self) -> None:
        annotation = self._annotation
        self._show_formula()
        self._delegate.is_read_only = not annotation.can_edit
        for button in self._buttons:
            button.setEnabled(annotation.can_edit)
        self._show_notice()
        self._give_room()
        current = self.model.index(annotation.alternative_idx)
        if current.isValid():
            self.view.show_row(current)

    def _show_formula(self) -> None:
        """Shows the formula, elided where it would crowd out the alternatives."""
        formula, label = self.model.formula, self._formula
        margins = label.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        line = label.fontMetrics().height()
        least = 2 if self.height() >= line * _LOW_LINES else 1
        most = max(least, self.height() // (line * _LINES_A_LINE))
        shown = self._texts.first_lines(formula, label.font(), width, most)
        if shown != formula and OR in shown:
            shown = f"{shown.rpartition(OR)[0]}{OR}…"
        label.setText(shown or tr("Alternatives"))
        label.setToolTip(formula)

    def _give_room(self) -> None:
        """Shows as much of the texts as fits."""
        most = self._delegate.lines_that_fit(self.model) if self.view.isVisible() else 1
        if most != self._delegate.most_lines:
            self._delegate.most_lines = most
            self.view.scheduleDelayedItemsLayout()

    def _show_notice(self) -> None:
        annotation, heading, hint = self._annotation, "", ""
        if annotation.n == 0:
            heading = tr("Nothing to link")
        elif annotation.entry.state is AlignmentState.NO_SOURCE:
            heading = tr("No source")
            hint = tr("This sentence counts neither in h nor in the scores. Linking reopens it.")
        elif not annotation.can_edit and not annotation.entry.alternatives:
            heading = tr("No alternatives")
        self.content.show_notice(heading, hint)

    def _on_hovered(self, row: int) -> None:
        if row != self._delegate.drop_row:
            self._delegate.drop_row = row
            self.view.viewport().update()
