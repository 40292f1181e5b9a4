"""Status strip below the panes: live h, the selected system's scores, saving, annotator."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QWidget

from awase.core.errors import CorpusFormatError, Listing
from awase.core.metrics.extracts.scorers import VALUES
from awase.core.records.abstract import Alignment
from awase.core.reports.grid import UNDEFINED, change_text, decimal_text, typeset
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import ChoiceField, Field, Form
from awase.gui.kit.i18n import (
    ReadOut,
    announce,
    bind,
    follow,
    labelled,
    listed,
    mark,
    ntr,
    problem_text,
    tr,
)
from awase.gui.kit.look.fitting import ElidedButton, ElidedComboBox, ElidedLabel
from awase.gui.kit.look.flow import called, spaced, styled
from awase.gui.kit.look.stylesheet import set_look
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.pages.annotate.live_results import LiveResults, LiveState

_SHORT: Final[Mapping[str, str]] = {
    "precision": mark("P"),
    "coverage": mark("Cov"),
    "weighted-coverage": mark("WC"),
}
_LONG: Final[Mapping[str, str]] = {
    "precision": mark("Precision"),
    "coverage": mark("Coverage"),
    "weighted-coverage": mark("Weighted coverage"),
}


class _Remark(ReadOut, ElidedLabel):
    """Is read out, and ends with … where it has no room."""


class AnnotatorButton(ElidedButton):
    """Menu of annotators, and of a new name."""

    chosen = Signal(str)
    otherChosen = Signal()  # a name is wanted that is not in the list

    def __init__(self, people: Callable[[], Sequence[str]]) -> None:
        """Takes a provider of annotators."""
        super().__init__()
        self._people = people
        self._who = ""
        self.setProperty("look", "row")
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        follow(self, self._write_texts)

    def set_who(self, who: str) -> None:
        self._who = who
        self._write_texts()

    def _fill(self) -> None:
        self._menu.clear()
        for name in dict.fromkeys((self._who, *self._people())):
            action = self._menu.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name == self._who)
            action.triggered.connect(lambda _=False, name=name: self.chosen.emit(name))
        self._menu.addSeparator()
        self._menu.addAction(tr("Another name…")).triggered.connect(self.otherChosen)

    def _write_texts(self) -> None:
        self.setText(tr("annotator {who}", who=self._who.replace("&", "&&")))
        self.set_short(self._who.replace("&", "&&"))
        self.setToolTip(tr("Whose alignment you are working on; choose somebody else here"))
        self.setAccessibleName(tr("annotator {who}", who=self._who))


class AnnotatorDialog(FormDialog):
    """Selects a known name, or enters a new one."""

    chosen = Signal(str)

    def __init__(self, who: str, people: Sequence[str], parent: QWidget | None = None) -> None:
        self._people = tuple(people)
        names = [(name, name) for name in dict.fromkeys((who, *people))]
        kind = ChoiceField(names, who, is_open=True)
        form = Form(
            title=mark("Annotator"),
            parts=(Field("who", mark("Whose alignment are you working on?"), kind, is_above=True),),
            accept=mark("OK"),
            width=26,
        )
        super().__init__(form, parent)
        edit = self.fields.box("who").lineEdit()
        if edit is not None:
            edit.selectAll()

    @property
    def name(self) -> str:
        return self.fields.text("who")

    def verdict(self) -> Verdict:
        try:
            Alignment(annotator=self.name)
        except CorpusFormatError as error:
            return refused(problem_text(error.problems[0]))
        if self.name not in self._people:
            return Verdict(tr("“{who}” is new in this corpus.", who=self.name))
        return Verdict(tr("Each annotator has their own alignment and undo list."))

    def submit(self) -> None:
        self.chosen.emit(self.name)
        self.accept()


class Strip(QFrame):
    """Live results; selects the system and the annotator."""

    systemChosen = Signal(str)
    newsChosen = Signal()  # what others changed in sight is to be shown

    def __init__(self, live: LiveResults, who: AnnotatorButton) -> None:
        super().__init__()
        self.setProperty("look", "strip")
        self._live = live
        self._cover = styled(QLabel(), "heading")
        self._covers_text = styled(ElidedLabel(), "muted")
        self._system = called(ElidedComboBox(), mark("System whose scores are shown"))
        self._scores = {metric: QLabel() for metric in VALUES}
        self._provisional, self._message = styled(QLabel(), "warning"), _Remark()
        self._numbers = QWidget()
        self._read_out = ""
        declare(self._cover, self._why_cover)
        for label in self._scores.values():
            declare(label, partial(self._why_score, label))
        self._saved, self.who = QLabel(), who
        self._news_by, self._news_key = tuple[str, ...](), ""
        self.news = ElidedButton()
        self.news.setProperty("look", "row")
        self.news.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves it at the sentence
        self.news.clicked.connect(self.newsChosen)
        self.news.hide()
        self._lay_out()
        self._system.activated.connect(lambda _: self.systemChosen.emit(self.system))
        live.changed.connect(self._show_live)
        bind(self._system, "toolTip", mark("System whose scores are shown"))
        follow(self, self._write_texts)

    @property
    def system(self) -> str:
        """The chosen system; empty when there is none."""
        return self._system.currentText()

    def next_system(self) -> None:
        if self._system.count():
            self._system.setCurrentIndex((self._system.currentIndex() + 1) % self._system.count())
            self.systemChosen.emit(self.system)

    def show_message(self, message: str, *, look: str = "muted") -> None:
        """Shows a message until the next one; empty clears it."""
        set_look(self._message, look)
        self._message.setText(message)
        self._make_room()

    def show_news(self, by: tuple[str, ...], key: str) -> None:
        """Shows who changed what is in sight, and the key to reload it."""
        self._news_by, self._news_key = by, key
        self.news.setVisible(bool(by))
        names = listed(filter(None, by)) or tr("Somebody")
        text = tr("{who} changed this: {key} shows it", who=names, key=key)
        self.news.setText(text if by else "")
        self.news.setAccessibleName(text)

    def show_saved(self, text: str, *, look: str) -> None:
        """Shows whether everything is stored."""
        if look == "danger" and text != self._saved.text():
            announce(self, text, is_urgent=True)
        set_look(self._saved, look)
        self._saved.setText(text)

    def _lay_out(self) -> None:
        line = self.fontMetrics().height()
        # With large letters, words give way to numbers.
        self._system.setMinimumWidth(line * 3)
        self._message.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._message.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        numbers = spaced(
            QHBoxLayout(self._numbers), self, self._covers_text, self._system,
            *self._scores.values(), self._provisional, across=0, down=0, between=1 / 4,
        )  # fmt: skip
        for at in (2, 1):  # on both sides of the system
            numbers.insertSpacing(at, line // 4)
        parts = (self._cover, self._numbers, self._message, self.news, self._saved, self.who)
        self._row = spaced(
            QHBoxLayout(self), self, *parts, grows=self._message,
            across=1 / 2, down=1 / 4, between=1 / 4,
        )  # fmt: skip

    def _write_texts(self) -> None:
        self._show_live()
        self.show_news(self._news_by, self._news_key)

    def _show_live(self) -> None:
        state = self._live.state
        self._show_cover(state)
        self._show_systems(state)
        for metric, label in self._scores.items():
            self._show_score(state, metric, label)
        self._show_provisional(state)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Hides the numbers while a message needs the room."""
        text, margins, gap = self._message.text(), self._row.contentsMargins(), self._row.spacing()
        beside = (self._cover, self.news, self._saved)
        taken = sum(one.sizeHint().width() + gap for one in beside if not one.isHidden())
        room = self.width() - margins.left() - margins.right() - taken - self.who.whole_width()
        needed = self._message.fontMetrics().horizontalAdvance(text) + gap
        size = self._numbers.sizeHint()
        in_use = self._numbers.isAncestorOf(QApplication.focusWidget() or self)
        self._numbers.setVisible(not text or in_use or needed + size.width() <= room)
        shown = 0 if self._numbers.isHidden() else size.width()
        self.who.shorten(shown + 2 * gap + (needed if text else 0) > room)
        self._cover.setMinimumHeight(size.height())  # the page must not move for a remark

    def _show_cover(self, state: LiveState) -> None:
        self._cover.setText(_cover_text(state))
        self._covers_text.setText(_covers_text(state))
        self._cover.setToolTip(
            tr("h: the fewest source sentences that make every abstract sentence possible")
        )
        self._read_cover_out(state)
        self._cover.setVisible(state.has_abstract)
        self._covers_text.setVisible(state.has_abstract)

    def _read_cover_out(self, state: LiveState) -> None:
        """Announces a new h to screen readers, once it is known."""
        text = self._cover_told()
        if state.is_searching or text == self._read_out:
            return
        self._read_out = text
        if state.lower is not None:
            announce(self, text)

    def _cover_told(self) -> str:
        return f"{self._cover.text()} {self._covers_text.text()}".strip()

    def _why_cover(self) -> Why | None:
        """Explains h and its proof."""
        state = self._live.state
        if not state.has_abstract:
            return None
        is_proved = state.lower is not None and state.lower == state.upper
        proof = tr("Proved: no smaller set of source sentences covers every sentence.")
        return Why(
            name=self._cover_told(),
            lines=(
                self._cover.toolTip(),
                proof if is_proved else "",
                self._provisional.toolTip(),
            ),
        )

    def _why_score(self, label: QLabel) -> Why | None:
        """Explains a score: annotator, signature."""
        state = self._live.state
        if not state.systems:
            return None
        rests = tr("Of the extract of {system}, on your current alignment.", system=self.system)
        return Why(name=label.text(), lines=(label.toolTip(), rests, self._provisional.toolTip()))

    def _show_systems(self, state: LiveState) -> None:
        box, systems = self._system, state.systems
        with QSignalBlocker(box):
            if tuple(box.itemText(row) for row in range(box.count())) != systems:
                box.clear()
                box.addItems(list(systems))
            box.setCurrentIndex(box.findText(self._live.system))
        box.setVisible(bool(systems))

    def _show_score(self, state: LiveState, metric: str, label: QLabel) -> None:
        label.setVisible(bool(state.systems))
        values = state.values
        value = values.of(metric) if values else None
        name = tr(_SHORT[metric])
        if value is None:
            label.setText(f"{name} {UNDEFINED}" if values or state.cover_is_known else f"{name} …")
            reason = state.reason(metric)
            label.setToolTip(problem_text(reason) if reason else "")
            return
        change = state.change(metric)
        text = f"{name} {decimal_text(value)}"
        label.setText(f"{text} ({typeset(change_text(change))})" if change else text)
        label.setToolTip(labelled(tr(_LONG[metric]), f"{value} = {float(value):.6f}"))

    def _show_provisional(self, state: LiveState) -> None:
        is_shown = state.is_provisional and state.has_abstract
        self._provisional.setVisible(is_shown)
        self._provisional.setText(tr("provisional"))
        lines = []
        if state.skipped:
            numbers = Listing(state.skipped)
            lines.append(tr("Left out, as they have no alternative: {n}", n=numbers))
        if state.unsettled:
            lines.append(tr("Not confirmed: {n}", n=Listing(state.unsettled)))
        self._provisional.setToolTip("\n".join(lines))


def _cover_text(state: LiveState) -> str:
    if state.lower is not None and state.lower == state.upper:
        return f"h = {state.upper}"
    if state.lower is None:
        return f"h = {UNDEFINED}" if state.cover_is_known else "h = …"
    return f"h = [{state.lower}, {state.upper}]"


def _covers_text(state: LiveState) -> str:
    if not state.cover_is_known:
        return tr("computing …") if state.is_searching else tr("not proved in time")
    if state.n_covers is None:
        return ""
    if state.is_count_exact:
        return ntr("({n} minimal cover)", "({n} minimal covers)", state.n_covers)
    return tr("({n} or more minimal covers)").format(n=state.n_covers)
