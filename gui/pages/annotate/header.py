"""Around the panes: header, suggestion strip, splitter, empty states and guidelines."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from awase.core.annotation.formula import formula
from awase.core.annotation.suggesters import (
    ANSWERED,
    COVER_TOGETHER,
    COVERS_ALONE,
    LANGUAGE_MODEL,
    LEXICAL_FAMILY,
    LINKED_ELSEWHERE,
    NEARLY_REPEATS,
    OTHER_LENGTH,
    SAYS_THE_SAME,
)
from awase.core.annotation.suggestion import CLOSURE, FAMILY
from awase.core.records.abstract import Abstract
from awase.core.records.edits import Changes
from awase.core.records.source import sentence_place
from awase.core.reports.grid import UNDEFINED, decimal_text
from awase.gui.kit.commands import HandsFocusOn
from awase.gui.kit.forms.controls import fill
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.i18n import aside, bind, follow, following, listed, mark, ntr, tr
from awase.gui.kit.keys import KeyMap
from awase.gui.kit.look.fitting import ElidedComboBox, ElidedLabel
from awase.gui.kit.look.flow import (
    FlowLayout,
    called,
    label_for,
    push_button,
    spaced,
    stacked,
    styled,
)
from awase.gui.kit.look.markup import MarkdownView
from awase.gui.kit.look.stylesheet import letter_px
from awase.gui.kit.notices import ProgressBar
from awase.gui.pages.annotate.annotation_state import AnnotationState
from awase.gui.pages.annotate.live_results import Assistance
from awase.gui.pages.annotate.rows.sources import Sources
from awase.gui.session.session import CorpusSession
from awase.gui.session.topic_list import TopicButton
from awase.storage.postgresql.notices import Presence

_SHARES: Final = (26, 46, 28)
_FIRST_PX: Final = (260, 460, 280, 260)
_GUIDELINES_PERCENT: Final = 22  # minimal share of the width when shown
# Of what narrow guidelines leave: the alternatives may have what others did below them.
_CENTRE_PERCENT: Final = 45


class PanesSplitter(QSplitter):
    """Three panes and the guidelines, which replace the abstract where four do not fit."""

    def __init__(
        self, abstract: QWidget, centre: QWidget, alternatives: QWidget, guidelines: QWidget
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._abstract, self._guidelines = abstract, guidelines
        self._panes = (abstract, centre, alternatives)
        # Widths without the guidelines; empty once the user moved a handle.
        self._widths_alone: list[int] = []
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        for at, (pane, share) in enumerate(zip(self._panes, _SHARES, strict=True)):
            self.addWidget(pane)
            self.setStretchFactor(at, share)
        self.addWidget(guidelines)
        guidelines.hide()
        self.setSizes(_FIRST_PX)
        self.splitterMoved.connect(lambda *_: self._widths_alone.clear())

    def toggle_guidelines(self) -> None:
        """Shows the guidelines, or hides them and restores the widths."""
        widths = self.sizes()
        self._guidelines.setVisible(self._guidelines.isHidden())
        self._give_place()
        if self._guidelines.isHidden():
            if self._widths_alone:
                self.setSizes(self._widths_alone)
            return
        self._widths_alone = widths
        if self._abstract.isHidden():
            least = self._least_px(self._guidelines)
            centre = (self.width() - least) * _CENTRE_PERCENT // 100
            self.setSizes([least, 0, centre, self.width() - least - centre])
        else:
            self._give_room()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        if self._guidelines.isHidden():
            return hint
        return QSize(self._least_px(self._guidelines, *self._panes[1:]), hint.height())

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:  # letters or language are other ones
            self._give_place()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_place()

    def _least_px(self, *panes: QWidget) -> int:
        widths = (max(one.minimumWidth(), one.minimumSizeHint().width()) for one in panes)
        return sum(widths) + self.handleWidth() * (len(panes) - 1)

    def _give_place(self) -> None:
        """Puts the guidelines beside the panes, or in place of the first."""
        is_narrow = not self._guidelines.isHidden() and self.width() < self._least_px(
            *self._panes, self._guidelines
        )
        if is_narrow != self._abstract.isHidden():
            self._abstract.setHidden(is_narrow)
            self.insertWidget(0 if is_narrow else len(self._panes), self._guidelines)

    def _give_room(self) -> None:
        """Widens the guidelines to their share, as they were hidden at the first layout."""
        *widths, own = self.sizes()
        room = sum(widths) + own
        own = max(own, room * _GUIDELINES_PERCENT // 100)
        shared = [width * (room - own) // max(1, sum(widths)) for width in widths]
        self.setSizes([*shared, own])


class EmptyNotice(QWidget):
    """A heading and a line below it, in the middle."""

    def __init__(self) -> None:
        super().__init__()
        self._heading = styled(QLabel(), "heading", wraps=True)
        self._hint = styled(QLabel(), "muted", wraps=True)
        for label in (self._heading, self._hint):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        parts = (self._heading, self._hint)
        layout = spaced(QVBoxLayout(self), self, *parts, across=1 / 2, down=0)
        layout.insertStretch(0, 2)  # the margins are above and below
        layout.addStretch(3)
        self.setAutoFillBackground(True)
        # It holds the keyboard for the pane, so that keys go on working.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)

    def show_text(self, heading: str, hint: str) -> None:
        self._heading.setText(heading)
        self._hint.setText(hint)
        self.setAccessibleName(f"{heading}. {hint}" if hint else heading)


class NoticeStack(QStackedWidget):
    """A widget, or a notice instead."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._widget = widget
        self.notice = EmptyNotice()
        self.addWidget(widget)
        self.addWidget(self.notice)
        self.setFocusProxy(widget)

    def show_notice(self, heading: str, hint: str = "") -> None:
        """Shows the notice, or the widget for an empty heading."""
        if heading:
            self.notice.show_text(heading, hint)
        shown = self.notice if heading else self._widget
        if shown is self.currentWidget():
            return
        hidden = self._widget if heading else self.notice
        had_focus = hidden.hasFocus()
        self.setFocusProxy(shown)
        self.setCurrentWidget(shown)
        if had_focus:
            shown.setFocus()


class GuidelinesPanel(HandsFocusOn, QFrame):
    """Guidelines as stored; another window edits them."""

    editChosen = Signal()
    hideChosen = Signal()

    def __init__(self, session: CorpusSession) -> None:
        super().__init__()
        self._session = session
        title = styled(QLabel(), "heading")
        self._edit = called(
            push_button(mark("Edit…"), self.editChosen), mark("Edit the guidelines")
        )
        hide = called(push_button(mark("Hide"), self.hideChosen), mark("Hide the guidelines"))
        self.text = called(MarkdownView(), mark("Guidelines"))
        self.content = NoticeStack(self.text)
        self.hand_focus_to(self.content)
        parts = (title, self._edit, hide)
        head = spaced(FlowLayout(), self, *parts, across=1 / 2, down=1 / 4, between=1 / 3)
        stacked(self, head, self.content, grows=self.content)
        self.text.setMinimumWidth(letter_px(self) * 9)
        session.changed.connect(self._on_changed)
        bind(title, "text", mark("Guidelines"))
        follow(self, self._show_text)

    def _show_text(self) -> None:
        text = self._session.frame.guidelines
        self._edit.setEnabled(not self._session.read_only)
        self.text.show_markdown(text)
        self.content.show_notice(
            "" if text.strip() else tr("This corpus has no guidelines yet"),
            tr("Use “Edit…” to write down the rules for its annotators."),
        )

    def _on_changed(self, changes: Changes) -> None:
        if changes.corpus:
            self._show_text()


class Header(QWidget):
    """Selects topic and abstract, and shows progress."""

    chosen = Signal()  # the user chose a place, so the keyboard belongs to the panes again

    def __init__(self, annotation: AnnotationState, edit: QWidget) -> None:
        super().__init__()
        self._annotation = annotation
        self.topics = TopicButton(annotation.session, shows_progress=True)
        self._abstracts = called(ElidedComboBox(), mark("Abstract"))
        topic_label = label_for(mark("Topic"), self.topics)
        abstract_label = label_for(mark("Abstract"), self._abstracts)
        self._documents = styled(ElidedLabel(), "muted")
        self.others = OthersHere(annotation)
        self._progress_text = QLabel()
        self._progress = called(ProgressBar(), mark("Sentences settled"))
        line = letter_px(self)
        box = self._abstracts
        box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        # On a wide screen, topic details are beside it.
        box.setMaximumWidth(line * 24)
        self.topics.setMaximumWidth(line * 48)
        self._progress.setMinimumWidth(line)
        self._progress.setMaximumWidth(line * 7)
        # Where there is little room, which topic and abstract it is matters more than its size.
        self._documents.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        choices = (topic_label, self.topics, abstract_label, box)
        facts = (self._documents, self.others, self._progress_text, self._progress)
        row = spaced(
            QHBoxLayout(self), self, *choices, *facts, edit,
            across=1 / 2, down=1 / 3, between=1 / 3,
        )  # fmt: skip
        for part, stretch in ((self.topics, 34), (box, 16), (self._documents, 20)):
            row.setStretchFactor(part, stretch)
        self.topics.chosen.connect(annotation.go_to)
        self.topics.chosen.connect(self.chosen)
        self._abstracts.activated.connect(self._on_abstract_activated)
        annotation.placeChanged.connect(self._fill)
        annotation.entryChanged.connect(self._show_progress)
        annotation.entryChanged.connect(self.topics.refresh)
        annotation.topicsChanged.connect(self.topics.refresh)
        follow(self, self._fill)

    def _fill(self) -> None:
        session, place = self._annotation.session, self._annotation.place
        abstracts = place.topic.abstracts if place.topic else ()
        options = [(one.id, abstract_text(one)) for one in abstracts]
        fill(self._abstracts, ChoiceField(options, value=place.ids[1]), keeps=False)
        # With large letters the topic shrinks first: ids differ at their ends.
        line = letter_px(self)
        self._abstracts.setMinimumWidth(min(self._abstracts.sizeHint().width(), line * 7))
        self.topics.show_topic(place.topic.id if place.topic else "")
        self.topics.setEnabled(bool(session.topic_ids()))
        self._abstracts.setEnabled(self._abstracts.count() > 0)
        self._show_size()
        self._show_progress()

    def _show_size(self) -> None:
        topic = self._annotation.place.topic
        documents = topic.documents if topic else ()
        n_sentences = sum(len(document.sentences) for document in documents)
        parts = (
            ntr("{n} document", "{n} documents", len(documents)),
            ntr("{n} sentence", "{n} sentences", n_sentences),
        )
        self._documents.setText(" · ".join(parts) if topic else "")

    def _show_progress(self) -> None:
        numbers, entries = self._annotation.place.numbers, self._annotation.place.entries
        settled = len([1 for entry in entries if entry.state.is_settled])
        self._progress.show_progress(settled, max(1, len(numbers)))
        text = tr("{settled} of {total} settled").format(settled=settled, total=len(numbers))
        self._progress_text.setText(text if numbers else "")
        self._progress.setVisible(bool(numbers))

    def _on_abstract_activated(self, row: int) -> None:
        topic = self._annotation.place.topic
        self._annotation.go_to(topic.id if topic else None, self._abstracts.itemData(row))
        self.chosen.emit()


def abstract_text(abstract: Abstract) -> str:
    """Returns the id, with length class and author unless the id contains them."""
    parts = [part for part in (abstract.length, abstract.author) if part]
    if abstract.length is None or abstract.length in abstract.id:
        return abstract.id
    return aside(abstract.id, listed(parts))


_CHARACTERS = 22  # where the topic is needs the room more; the tip has everything


class OthersHere(ElidedLabel):
    """Positions of other annotators, those in this topic first; the tooltip has all."""

    def __init__(self, annotation: AnnotationState) -> None:
        super().__init__()
        self._annotation, self._places = annotation, ""
        self.setProperty("look", "muted")
        annotation.placeChanged.connect(self.show_others)
        bind(self, "accessibleName", mark("Others who have the corpus open"))
        follow(self, self.show_others)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._places, self)
            return True
        return super().event(event)

    def show_others(self) -> None:
        """Shows other clients' positions."""
        session, (here, _) = self._annotation.session, self._annotation.place.ids
        ordered = sorted(session.others, key=lambda one: one.topic != here)
        who = session.who
        self.setText(" · ".join(dict.fromkeys(_short(one, who, here) for one in ordered)))
        self._places = "\n".join(_long(one) for one in ordered)
        self.setMaximumWidth(self.fontMetrics().averageCharWidth() * _CHARACTERS)
        self.setVisible(bool(ordered))


def _short(one: Presence, who: str, here: str) -> str:
    if one.who == who:
        return tr("you on {host}", host=one.host)
    if one.topic == here:
        return tr("{who} here", who=one.who)
    return tr("{who}: {topic}", who=one.who, topic=one.topic) if one.topic else one.who


def _long(one: Presence) -> str:
    place = sentence_place(one.topic, one.abstract, one.n) if one.n else one.topic
    return tr("{who} on {host}: {place}", who=one.who, host=one.host, place=place or UNDEFINED)


# Display names of suggesters; plug-ins' own otherwise.
_TITLES: Final[Mapping[str, str]] = {
    LEXICAL_FAMILY: mark("shared words"),
    CLOSURE: mark("near-duplicates"),
    OTHER_LENGTH: mark("another length"),
    LANGUAGE_MODEL: mark("language model"),
}
_WHY: Final[Mapping[str, str]] = {
    COVERS_ALONE: mark("covers the sentence best by itself"),
    COVER_TOGETHER: mark("cover the sentence best together"),
    SAYS_THE_SAME: mark("says the same as what is linked"),
    NEARLY_REPEATS: mark("nearly repeats a linked sentence"),
    ANSWERED: mark("answer of a language model"),
    LINKED_ELSEWHERE: mark("linked for a similar sentence of another abstract"),
}


class SuggestionStrip(QFrame):
    """Hidden without a suggestion; a click accepts and stays, as clicks are slow to undo."""

    chosen = Signal()  # the suggestion is accepted

    def __init__(self, assistance: Assistance, sources: Sources, keys: KeyMap) -> None:
        super().__init__()
        self.setProperty("look", "strip")
        self._assistance, self._sources, self._keys = assistance, sources, keys
        self.button, self.text = push_button("", self.chosen), ElidedLabel()
        self.level = styled(QLabel(), "muted")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves it at the sentence
        parts = (self.button, self.text, self.level)
        spaced(QHBoxLayout(self), self, *parts, grows=self.text, across=1 / 2, down=1 / 5)
        assistance.changed.connect(self.show_offered)
        follow(self, self.show_offered)

    def show_offered(self) -> None:
        """Shows the best suggestion, or nothing."""
        offered = self._assistance.offered
        self.setVisible(offered is not None)
        if offered is None:
            self.button.setAccessibleName(tr("Suggestion"))
            return
        one = offered.suggestion
        family = formula(one.family, self._sources.numbers)
        more = family if one.kind == FAMILY else f"+ {family}"
        key = self._keys.text("take-suggestion")
        self.button.setText(f"{key}  {more}" if len(more) <= 40 else f"{key}  {more[:39]}…")
        sure = decimal_text(one.confidence, 2)
        texts = " / ".join(
            following(self._sources.text(ref))
            for ref in dict.fromkeys(r for a in one.family for r in a.members)
        )
        why = tr(_WHY[one.why]) if one.why in _WHY else one.why
        source = tr(_TITLES[offered.source]) if offered.source in _TITLES else offered.source
        shown = tr("{confidence} · {source} · {why}: {texts}",
                   confidence=sure, source=one.model or source, why=why, texts=texts)  # fmt: skip
        self.text.setText(shown)
        told = tr("Suggested: {family}, confidence {confidence}, {why}",
                  family=family, confidence=sure, why=why)  # fmt: skip
        self.button.setAccessibleName(told)
        self.button.setToolTip(told)
        self._show_level()

    def _show_level(self) -> None:
        percent = self._assistance.decoy_percent
        level = tr("level {n}", n=int(self._assistance.level))
        tip = tr("The project lead chose this level of help.")
        if percent:
            level += f" · {tr('{n} % wrong on purpose', n=percent)}"
            tip += " " + tr("Some suggestions are wrong on purpose: read before you accept.")
        self.level.setText(level)
        self.level.setToolTip(tip)
