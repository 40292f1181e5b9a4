"""People tab: members, assignments, progress."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTabWidget, QVBoxLayout, QWidget

from awase.core.errors import AwaseError, Listing, Reporter
from awase.core.records.abstract import AssistSettings
from awase.core.records.corpus import Corpus, Person, is_shared_out
from awase.core.records.edits import ASSIGN, EDIT_PROJECT
from awase.core.reports.grid import UNDEFINED, Cell, Column, Grid, decimal_text, grid_of, text_cell
from awase.core.reports.study_report import has_help, names_text, progress_csv
from awase.core.team.assigning import (
    LEAD,
    handed_over,
    may_lead,
    unassigned,
    with_person,
    without_person,
)
from awase.core.team.progress import PersonProgress
from awase.gui.kit.commands import CommandKeys, HandsFocusOn
from awase.gui.kit.defects import error_text
from awase.gui.kit.forms.controls import open_once
from awase.gui.kit.grid.grid import GridView, ShadeDelegate
from awase.gui.kit.grid.model import ask_and_write
from awase.gui.kit.i18n import LiveLabel, follow, joined_sentences, labelled, listed, mark, ntr, tr
from awase.gui.kit.look.flow import (
    FlowLayout,
    called,
    push_button,
    spaced,
    stacked,
    styled,
    titled_tabs,
)
from awase.gui.kit.notices import JobStrip, Recomputes
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.pages.project import PAGE
from awase.gui.pages.project.dialogs import ROLES, AssignDialog, AssistanceDialog, PersonDialog
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.gui.session.topic_list import TopicView
from awase.jobs.team.assisting import with_assist
from awase.jobs.team.project_reports import ProjectProgress, study_progress


def about_text(corpus: Corpus, who: str) -> str:
    if not corpus.persons:
        return tr("No people are listed: anyone who opens the corpus can do everything.")
    left = len(unassigned(corpus))
    parts = [
        tr("Others' work is hidden from annotators.")
        if corpus.is_blind
        else tr("Annotators see others' work on the sentences that they settled.")
    ]
    if not is_shared_out(corpus.assignments):
        parts.append(tr("Nothing is assigned: everybody has all topics."))
    elif left:
        parts.append(ntr("{n} abstract is not assigned.", "{n} abstracts are not assigned.", left))
    parts.append(_help_text(corpus.assist))
    if not may_lead(corpus, who):
        parts = [tr("You see your own row; the project lead sees all."), parts[0], parts[-1]]
    return joined_sentences(*parts)


def _help_text(settings: AssistSettings) -> str:
    parts = [tr("Help: level {n}.", n=settings.level)]
    if settings.control_percent:
        parts.append(tr("{n} % of sentences without it.", n=settings.control_percent))
    if settings.decoy_percent:
        parts.append(tr("{n} % of suggestions are wrong on purpose.", n=settings.decoy_percent))
    return joined_sentences(*parts)


def gate_text(found: ProjectProgress) -> str:
    """Describes the progress of the calibration set; empty = none."""
    if found.gate is None:
        return ""
    text = ntr("First, for everybody: {n} abstract.", "First, for everybody: {n} abstracts.",
               len(found.gate.jobs))  # fmt: skip
    left = Listing(f"{who} {n}" for who, n in found.gate.n_left.items() if n)
    rest = tr("Sentences left: {left}.", left=left) if left else tr("Everybody has done it.")
    pairs = [
        f"{names_text(row.annotators)} {decimal_text(row.alpha)}"
        for row in found.gate_rows
        if row.n_items
    ]
    return joined_sentences(text, rest, labelled("α", listed(pairs)) if pairs else "")


_MS: Final = 1000


def people_table(people: Sequence[PersonProgress], today: date) -> Grid:
    is_helped = has_help(people)
    taken = tr("Settled sentences whose suggestion was accepted unchanged")
    decoys = tr("Suggestions wrong on purpose that were accepted, of those seen")
    helped = (Column(title=tr("Taken"), tip=taken), Column(title=tr("Decoys"), tip=decoys))
    columns = (
        Column(title=tr("Person")),
        Column(title=tr("Role")),
        Column(title=tr("Abstracts"), tip=tr("Abstracts done, of those assigned")),
        Column(title=tr("Sentences"), tip=tr("Abstract sentences settled, of those assigned")),
        Column(title=tr("Flags"), tip=tr("Sentences flagged")),
        Column(title="α", tip=tr("Mean agreement with each other person (alternatives)")),
        Column(title=tr("Median s"), tip=tr("Median seconds of work on a sentence")),
        Column(title=tr("p90 s"), tip=tr("Nine in ten sentences took no longer")),
        Column(title=tr("Per hour"), tip=tr("Abstract sentences worked on in an hour")),
        *(helped if is_helped else ()),
        Column(title=tr("Due"), tip=tr("Next due date of unfinished work"), stretches=True),
    )
    return grid_of(columns, [_row(at, one, today, is_helped) for at, one in enumerate(people)])


def _row(at: int, one: PersonProgress, today: date, is_helped: bool) -> Sequence[Cell]:
    name = one.id if one.name == one.id else f"{one.id}  {one.name}"
    role = tr(ROLES[one.role]) if one.role is not None else tr("not named")
    return (
        Cell(text=name, value=at, is_number=False),
        text_cell(role),
        _of(one.n_jobs_done, one.n_jobs, tr("Nothing is assigned.")),
        _of(one.n_settled, one.n_sentences, tr("Nothing is assigned.")),
        Cell(text=str(one.n_flagged or ""), value=one.n_flagged),
        Cell(
            text=decimal_text(one.alpha),
            value=one.alpha,
            shade=None if one.alpha is None else max(0.0, one.alpha),
            tip="" if one.alpha is not None else tr("No value with anybody else is defined."),
        ),
        _number(one.median_ms, 1 / _MS, one),
        _number(one.p90_ms, 1 / _MS, one),
        _number(one.an_hour, 1, one),
        *(_help(one) if is_helped else ()),
        _due(one.due, today),
    )


def _help(one: PersonProgress) -> tuple[Cell, Cell]:
    return (
        _of(one.n_taken, one.n_settled, tr("No sentence is settled yet."), has_shade=False),
        _of(one.n_decoys_taken, one.n_decoys, tr("No decoy was seen yet."), has_shade=False),
    )


def _of(done: int, total: int, why_none: str, *, has_shade: bool = True) -> Cell:
    if not total:
        return Cell(text=UNDEFINED, tip=why_none)
    share = done / total
    return Cell(text=f"{done}/{total}", value=share, shade=share if has_shade else None)


def _number(value: float | None, factor: float, one: PersonProgress) -> Cell:
    if value is None:
        return Cell(text=UNDEFINED, tip=tr("No time was logged."))
    tip = ntr("Of {n} sentence", "Of {n} sentences", one.n_timed)
    return Cell(text=f"{value * factor:.0f}", value=value * factor, tip=tip)


def _due(due: str | None, today: date) -> Cell:
    if due is None:
        return Cell(text="", is_number=False)
    try:
        days = (date.fromisoformat(due[:10]) - today).days
    except ValueError:
        return text_cell(due)
    if days < 0:
        told = ntr("{n} day late", "{n} days late", -days)
    else:
        told = ntr("{n} day", "{n} days", days) if days else tr("today")
    text = tr("{day} ({left})", day=due[:10], left=told)
    return Cell(text=text, value=due, is_number=False)


PROGRESS_JOB = "progress"
_EXACT = 6  # decimals of a number whose exact value is asked for


class PeopleTab(Recomputes, HandsFocusOn, QWidget):
    """Everybody for the lead, and annotators for themselves; changes are undoable."""

    PAUSE_MS = 0

    changed = Signal()  # what is shown is another

    def __init__(self, session: CorpusSession, services: Services) -> None:
        super().__init__()
        self._session, self._services = session, services
        self.found: ProjectProgress | None = None
        self.shown: tuple[PersonProgress, ...] = ()
        self.table = called(GridView(), mark("People"))
        self.table.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        self.table.setItemDelegate(ShadeDelegate(services.themes, self.table))
        self.about = styled(QLabel(), "muted", wraps=True)
        self.gate = styled(QLabel(), wraps=True)
        self.said = styled(LiveLabel(), "warning", wraps=True)
        self.add = push_button(mark("Add a person…"), self.add_person)
        self.edit = push_button(mark("Change…"), self.change_person)
        gone = mark("No longer in the project; what was aligned stays")
        self.remove = push_button(mark("Remove"), self.remove_person, gone)
        self.work = push_button(mark("Assign work…"), self.assign)
        self.rest = push_button(mark("Open the rest…"), self.assign)
        over = mark("Others get what the person has not begun")
        self.over = push_button(mark("Hand over"), self.hand_over, over)
        self.blind = push_button("", self.toggle_blind)
        helped = mark("How annotators are helped")
        self.help = push_button(mark("Help for annotators…"), self.change_assistance, helped)
        self.export = push_button(mark("Export…"), self._ask_file)
        self.strip = JobStrip(
            mark("Stopped: this is the previous state."), again=mark("Check again")
        )
        self._lay_out()
        self._connect()
        follow(self, self._write_texts)

    # What the user does

    def add_person(self) -> None:
        self._ask_person(None)

    def change_person(self) -> None:
        one = self.current()
        if one is not None:
            known = next((p for p in self._session.corpus().persons if p.id == one.id), None)
            self._ask_person(known or Person(id=one.id))

    def remove_person(self) -> None:
        """Removes the selected person from the project; their alignments stay."""
        one = self.current()
        if one is not None and one.role is not None:
            self._change(partial(without_person, person=one.id), EDIT_PROJECT, one.id)

    def assign(self) -> None:
        if self._may_change():
            try:
                worked_at = self._session.store.worked_at()
            except AwaseError as error:
                self._show_problems(error)
                return
            dialog = AssignDialog(self._session.corpus(), self._session.lengths(), worked_at, self)
            dialog.chosen.connect(self.share_out)
            open_once(dialog)

    def share_out(self, people: Sequence[str], change: Callable[[Corpus], Corpus]) -> None:
        self._change(change, ASSIGN, ", ".join(people))

    def change_assistance(self) -> None:
        if self._may_change():
            dialog = AssistanceDialog(self._session.corpus().assist, self)
            dialog.chosen.connect(self._help_by)
            open_once(dialog)

    def _help_by(self, settings: Mapping[str, int]) -> None:
        self._change(lambda corpus: with_assist(corpus, **settings), EDIT_PROJECT, tr("help"))

    def hand_over(self) -> None:
        """Reassigns the selected person's unstarted work to the other annotators."""
        one = self.current()
        if one is not None:
            self._change(partial(handed_over, person=one.id), ASSIGN, one.id)

    def toggle_blind(self) -> None:
        """Hides others' work from annotators, or reveals it once they settled the sentence."""
        is_blind = self._session.corpus().is_blind
        self._change(
            lambda corpus: replace(corpus, is_blind=not is_blind),
            EDIT_PROJECT,
            tr("allow others' work") if is_blind else tr("hide others' work"),
        )

    def current(self) -> PersonProgress | None:
        person: PersonProgress | None = self.table.item()
        return person

    # Layout and connections

    def _lay_out(self) -> None:
        people, works = (self.add, self.edit, self.remove), (self.work, self.over, self.blind)
        work = spaced(FlowLayout(), self, *works, self.help, across=0, down=0)
        above = spaced(QHBoxLayout(), self, *people, None, self.export, across=0, down=0)
        gate = (self.gate, self.rest)
        below = spaced(QHBoxLayout(), self, *gate, grows=self.gate, across=0, down=0)
        parts = (above, work, self.about, below, self.strip, self.table, self.said)
        spaced(stacked(self, *parts, grows=self.table), self)
        self.hand_focus_to(self.table)

    def _connect(self) -> None:
        self.table.selectionModel().currentRowChanged.connect(self._show_buttons)
        self.table.doubleClicked.connect(self.change_person)
        declare(self.gate, self._why_gate)
        self.recompute_on(self._session.changed, self._session.sightChanged)
        self._services.themes.changed.connect(self.table.fit)
        self.strip.againChosen.connect(self.compute)

    # Acts

    def _ask_person(self, person: Person | None) -> None:
        if self._may_change():
            taken = [one.id for one in self._session.corpus().persons]
            dialog = PersonDialog(person, taken, self)
            dialog.chosen.connect(self.take_person)
            open_once(dialog)

    def take_person(self, person: Person) -> None:
        # Whoever names the first people leads: otherwise they would lock themselves out.

        def change(corpus: Corpus) -> Corpus:
            if not corpus.persons and person.id != self._session.who and person.role != LEAD:
                corpus = with_person(corpus, Person(id=self._session.who, role=LEAD))
            return with_person(corpus, person)

        self._change(change, EDIT_PROJECT, person.id)

    def _may_change(self) -> bool:
        if self._session.read_only:
            self._show_message(tr("This corpus is open for reading only; nothing can be changed."))
            return False
        if not may_lead(self._session.corpus(), self._session.who):
            self._show_message(tr("Only the project lead can change it; you are an annotator."))
            return False
        self._show_message("")
        return True

    def _change(self, change: Callable[[Corpus], Corpus], verb: str, subject: str) -> None:
        if not self._may_change():
            return
        try:
            self._session.change(change, verb=verb, subject=subject)
        except AwaseError as error:
            self._show_problems(error)

    def _show_problems(self, error: BaseException) -> None:
        self._show_message(error_text(error))

    def _show_message(self, text: str) -> None:
        self.said.setText(text)
        self.said.setVisible(bool(text))

    # What came

    def compute(self) -> None:
        self.is_stale = False
        self._show_message("")  # of before
        corpus, store = self._session.corpus(), self._session.store

        def work(reporter: Reporter) -> ProjectProgress:
            log, suggestions = store.logged_times(), store.logged_suggestions()
            return study_progress(corpus, log, reporter, suggestions)

        jobs = self._services.jobs
        self.strip.watch(jobs.start(PROGRESS_JOB, work, self._on_found, self._on_failed))

    def _on_found(self, found: ProjectProgress) -> None:
        self.found = found
        self._show()
        self.changed.emit()

    def _on_failed(self, error: BaseException) -> None:
        if self.is_stale:
            return  # an edit meanwhile may be the cause; it is recomputed
        self._show_problems(error)

    def _ask_file(self) -> None:
        text = progress_csv(self.shown)
        ask_and_write(self, tr("Export progress"), Path("progress.csv"), lambda: text)

    def forget(self) -> None:
        self._show()

    # Showing

    def _show(self) -> None:
        if self.found is None:
            return
        before, who, corpus = self.current(), self._session.who, self._session.corpus()
        is_lead = may_lead(corpus, who)
        own = (replace(one, alpha=None) for one in self.found.people if one.id == who)
        self.shown = self.found.people if is_lead else tuple(own)
        self.table.show_grid(people_table(self.shown, date.today()), self.shown)
        ids = [one.id for one in self.shown]
        self.table.choose(ids.index(before.id) if before and before.id in ids else 0)
        self.about.setText(about_text(corpus, who))
        self.gate.setText(gate_text(self.found) if is_lead else "")
        self.gate.setVisible(bool(self.gate.text()))
        gate = self.found.gate
        self.rest.setVisible(is_lead and gate is not None and gate.n_unassigned > 0)
        self._show_buttons()

    def _why_gate(self) -> Why | None:
        rows = [row for row in self.found.gate_rows if row.n_items] if self.found else []
        if not rows or not self.gate.text():
            return None
        lines = [
            labelled(names_text(row.annotators), f"α = {decimal_text(row.alpha, _EXACT)}")
            + " · "
            + ntr("{n} sentence", "{n} sentences", row.n_items)
            for row in rows
        ]
        meaning = tr("α: agreement of two people on what everybody does first (alternatives).")
        how = tr("1 = full agreement, 0 = as by chance.")
        return Why(name=self.gate.text(), lines=(meaning, how, *lines))

    def _show_buttons(self, *_index: object) -> None:
        corpus, one = self._session.corpus(), self.current()
        may = not self._session.read_only and may_lead(corpus, self._session.who)
        for button in (self.add, self.work, self.blind, self.help):
            button.setEnabled(may)
        self.blind.setVisible(bool(corpus.persons))
        self.blind.setText(tr("Allow others' work") if corpus.is_blind else tr("Hide others' work"))
        self.edit.setEnabled(may and one is not None)
        self.remove.setEnabled(may and one is not None and one.role is not None)
        self.over.setEnabled(may and one is not None and one.n_jobs > one.n_jobs_done)
        self.over.setVisible(is_shared_out(corpus.assignments))

    def _write_texts(self) -> None:
        self._show_message("")
        self._show_buttons()
        self._show()


class ProjectPage(Recomputes, HandsFocusOn, CommandKeys, QWidget):
    """Topics, people, assignments and progress."""

    PAUSE_MS = 0

    jobs = (PROGRESS_JOB,)

    # Topic, abstract and sentence for the Annotate page; 0 = the last position.
    sentenceChosen = Signal(str, object, object)

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.add_commands("project", PAGE.commands, services.keys.keys)
        self.topics = TopicView(session)
        self.people = PeopleTab(session, services)
        self.tabs = called(QTabWidget(), mark("Project"))
        self.tabs.setDocumentMode(True)
        framed = QWidget()
        spaced(QVBoxLayout(framed), self, self.topics)
        for tab in (framed, self.people):
            self.tabs.addTab(tab, "")
        stacked(self, self.tabs, grows=self.tabs)
        self.hand_focus_to(self.tabs)
        self.topics.chosen.connect(lambda topic: self.sentenceChosen.emit(topic, None, 0))
        self.recompute_on(session.changed, session.sightChanged)
        titled_tabs(self.tabs, mark("Topics"), mark("People"))

    def people_shown(self) -> PeopleTab:
        self.tabs.setCurrentWidget(self.people)
        return self.people

    def find_topic(self) -> None:
        self.tabs.setCurrentIndex(0)
        self.topics.begin()

    def compute(self) -> None:
        self.is_stale = False
        self.topics.offer()
