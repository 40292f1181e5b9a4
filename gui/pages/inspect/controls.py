"""Controls above the heat map: topics, annotator, cut."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from awase.core.analysis.columns import SentenceFilter, Share
from awase.core.analysis.inspection import Inspection, Key
from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR, AnnotatorChoice, annotator_values
from awase.core.team.parts import Part
from awase.gui.kit.commands import pressed_by_enter
from awase.gui.kit.forms.controls import fill, fill_names
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.i18n import mark, ntr, tr
from awase.gui.kit.look.fitting import ElidedButton, ElidedComboBox
from awase.gui.kit.look.flow import (
    FlowLayout,
    called,
    label_for,
    push_button,
    spaced,
    titled,
    written,
)
from awase.gui.kit.look.rows import STATE_NAMES
from awase.gui.kit.texts import LiveLabel, bind, follow
from awase.gui.pages.inspect.findings import InspectOptions
from awase.gui.session.session import CorpusSession
from awase.gui.session.topic_button import TopicButton

_SHARES = {
    Share.ANY: mark("any share"),
    Share.NOT_FULL: mark("not in full"),
    Share.MISSED: mark("nothing"),
    Share.PART: mark("a part"),
    Share.FULL: mark("in full"),
}
_ANY = (None, mark("any"))
_WORDS_LINES = 6  # width of the field for words, in heights of a line


class _Words(QLineEdit):
    """As wide as a word or two: the row of filters has no room for Qt's usual one."""

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().height() * _WORDS_LINES, super().sizeHint().height())


class FilterRow(QWidget):
    """Chooses sentences by system, share, rank, state and words."""

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys: frozenset[Key] | None = None
        self._length: str | None = None
        self.about: Callable[[], str] = str
        self.system, self.right, self.rank = ElidedComboBox(), ElidedComboBox(), ElidedComboBox()
        self.share = called(ElidedComboBox(), mark("How much of a sentence the system has"))
        self.state = ElidedComboBox()
        self.text = called(_Words(), mark("Words in the sentence"))
        self.unfold, self._count = ElidedButton(), LiveLabel()
        self.clear = push_button(mark("All sentences"), self.forget)
        self.unfold.setCheckable(True)
        pressed_by_enter(self.unfold)
        self._count.setProperty("look", "muted")
        fill(self.share, ChoiceField(messages=[*_SHARES.items()]))
        fill(self.state, ChoiceField(messages=(_ANY, *STATE_NAMES.items())))
        self._offer((), ())
        for box in (self.system, self.share, self.right, self.rank, self.state):
            box.activated.connect(self._on_chosen)
        self.share.setEnabled(False)
        self.text.textChanged.connect(self._on_chosen)
        self._choices = (
            titled(mark("Lost by"), self.system, self.share, name=mark("Whose loss is counted")),
            titled(mark("while right is"), self.right, name=mark("System that has all of it")),
            titled(mark("Rank"), self.rank),
            titled(mark("State"), self.state, name=mark("State of the sentence")),
            self.text,
        )
        groups = (self.unfold, *self._choices, self.clear, self._count)
        line_px = self.fontMetrics().height()
        flow = spaced(FlowLayout(self), self, *groups)
        flow.setContentsMargins(line_px, 0, line_px, line_px // 2)
        self._is_low = False
        self.unfold.toggled.connect(self._show_choices)
        bind(self.text, "placeholderText", mark("any words"))
        follow(self, self._write_unfold)
        self._show_choices()

    @property
    def wanted(self) -> SentenceFilter:
        return SentenceFilter(
            system=self.system.currentData() or "",
            share=self.share.currentData() if self.system.currentData() else Share.ANY,
            right=self.right.currentData() or "",
            rank=self.rank.currentData(),
            state=self.state.currentData(),
            length=self._length,
            text=self.text.text().strip(),
            keys=self._keys,
        )

    @property
    def told(self) -> str:
        """Describes what no box of the filter shows; empty = nothing."""
        return " · ".join(filter(None, (self._length, self.about())))

    def fold(self, is_low: bool) -> None:
        """Folds the choices into a button where the page is low."""
        if is_low is not self._is_low:
            self._is_low = is_low
            self._show_choices()

    def show_filter(self, wanted: SentenceFilter, about: Callable[[], str] = str) -> None:
        self._keys, self._length, self.about = wanted.keys, wanted.length, about
        pairs: tuple[tuple[QComboBox, object], ...] = (
            (self.system, wanted.system or None),
            (self.share, wanted.share),
            (self.right, wanted.right or None),
            (self.rank, wanted.rank),
            (self.state, wanted.state),
        )
        for box, value in pairs:
            at = box.findData(value)
            if at < 0 and isinstance(value, str):  # it may be in pending results
                box.addItem(value, value)
                at = box.count() - 1
            box.setCurrentIndex(max(0, at))
        self.share.setEnabled(bool(wanted.system))
        with QSignalBlocker(self.text):
            self.text.setText(wanted.text)
        self.chosen.emit()

    def choose_sentences(self, keys: frozenset[Key], about: Callable[[], str]) -> None:
        self.show_filter(replace(self.wanted, keys=keys), about)

    def forget(self) -> None:
        """Clears the filter, except for the system."""
        self.show_filter(SentenceFilter(system=self.wanted.system))

    def offer(self, found: Inspection, systems: Sequence[str]) -> None:
        ranks = sorted({one.rank for one in found.sentences if one.rank is not None})
        self._offer(systems, ranks)
        self._write_unfold()

    def _offer(self, systems: Sequence[str], ranks: Sequence[str]) -> None:
        for box, first, names in (
            (self.system, (None, mark("no system")), systems),
            (self.right, (None, mark("any system")), systems),
            (self.rank, _ANY, ranks),
        ):
            fill_names(box, names, first)

    def show_count(self, n_shown: int, n_all: int) -> None:
        text = ntr("{n} sentence", "{n} sentences", n_all)
        if n_shown != n_all:
            text = ntr("{shown} of {n} sentence", "{shown} of {n} sentences", n_all, shown=n_shown)
        self._count.setText(" · ".join(filter(None, (self.told, text))))
        is_any = replace(self.wanted, system="") != SentenceFilter()
        self.clear.setEnabled(is_any)
        self._write_unfold()

    def _show_choices(self) -> None:
        self.unfold.setVisible(self._is_low)
        for group in self._choices:
            group.setVisible(self.unfold.isChecked() or not self._is_low)
        self._write_unfold()

    def _write_unfold(self) -> None:
        if self.unfold.isChecked():
            self.unfold.setText(tr("Hide the filters"))
            return
        boxes = (self.system, self.share, self.right, self.rank, self.state)
        chosen = [box.currentText() for box in boxes if box.isEnabled() and box.currentIndex() > 0]
        parts = [*chosen, *filter(None, [self.wanted.text])]
        said = tr("Filters: {chosen}", chosen=" · ".join(parts)) if parts else tr("Filters…")
        self.unfold.setText(said.replace("&", "&&"))
        self.unfold.setToolTip(said if parts else "")

    def _on_chosen(self) -> None:
        self.share.setEnabled(bool(self.system.currentData()))
        self.chosen.emit()


_MOST_AT_FIRST: Final = 100  # topics of which all are shown when the page is; of more, one


class Controls(QWidget):
    """Selection of what is inspected."""

    topicChosen = Signal(object)  # id of the topic, or None for all
    optionsChosen = Signal(object)  # the `InspectOptions`
    copyChosen = Signal()

    def __init__(self, session: CorpusSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.topics = TopicButton(session, first=lambda: [("", tr("All topics"))])
        self._annotators = called(ElidedComboBox(), mark("Annotator"))
        self._topic_label = label_for(mark("Topic"), self.topics)
        self._annotator_label = label_for(mark("Annotator"), self._annotators)
        whole = mark("Look at all of an extract, not only its first h sentences.")
        self._whole = written(QCheckBox(), mark("Whole extract"), whole)
        self._is_filled = False
        self.copy = push_button(mark("Copy table"), self.copyChosen, mark("Tab-separated (Ctrl+C)"))
        self._lay_out()
        self.topics.chosen.connect(self.choose_topic)
        self._annotators.activated.connect(self._on_options_changed)
        self._whole.toggled.connect(self._on_options_changed)
        self.refill()
        follow(self, lambda: self.topics.set_title(tr("Topic")))

    @property
    def topic_id(self) -> str | None:
        """The topic; None = all."""
        return self.topics.topic_id or None

    def choose_topic(self, topic_id: str) -> None:
        self.topics.show_topic(topic_id)
        self.topicChosen.emit(self.topic_id)

    def refill(self) -> None:
        session = self._session
        firsts = [(FIRST_ANNOTATOR, mark("First of each abstract"))]
        firsts += [(AnnotatorChoice.GOLD.value, mark("Gold"))] if session.has(Part.GOLD) else []
        others = [(value, name) for name, value in annotator_values(session.annotators())]
        fill(self._annotators, ChoiceField(others, messages=firsts))
        known = self._session.topic(self.topics.topic_id or self._begun_at())
        self._is_filled = True
        self.topics.show_topic(known.id if known is not None else "")
        has_choice = self._annotators.count() > 2
        self._annotators.setVisible(has_choice)
        self._annotator_label.setVisible(has_choice)

    def _begun_at(self) -> str:
        """Returns the first topic: that of the Annotate page, where all take long."""
        session = self._session
        is_much = not self._is_filled and len(session.topic_ids()) > _MOST_AT_FIRST
        return session.topic_in_sight if is_much else ""

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        layout = spaced(QHBoxLayout(self), self, self._topic_label)
        # With large letters the annotator shrinks, or the window would outgrow the screen.
        self._annotators.setMinimumWidth(line_px * 5)
        self._annotators.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.topics.stand_in(layout)
        layout.addWidget(self._annotator_label)
        layout.addWidget(self._annotators, 1)
        layout.addWidget(self._whole)
        layout.addStretch()
        layout.addWidget(self.copy)

    def _on_options_changed(self) -> None:
        self.optionsChosen.emit(
            InspectOptions(
                is_whole_extract=self._whole.isChecked(),
                annotator=self._annotators.currentData() or FIRST_ANNOTATOR,
            )
        )
