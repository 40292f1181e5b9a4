"""The Annotate page: composes the panes, binds keys and mouse to the actions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from time import monotonic_ns

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from awase.core.annotation.formula import label_of, running_numbers
from awase.core.errors import AwaseError, InputError
from awase.core.records.abstract import Abstract, SentenceAlignment
from awase.core.records.source import Document, SentenceRef
from awase.core.records.topic import Topic
from awase.gui.kit.commands import Command, HandsFocusOn
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import open_once
from awase.gui.kit.i18n import inline, tr, what_of
from awase.gui.kit.keys import KeyMap
from awase.gui.kit.look.flow import stacked
from awase.gui.kit.look.rows import STATE_NAMES
from awase.gui.kit.look.stylesheet import NEW_SIZES, letter_px
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.pages.annotate.abstract_pane import AbstractPane
from awase.gui.pages.annotate.alternatives_pane import AlternativesPane
from awase.gui.pages.annotate.annotation_actions import ActivityClock, AnnotationActions
from awase.gui.pages.annotate.annotation_state import AnnotationState
from awase.gui.pages.annotate.command_button import Controls, EditButton, EditMenu, edit_in_place
from awase.gui.pages.annotate.commands import EDIT_ABSTRACTS, EDIT_DOCUMENTS, N_DIGITS, N_RANK_KEYS
from awase.gui.pages.annotate.find_bar import FindInTopic
from awase.gui.pages.annotate.header import GuidelinesPanel, Header, PanesSplitter, SuggestionStrip
from awase.gui.pages.annotate.live_results import Assistance, CoverSearch, LiveResults
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.gui.pages.annotate.rows.sources import Sources
from awase.gui.pages.annotate.sources_pane import PinnedSentence, SourcesPane
from awase.gui.pages.annotate.status_strip import AnnotatorButton, AnnotatorDialog, Strip
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services, SettingsFile
from awase.storage.addresses import is_url


class KeyRouter(QObject):
    """Runs the command of a key that is pressed in one of its widgets."""

    focused = Signal(QWidget)  # one of its widgets took the keyboard
    released = Signal()  # a key is no longer held

    def __init__(
        self, keys: KeyMap, commands: Mapping[str, Callable[[], object]], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._keys = keys
        self._commands = commands
        self._n_keys = 0

    def take_n_keys(self) -> int:
        """Returns the number of command keys pressed since the last call."""
        taken, self._n_keys = self._n_keys, 0
        return taken

    def run(self, event: QKeyEvent) -> bool:
        """Runs the command of the key; returns whether it has one."""
        command = self._commands.get(self._keys.command_of(event) or "")
        if command is None:
            return False
        self._n_keys += 1
        command()
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.ShortcutOverride:
                # A plain letter must not become the shortcut of something else in the window.
                if self._keys.command_of(event) in self._commands:
                    event.accept()
                    return True
            elif event.type() is QEvent.Type.KeyPress:
                return self.run(event)
            elif event.type() is QEvent.Type.KeyRelease and not event.isAutoRepeat():
                self.released.emit()
        elif event.type() is QEvent.Type.FocusOut:
            self.released.emit()  # the focused widget is told of the release
        elif event.type() is QEvent.Type.FocusIn and isinstance(watched, QWidget):
            self.focused.emit(watched)
        return super().eventFilter(watched, event)


def alignment_html(topic: Topic, abstract: Abstract, annotator: str) -> str:
    """Returns the abstract with `annotator`'s links, as HTML."""
    numbers = running_numbers(topic)
    texts = {ref: sentence.text for ref, sentence in topic.sentences()}
    alignment = abstract.alignment_by(annotator)
    facts = " · ".join(
        (f"{topic.id}  {topic.title or ''}".strip(), abstract.id,
         tr("annotator {who}", who=annotator))
    )  # fmt: skip
    parts = [f"<p>{escape(facts)}</p>\n"]
    for sentence in abstract.sentences:
        entry = alignment.of_sentence(sentence.n) if alignment else SentenceAlignment(n=sentence.n)
        state = tr(STATE_NAMES[entry.state])
        rank = f" {sentence.rank}" if sentence.rank else ""
        parts.append(
            f"<h4>{sentence.n}{escape(rank)}  <small>{escape(state)}</small></h4>\n"
            f"<p><b>{escape(sentence.text)}</b></p>\n{_alternatives(entry, numbers, texts)}"
        )
        if entry.note:
            parts.append(f"<p><i>{escape(entry.note)}</i></p>\n")
    return "".join(parts)


def _alternatives(
    entry: SentenceAlignment, numbers: Mapping[SentenceRef, int], texts: Mapping[SentenceRef, str]
) -> str:
    items = []
    for alternative in entry.alternatives:
        lines = (
            f"<b>{escape(label_of(ref, numbers))}</b> {inline(texts.get(ref, ''))}"
            for ref in alternative.members
        )
        items.append(f"<li>{'<br/>'.join(lines)}</li>\n")
    return f"<ol>\n{''.join(items)}</ol>\n" if items else ""


_LEAST_LINES = (10, 11, 10)  # widths of the panes' rows, in heights of a line


class AnnotatePage(HandsFocusOn, QWidget):
    """Links abstract sentences to source sentences."""

    guidelinesToggled = Signal()  # the guidelines are shown, or no longer
    # Id of an editing command of the Corpus menu.
    editChosen = Signal(str)

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        super().__init__(parent)
        themes, keys = services.themes, services.keys.keys
        self._session = session
        self.keys = self._keys = keys
        self._clock = clock = ActivityClock(lambda: monotonic_ns() // 1_000_000)
        self._pane_idx = 1
        self.annotation = AnnotationState(session, self)
        self.assistance = Assistance(self.annotation, lambda: monotonic_ns() // 1_000_000, self)
        self.annotation_actions = AnnotationActions(
            self.annotation, clock.take, self.assistance, lambda: self._router.take_n_keys()
        )
        self.live_results = LiveResults(self.annotation, CoverSearch(self), self)
        self._sources = Sources(self.annotation, self)
        self.commands: dict[str, Callable[[], object]] = {}
        controls = Controls(self.commands, self._keys)
        self.abstract = AbstractPane(self.annotation, self.live_results, controls, themes)
        self.centre = SourcesPane(self.annotation, self._sources, themes)
        self.pinned = PinnedSentence(self.annotation, self.assistance, self._sources, themes)
        self.suggestion = SuggestionStrip(self.assistance, self._sources, keys)
        self.centre.frame(self.pinned, self.suggestion)
        self.alternatives = AlternativesPane(
            self.annotation, self.annotation_actions, self._sources, controls, themes
        )
        self.header = Header(self.annotation, self._edit_button())
        self.strip = Strip(self.live_results, AnnotatorButton(session.annotators))
        self.guidelines = GuidelinesPanel(session)
        self.topic_find = FindInTopic(
            self.annotation, self._sources, self.abstract, self.centre, keys
        )
        self.commands.update(self._all_commands())
        self._router = KeyRouter(self._keys, self.commands, self)
        self._lay_out()
        self._connect(themes)
        self._remember_folding(services.settings)
        self.strip.who.set_who(session.who)
        self._show_saved()

    def _remember_folding(self, file: SettingsFile) -> None:
        def keep(is_folded: bool) -> None:
            file.change(replace(file.settings, folds_candidates=is_folded))

        self.centre.fold(file.settings.folds_candidates)
        self.centre.foldingChanged.connect(keep)

    def print_html(self) -> str:
        """Returns the abstract with its alignment, each alternative in full."""
        topic, abstract = self.annotation.place.topic, self.annotation.place.abstract
        if topic is None or abstract is None:
            return ""
        return alignment_html(topic, abstract, self._session.who)

    # Composition

    def _lay_out(self) -> None:
        self._splitter = PanesSplitter(*self._panes(), self.guidelines)
        stacked(
            self, self.header, self._splitter, self.topic_find, self.strip, grows=self._splitter
        )
        self._widen_rows()
        self.hand_focus_to(self.centre)

    def _widen_rows(self) -> None:
        em = letter_px(self)
        for pane, lines in zip(self._panes(), _LEAST_LINES, strict=True):
            # The views, not the panes: a pane is never narrower than its buttons' texts.
            for view in pane.findChildren(RowView):
                view.setMinimumWidth(em * lines)

    def _connect(self, themes: ThemeBox) -> None:
        panes = (self.abstract.content, *self.centre.panes, self.alternatives.content)
        for widget in (*self._views(), *(pane.notice for pane in panes)):
            widget.installEventFilter(self._router)
        self.centre.refChosen.connect(self._on_ref_chosen)
        self._router.released.connect(self.centre.end_peek)
        self.suggestion.chosen.connect(lambda: self.annotation_actions.take_suggestion(stays=True))
        self.topic_find.linkChosen.connect(self.annotation_actions.toggle)
        self.header.chosen.connect(self._focus_centre)
        self.alternatives.note.left.connect(self._focus_centre)
        self.strip.systemChosen.connect(self.live_results.choose)
        self.strip.systemChosen.connect(self._focus_centre)
        self.annotation.said.connect(self.strip.show_message)
        self.annotation.entryChanged.connect(lambda _: self.strip.show_message(""))
        self.annotation.placeChanged.connect(lambda: self.strip.show_message(""))
        self._session.failed.connect(self._on_failed)
        self._session.undo_stack.indexChanged.connect(self._show_saved)
        self.alternatives.note.pendingChanged.connect(self._show_saved)
        themes.changed.connect(self._on_theme_changed)
        self._connect_people()
        self._connect_others()

    def _connect_others(self) -> None:
        session, annotation = self._session, self.annotation
        session.othersMoved.connect(self.header.others.show_others)
        session.connectionChanged.connect(self._on_connection_changed)
        annotation.newsChanged.connect(
            lambda: self.strip.show_news(annotation.news, self._keys.text("rank-anew"))
        )
        self.strip.newsChosen.connect(annotation.show_news)
        for signal in (annotation.placeChanged, annotation.sentenceChanged):
            signal.connect(lambda: session.publish_position(*annotation.place.ids, annotation.n))

    def _connect_people(self) -> None:
        session, clock, who = self._session, self._clock, self.strip.who
        who.chosen.connect(session.set_who)
        who.chosen.connect(self._focus_centre)
        who.otherChosen.connect(self.ask_annotator)
        session.whoLeaving.connect(self.alternatives.note.store)
        session.whoChanged.connect(who.set_who)
        # The time since the last action of the annotator before belongs to neither of the two.
        session.whoChanged.connect(lambda _: clock.take())
        self.alternatives.others.refChosen.connect(self.centre.show_in_document)
        self.guidelines.hideChosen.connect(self.toggle_guidelines)
        self._router.focused.connect(self._on_focused)
        # Reading and navigating are work, too.
        for signal in (
            self.annotation.sentenceChanged,
            self.annotation.placeChanged,
            self.annotation.alternativeChanged,
            self.alternatives.note.textChanged,
        ):
            signal.connect(clock.touch)
        for view in self._views():
            view.verticalScrollBar().valueChanged.connect(lambda _: clock.touch())
            view.selectionModel().currentChanged.connect(lambda *_: clock.touch())

    def _edit_button(self) -> EditButton:
        """Returns the edit button, whose menu is the sentences' context menu."""

        def menu_of(*groups: Sequence[Command]) -> EditMenu:
            menu = EditMenu(groups, self._keys, self)
            menu.chosen.connect(self.editChosen)
            return menu

        menu_of(EDIT_ABSTRACTS).offer_on(self.abstract.view)
        for view in (self.centre.candidates, self.centre.documents):
            menu_of(EDIT_DOCUMENTS).offer_on(view)
        return EditButton(menu_of(EDIT_ABSTRACTS, EDIT_DOCUMENTS))

    def _all_commands(self) -> dict[str, Callable[[], object]]:
        """Returns what each command does, global ones that are handled before shortcuts as well."""
        act, annotation, session = self.annotation_actions, self.annotation, self._session
        by_digit = {
            "candidate": act.toggle_candidate,
            "exchange": act.exchange_candidate,
            "begin-with": act.begin_with_candidate,
        }
        return {
            **{
                f"{name}-{at + 1}": partial(run, at)
                for name, run in by_digit.items()
                for at in range(N_DIGITS)
            },
            **{f"rank-{at + 1}": partial(act.set_rank, at) for at in range(N_RANK_KEYS)},
            "row-down": lambda: self.step_row(1),
            "row-up": lambda: self.step_row(-1),
            "toggle-row": self._toggle_row,
            "new-alternative": act.begin_alternative,
            "previous-alternative": lambda: annotation.step_alternative(-1),
            "next-alternative": lambda: annotation.step_alternative(1),
            "add-duplicates": act.add_duplicates,
            "remove-alternative": lambda: act.remove_alternative(annotation.alternative_idx),
            "take-suggestion": lambda: act.take_suggestion(stays=False),
            "take-suggestion-and-stay": lambda: act.take_suggestion(stays=True),
            "next-candidates": self.centre.show_next_candidates,
            "whole-texts": self.centre.toggle_folding,
            "peek": self.centre.peek,
            "rank-anew": annotation.rerank,
            "confirm": act.confirm,
            "no-source": act.toggle_no_source,
            "no-rank": lambda: act.set_rank(-1),
            "flag": act.toggle_flag,
            "note": self.alternatives.note.setFocus,
            "previous-sentence": lambda: self.abstract.step(-1),
            "next-sentence": lambda: self.abstract.step(1),
            "next-incomplete": act.go_to_next_incomplete,
            "next-filter": lambda: self.abstract.filter.step(1),
            "previous-abstract": lambda: annotation.step_abstract(-1),
            "next-abstract": lambda: annotation.step_abstract(1),
            "find": self.topic_find.begin,
            "find-previous": lambda: self.topic_find.step(-1),
            "find-next": lambda: self.topic_find.step(1),
            "end-find": self.topic_find.end,
            "switch-sources": self.centre.switch,
            "next-system": self.strip.next_system,
            "show-others": annotation.toggle_others,
            "guidelines": self.toggle_guidelines,
            "undo": session.undo_stack.undo,
            "redo": session.undo_stack.redo,
        }

    def _views(self) -> tuple[RowView, ...]:
        return (
            self.abstract.view,
            self.centre.candidates,
            self.centre.documents,
            self.alternatives.view,
        )

    # Keys and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handles keys that the focused button ignored."""
        if not self._router.run(event):
            super().keyPressEvent(event)

    def show_sentence(
        self, topic_id: str, abstract_id: str | None, at: int | SentenceRef, system: str = ""
    ) -> None:
        """Goes to a sentence of an abstract (None = the current) or document, with these scores."""
        topic, abstract = self.annotation.place.ids
        if topic != topic_id or abstract_id not in (None, abstract):
            self.annotation.go_to(topic_id, abstract_id)
        if system in self.live_results.state.systems:
            self.live_results.choose(system)
        if isinstance(at, int):
            self.annotation.select(at)
            self.focus_pane(0)
        else:
            self.centre.show_in_document(at)

    def ask_annotator(self) -> None:
        dialog = AnnotatorDialog(self._session.who, self._session.annotators(), self)
        dialog.chosen.connect(self._session.set_who)
        open_once(dialog)

    def toggle_guidelines(self) -> None:
        focused = QApplication.focusWidget()
        self._splitter.toggle_guidelines()
        self.guidelinesToggled.emit()
        if focused is not None and self.isAncestorOf(focused) and not focused.isVisible():
            self._focus_centre()

    def place(self) -> tuple[str, str, int, int] | None:
        """Returns topic, abstract, sentence and pane; None while there is no topic."""
        here = (*self.annotation.place.ids, self.annotation.n, self._pane_idx)
        return None if self.annotation.place.topic is None else here

    def return_to(self, place: tuple[str, str | None, int, int]) -> None:
        topic_id, abstract_id, n, pane_idx = place
        self.annotation.go_to(topic_id, abstract_id)
        self.annotation.select(n)
        self.focus_pane(pane_idx)

    def focus_pane(self, pane_idx: int) -> None:
        """Focuses one of the three panes."""
        self._pane_idx = pane_idx % 3
        pane = self._panes()[self._pane_idx]
        if pane.isHidden():  # replaced by the guidelines
            self.toggle_guidelines()
        if self.isVisibleTo(self.window()):  # or the keyboard would be out of sight
            pane.setFocus()

    def _panes(self) -> tuple[QWidget, QWidget, QWidget]:
        return (self.abstract, self.centre, self.alternatives)

    def _on_focused(self, widget: QWidget) -> None:
        self._pane_idx = next(
            (at for at, pane in enumerate(self._panes()) if pane.isAncestorOf(widget)), 1
        )

    def step_row(self, by: int) -> None:
        """Goes to another row of the focused pane."""
        view = next((view for view in self._views() if view.hasFocus()), self.centre.view)
        if view is self.abstract.view:
            self.abstract.step(by)
        elif view is self.alternatives.view:
            self.annotation.step_alternative(by)
        else:
            self.centre.view.step(by)

    def _toggle_row(self) -> None:
        ref = self.centre.current_ref()
        if ref is not None:
            self.annotation_actions.toggle(ref)

    def step_pane(self, by: int) -> None:
        """Focuses the next or previous pane."""
        panes = [pane for pane in self._panes() if not pane.isHidden()]
        focused = QApplication.focusWidget()
        at = next(
            (at for at, pane in enumerate(panes) if focused and pane.isAncestorOf(focused)), 0
        )
        panes[(at + by) % len(panes)].setFocus(Qt.FocusReason.TabFocusReason)

    def _focus_centre(self) -> None:
        self.centre.setFocus()

    def _on_ref_chosen(self, ref: SentenceRef, begins_new: bool) -> None:
        if begins_new:
            self.annotation_actions.toggle_in(len(self.annotation.entry.alternatives), ref)
        else:
            self.annotation_actions.toggle(ref)

    # What may be edited beside the links

    def current_topic(self) -> Topic | None:
        return self.annotation.place.topic

    def current_abstract(self) -> Abstract | None:
        return self.annotation.place.abstract

    def current_document(self) -> Document | None:
        """Returns the document of the current source sentence, or the topic's only one."""
        topic, ref = self.annotation.place.topic, self.centre.current_ref()
        documents = topic.documents if topic else ()
        if ref is None:
            return documents[0] if len(documents) == 1 else None
        return next((part for part in documents if part.id == ref.document_id), None)

    def show_message(self, text: str, *, look: str = "muted") -> None:
        self.strip.show_message(text, look=look)

    def edit_text(self) -> None:
        focused = self.window().focusWidget()
        # Otherwise the pane focused last counts: the button Edit has none.
        is_abstract = self._pane_idx == 0
        if focused in self._views():
            is_abstract = focused is self.abstract.view
        edit_in_place(self.annotation, self.abstract.view, self.centre, is_abstract=is_abstract)

    # What is shown around the panes

    def _show_saved(self) -> None:
        if self._session.read_only:
            self.strip.show_saved(tr("read-only"), look="warning")
        elif self.alternatives.note.pending:
            is_lost = self._session.connection_problem is not None
            self.strip.show_saved(tr("not saved"), look="danger" if is_lost else "warning")
        elif self._session.connection_problem is not None:
            is_server = is_url(self._session.location)
            gone = tr("no connection") if is_server else tr("file moved")
            self.strip.show_saved(gone, look="danger")
        else:
            self.strip.show_saved(tr("saved"), look="success")

    def _on_connection_changed(self, problem: AwaseError | None) -> None:
        if problem is None:
            self.alternatives.note.store_pending()
        self._show_saved()

    def _on_failed(self, error: AwaseError) -> None:
        if not isinstance(error, InputError):  # which is refused: what is shown is what is stored
            self.strip.show_saved(tr("not saved"), look="danger")
        for problem in problems_of(error)[:1]:
            self.strip.show_message(what_of(problem), look="danger")

    def _on_theme_changed(self) -> None:
        for view in self._views():
            view.scheduleDelayedItemsLayout()
            view.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._show_saved()
        elif event.type() in NEW_SIZES and hasattr(self, "alternatives"):
            self._widen_rows()
