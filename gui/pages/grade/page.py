"""The Grade page: source sentences at the left, extract and grades at the right."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QStackedWidget, QVBoxLayout, QWidget

from awase.core.analysis.grading import BestExtract
from awase.core.errors import AwaseError
from awase.core.metrics.extracts.scorers import EVERYTHING
from awase.core.records.score import Score
from awase.core.records.source import SentenceRef
from awase.core.reports.grid import change_text, decimal_text, typeset
from awase.core.text.encoding import decode
from awase.core.text.script import length_of, usual_unit
from awase.gui.kit.commands import CommandKeys, HandsFocusOn
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import ask_file, ask_text, fill, fill_names
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Button, ChoiceField, Field, Note, Number, Part, Row
from awase.gui.kit.grid.grid import GridView, ShadeDelegate, SharingSplitter
from awase.gui.kit.i18n import LiveLabel, ReadOut, bind, follow, mark, ntr, problem_text, tr
from awase.gui.kit.look.fitting import ElidedComboBox, FoldedLabel, unbroken
from awase.gui.kit.look.flow import called, holding, label_for, spaced, stacked, styled, titled
from awase.gui.kit.notices import EmptyLabel
from awase.gui.kit.number_explanation import declare_text
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.pages.grade import PAGE
from awase.gui.pages.grade.composition import (
    BEST_JOB,
    COVERS_JOB,
    TEXTS_JOB,
    Composition,
    change,
    grade_table,
    source_table,
)
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.gui.session.topic_list import TopicButton
from awase.jobs.files.reading import read_file

_MOST = 999
_GOAL = mark("What “best” means")
_MORE, _FEWER = mark("More…"), mark("Fewer")
_TAKE_OVER = mark("Copy a system's extract")
_FROM_FILE = mark("Use the sentences named in a text file")


class Actions(FormPanel):
    """Buttons for the next best sentence, the best extract, import and export."""

    # On low pages they fold into a menu.

    systemChosen = Signal(str)  # copy this system's extract

    def __init__(self, acts: Mapping[str, Callable[[], object]]) -> None:
        """Builds the buttons; `acts` are what they do by their names."""
        sources = self._sources(acts)
        more = Button("more", _MORE, self._on_more)
        super().__init__((Row(*self._best(acts), more, *sources, wraps=True),))
        self._sources_names = [part.name for part in sources]
        self._is_low = self._is_open = False
        self.best, self.paste = self.button("best"), self.button("paste")
        self.most, self.systems = self.widget_as("most", QSpinBox), self.box("systems")
        line_px = self.fontMetrics().height()
        self.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        self.systems.activated.connect(self._on_system_activated)
        self._show_sources()

    @property
    def is_weighted(self) -> bool:
        return self.value("goal") is True

    def offer_systems(self, systems: list[str], h: int | None) -> None:
        """Offers these systems, and h as the size of the best extract."""
        self.offer("systems", _systems(systems), keeps=False)
        self.enable("systems", bool(systems))
        if h:
            self.most.setValue(h)
        for name in ("next", "best"):
            self.enable(name, h is not None)

    def allow(self, is_allowed: bool) -> None:
        """Allows to compose an extract, which needs an abstract."""
        for name in ("paste", "open", "clear", "save"):
            self.enable(name, is_allowed)

    def fold(self, is_low: bool) -> None:
        if is_low is not self._is_low:
            self._is_low = is_low
            self._show_sources()

    def _on_more(self) -> None:
        self._is_open = not self._is_open
        self._show_sources()

    def _show_sources(self) -> None:
        self.show_part("more", self._is_low)
        self.retitle("more", _FEWER if self._is_open else _MORE)
        is_all = self._is_open or not self._is_low
        for name in self._sources_names:
            self.show_part(name, is_all)
        for name in ("by", "goal"):
            self.show_part(name, is_all or self.is_weighted)

    def _best(self, acts: Mapping[str, Callable[[], object]]) -> tuple[Part, ...]:
        goals = ChoiceField(messages=((False, mark("Coverage")), (True, mark("Weighted coverage"))))
        goal = Field("goal", _GOAL, goals, tip=_GOAL, is_title_shown=False)
        best_tip = mark(
            "Replace the extract by one of at most this many sentences that provably covers most."
        )
        next_tip = mark("Add the sentence that adds most (N)")
        allowed = Number(1, 1, _MOST)
        return (
            Button("next", mark("Best next"), acts["next"], tip=next_tip),
            Button("best", mark("Best extract of"), acts["best"], tip=best_tip),
            Field("most", mark("Sentences allowed"), allowed, is_title_shown=False),
            Row(Note(mark("by"), name="by", look=""), goal),
        )

    def _sources(self, acts: Mapping[str, Callable[[], object]]) -> tuple[Field | Button, ...]:
        paste_tip = mark("Use the sentences named in the clipboard (Ctrl+V)")
        return (
            Field("systems", _TAKE_OVER, _systems(()), is_title_shown=False),
            Button("paste", mark("Paste"), acts["paste"], tip=paste_tip),
            Button("open", mark("From a file…"), acts["open"], tip=_FROM_FILE),
            Button("clear", mark("Clear"), acts["clear"]),
            Button("save", mark("Save as a system…"), acts["save"]),
        )

    def _on_system_activated(self, at: int) -> None:
        if at > 0:
            self.systemChosen.emit(self.systems.itemText(at))


def _systems(names: Sequence[str]) -> ChoiceField:
    return ChoiceField([(name, name) for name in names], messages=((None, _TAKE_OVER),))


GRADE_JOBS = (COVERS_JOB, BEST_JOB, TEXTS_JOB)
_MOST_CHARACTERS = 100_000
_FEW_LINES = 25  # so many lines of letters, and every button in sight would leave too few rows
_MOST_GRADES = 0.4  # share of the height that the grades have below the sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class _Graded:
    place: tuple[str, str, str]  # ids of topic, abstract and annotator
    extract: tuple[SentenceRef, ...]
    coverage: Fraction | None  # its coverage for the first goal; None = undefined


class _Texts(ReadOut, FoldedLabel):
    """Is read out, and can be folded to one line."""


class GradePage(HandsFocusOn, CommandKeys, QWidget):
    """Compose an extract by hand, with live metrics."""

    jobs = GRADE_JOBS

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.add_commands("grade", PAGE.commands, services.keys.keys)
        self._session = session
        self._services = services
        self.composition = Composition(session, services.jobs, self)
        self.own_steps = self.composition.steps
        self.topics = TopicButton(session)
        self.abstracts, self.compared = ElidedComboBox(), ElidedComboBox()
        self.actions_row = Actions(
            {
                "next": self.add_best,
                "best": self._on_best_chosen,
                "paste": self.paste,
                "open": lambda: ask_file(self, tr(_FROM_FILE), self.open_file),
                "clear": lambda: self.composition.set_extract(()),
                "save": self._on_save_chosen,
            }
        )
        self.sources = called(GridView(), mark("Source sentences"))
        self.grades = called(GridView(), mark("Grades"))
        self.sources.way = mark("Enter adds or removes the sentence.")
        for grid in (self.sources, self.grades):
            grid.setItemDelegate(ShadeDelegate(services.themes, grid))
            grid.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        self._facts, self._said = (styled(LiveLabel(), wraps=True) for _ in range(2))
        self._texts = styled(_Texts(), "muted", wraps=True)
        coverage = mark(
            "Coverage: the mean of e(i) over the abstract's sentences that count, of the first h "
            "sentences of the extract; in brackets, what the last change brought."
        )
        declare_text(self._facts, lambda: tr(coverage))
        declare_text(self._texts, self._texts.toolTip)
        nothing = mark("Nothing to grade against yet: write or import an abstract.")
        self._empty = bind(EmptyLabel(), "text", nothing)
        self._graded: _Graded | None = None
        self._moved: Fraction | None = None
        self._lay_out()
        self._connect()
        follow(self, self._write_texts)

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.topics.show_topic(self.composition.topic.id if self.composition.topic else "")
        if self.composition.topic is None:
            self.composition.go_to(self._session.topic_in_sight or None, None)
        self.composition.watch(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() < _FEW_LINES * self.fontMetrics().height()
        for part in (self.actions_row, self._texts):
            part.fold(is_low)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.composition.watch(False)

    # What the user does

    def toggle_current(self) -> None:
        ref = self._current_ref()
        if ref is not None:
            self.composition.toggle(ref)

    def add_best(self) -> None:
        if not self.composition.goals:
            return
        ref = self.composition.add_best(weighted=self.actions_row.is_weighted)
        if ref is None:
            self.show_message(self._why_none_is_best())
        else:
            self._choose(ref)

    def _why_none_is_best(self) -> str:
        goal, extract = self.composition.goals[0], self.composition.extract
        is_defined = goal.values(extract, EVERYTHING).weighted_coverage is not None
        if self.actions_row.is_weighted and not is_defined:
            return problem_text(goal.why_undefined("weighted-coverage"))
        return tr("No sentence adds anything to what is covered.")

    def paste(self) -> None:
        self._take(QGuiApplication.clipboard().text())

    def save_as(self, system: str) -> None:
        try:
            is_saved = self.composition.save(system)
        except AwaseError as error:
            self._show(error)
            return
        if is_saved:
            self.show_message(
                tr("Saved as the extract of “{system}”; it can be undone.", system=system)
            )

    def show_message(self, text: str) -> None:
        self._said.setVisible(bool(text))
        self._said.setText(text)

    # Layout and connections

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        top = spaced(QHBoxLayout(), self, label_for(mark("Topic"), self.topics))
        top.setContentsMargins(line_px, line_px // 2, line_px, line_px // 3)
        self.topics.stand_in(top)
        top.addWidget(titled(mark("Abstract"), self.abstracts))
        top.addWidget(titled(mark("Compare with"), self.compared))
        top.addStretch()
        below = QVBoxLayout()
        below.setContentsMargins(line_px, line_px // 3, line_px, line_px // 2)
        for label in (self._facts, self._texts, self._said):
            below.addWidget(label)
        self._said.hide()
        both = SharingSplitter(self._height_of_sources, Qt.Orientation.Vertical)
        self._both = holding(both, self.sources, self.grades)
        self._body = holding(QStackedWidget(), self._both, self._empty)
        stacked(self, top, self.actions_row, self._body, below, grows=self._body)
        self.hand_focus_to(self.sources)

    def _height_of_sources(self) -> int:
        """Returns what the grades do not need, and at least their share."""
        room = self._both.room_px()
        return room - min(self.grades.preferred_height_px(), round(room * _MOST_GRADES))

    def _connect(self) -> None:
        composition = self.composition
        composition.placeChanged.connect(self._show_place)
        composition.renewed.connect(lambda: self.show_message(""))
        composition.graded.connect(self._show_grades)
        composition.textsScored.connect(self._show_texts)
        composition.bestFound.connect(self._on_best)
        composition.sentenceChanged.connect(self._choose)
        composition.failed.connect(self._show)
        self.topics.chosen.connect(lambda topic: composition.go_to(topic, None))
        self.abstracts.activated.connect(
            lambda: composition.go_to(self.topics.topic_id, self.abstracts.currentData())
        )
        self.compared.activated.connect(self._show_grades)
        self.sources.doubleClicked.connect(self.toggle_current)
        self.actions_row.systemChosen.connect(self._on_system_chosen)
        self._services.themes.changed.connect(self._show_grades)

    # Showing

    def _show_place(self) -> None:
        topic, abstract = self.composition.topic, self.composition.abstract
        options = [(one.id, one.length or one.id) for one in (topic.abstracts if topic else ())]
        shown = ChoiceField(options, value=abstract.id if abstract else None)
        fill(self.abstracts, shown, keeps=False)
        fill_names(self.compared, self.composition.systems(), (None, mark("no system")))
        if topic is not None:
            self.topics.show_topic(topic.id)
        h = self.composition.goals[0].h if self.composition.goals else None
        self.actions_row.offer_systems(list(self.composition.systems()), h)
        self.actions_row.allow(abstract is not None)
        self._body.setCurrentIndex(0 if topic is not None and abstract is not None else 1)

    def _show_grades(self) -> None:
        composition = self.composition
        topic, extract, goals = composition.topic, composition.extract, composition.goals
        self._facts.setText(self._facts_text())
        if topic is None or composition.abstract is None:
            return
        ref = self._current_ref()
        scroll = self.sources.verticalScrollBar().value()
        effects, goal = composition.sentence_effects(), next(iter(goals), None)
        self.sources.show_grid(source_table(topic, extract, effects, goal), [*topic.refs()])
        if ref is not None:
            self._choose(ref)
        self.sources.verticalScrollBar().setValue(scroll)
        compared = composition.systems().get(self.compared.currentData() or "")
        self.grades.show_grid(grade_table(goals, extract, compared))
        self._both.share_out()

    def _facts_text(self) -> str:
        topic, abstract = self.composition.topic, self.composition.abstract
        extract, goals = self.composition.extract, self.composition.goals
        if topic is None or abstract is None:
            return ""
        texts = {ref: sentence.text for ref, sentence in topic.sentences()}
        sentences = [texts[ref] for ref in extract]
        unit = abstract.limit.unit if abstract.limit else usual_unit(topic.language)
        parts = [ntr("{n} sentence", "{n} sentences", len(extract))]
        size = length_of(sentences, unit) if sentences else 0
        if unit == "characters":
            parts.append(ntr("{n} character", "{n} characters", size))
        elif unit == "words":
            parts.append(ntr("{n} word", "{n} words", size))
        if not goals:
            parts.append(
                tr("you have not linked anything in this abstract yet")
                if self._session.hides_others(topic)
                else tr("nobody has linked anything in this abstract yet")
            )
            return "   ".join(parts)
        goal = goals[0]
        now = goal.values(extract, "h").coverage
        place = topic.id, abstract.id, goal.annotator
        self._note_change(_Graded(place=place, extract=extract, coverage=now))
        text = tr("Coverage for {who}: {value}", who=goal.annotator, value=decimal_text(now))
        if self._moved is not None:
            text += f" ({typeset(change_text(self._moved))})"
        if len(extract) > goal.h:
            text += "   " + ntr(
                "only the first {n} sentence counts", "only the first {n} sentences count", goal.h
            )
        return "   ".join([*parts, text])

    def _note_change(self, now: "_Graded") -> None:
        before, self._graded = self._graded, now
        if before is None or before.place != now.place:
            self._moved = None
        elif before != now:
            self._moved = change(now.coverage, before.coverage)

    def _show_texts(self, scores: Sequence[Score]) -> None:
        shown = [score for score in scores if score.value is not None]
        values = [f"{score.metric} {decimal_text(score.value)}" for score in shown]
        self._texts.setText("   ".join(map(unbroken, values)))
        self._texts.setToolTip("\n".join(dict.fromkeys(score.signature for score in shown)))

    def _choose(self, ref: SentenceRef) -> None:
        if ref in self.sources.items:
            self.sources.choose(self.sources.items.index(ref), 2)

    def _current_ref(self) -> SentenceRef | None:
        ref: SentenceRef | None = self.sources.item()
        return ref

    def move_current(self, by: int) -> None:
        ref = self._current_ref()
        if ref in self.composition.extract:
            self.composition.move(self.composition.extract.index(ref), by)

    # What came

    def _take(self, text: str) -> None:
        try:
            self.composition.paste(text[:_MOST_CHARACTERS])
        except AwaseError as error:
            self._show(error)

    def _on_system_chosen(self, system: str) -> None:
        extract = self.composition.systems().get(system)
        if extract is not None:
            self.composition.set_extract(extract.sentences)

    def _on_best_chosen(self) -> None:
        most = self.actions_row.most.value()
        self.show_message(
            ntr(
                "Looking for the best extract of {n} sentence…",
                "Looking for the best extract of {n} sentences…",
                most,
            )
        )
        self.composition.find_best(most, weighted=self.actions_row.is_weighted)

    def _on_best(self, found: BestExtract) -> None:
        value, bound = decimal_text(found.value), decimal_text(found.bound)
        text = tr("Proved: no extract of this size has more than {value}.", value=value)
        if not found.is_proved:
            text = tr("The best found has {value}; none has more than {bound}.",
                      value=value, bound=bound)  # fmt: skip
        self.show_message(text)

    def open_file(self, path: Path) -> None:
        try:
            text = decode(read_file(path)[: 4 * _MOST_CHARACTERS]).text
        except OSError as error:
            self.show_message(
                tr("“{path}” cannot be read ({error}).", path=str(path), error=str(error))
            )
            return
        except AwaseError as error:
            self._show(error)
            return
        self._take(text)

    def _on_save_chosen(self) -> None:
        proposed = self._session.who and f"{self._session.who}-extract"
        label = tr("Name of the system")
        ask_text(self, tr("Save as a system"), label, self.save_as, proposed)

    def _show(self, error: BaseException) -> None:
        problems = problems_of(error)
        if len(problems) == 1:
            self.show_message(problem_text(problems[0]))
        elif problems:
            ProblemsDialog.show_for(self, mark("The extract is unchanged."), problems)

    def _write_texts(self) -> None:
        self.show_message("")
        self._show_grades()
