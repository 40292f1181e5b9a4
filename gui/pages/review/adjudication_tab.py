"""Adjudicate tab: disagreements decided by keys, the largest first."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSplitter, QWidget

from awase.core.agreement import adjudication as acts
from awase.core.agreement.adjudication import AdjudicationCase, Worklist, worklist_of
from awase.core.errors import Reporter
from awase.core.records.edits import GoldEdit
from awase.core.records.source import SentenceRef, sentence_place
from awase.core.reports.grid import Cell, Column, Grid, RowsOnDemand, decimal_text, text_cell
from awase.core.reports.study_report import adjudication_csv
from awase.gui.kit.commands import HandsFocusOn
from awase.gui.kit.defects import error_text
from awase.gui.kit.forms.controls import open_once
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import Field, Form, Line
from awase.gui.kit.grid.grid import GridView, ShadeDelegate
from awase.gui.kit.grid.model import ask_and_write
from awase.gui.kit.i18n import LiveLabel, announce, follow, labelled, mark, ntr, problem_text, tr
from awase.gui.kit.look.flow import (
    FlowLayout,
    called,
    holding,
    push_button,
    spaced,
    stacked,
    styled,
    together,
)
from awase.gui.kit.look.markup import Browser
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.notices import JobStrip, Recomputes
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.pages.review.cases import CAUSES, HERE, CaseReport, Decisions, DecisionStrip, Hand
from awase.gui.pages.review.tables import hidden_problem
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services


class CaseQueue(GridView):
    """List of cases with a current one."""

    def __init__(self, themes: ThemeBox) -> None:
        super().__init__()
        self.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        self.setItemDelegate(ShadeDelegate(themes, self))
        self.cases: list[AdjudicationCase] = []

    @property
    def n_decided(self) -> int:
        return sum(not case.is_open for case in self.cases)

    def show_cases(self, cases: Sequence[AdjudicationCase]) -> None:
        self.cases = [*cases]
        columns = (
            Column(title=tr("Sentence")),
            Column(title=tr("Distance"), tip=tr("Distance: 0 = the same")),
            Column(title=tr("Gold")),
            Column(title=tr("Text"), stretches=True, is_spare=True),
        )

        rows = RowsOnDemand(len(cases), lambda at: _row(at, cases[at]))
        self.show_grid(Grid(columns=columns, rows=rows), self.cases)

    def current(self) -> AdjudicationCase | None:
        case: AdjudicationCase | None = self.item()
        return case

    def choose_case(self, key: tuple[str, str, int] | None) -> None:
        """Chooses a case; one that is not there = the first that is open."""
        keys = [case.key for case in self.cases]
        first_open = next((at for at, case in enumerate(self.cases) if case.is_open), 0)
        self.choose(keys.index(key) if key in keys else first_open)

    def next_open(self) -> None:
        at, n = self.currentIndex().row(), self.n_rows
        for row in (*range(at + 1, n), *range(at)):
            index = self.grid.index(row, 0)
            if self.item(index).is_open:
                self.setCurrentIndex(index)
                self.scrollTo(index)
                return


def _sign(case: AdjudicationCase) -> str:
    sign = "" if case.gold is None else "!" if case.is_outdated else "✓"
    if case.gold is not None and case.gold.decided_by is None:
        sign = "…"
    is_locked = case.gold is not None and case.gold.locked
    return f"{sign} L" if is_locked else sign  # as on the key; not every font has a lock


def _row(at: int, case: AdjudicationCase) -> tuple[Cell, ...]:
    sign, is_locked = _sign(case), case.gold is not None and case.gold.locked
    return (
        Cell(text=sentence_place(*case.key), value=at, is_number=False, tip=case.text),
        Cell(text=decimal_text(case.distance), value=case.distance, shade=case.distance),
        Cell(text=sign, value=sign, is_number=False, tip=tr("locked") if is_locked else ""),
        text_cell(case.text),
    )


class _LineDialog(FormDialog):
    """Asks for a line of text."""

    TITLE, LABEL, ACCEPT = "", "", ""

    chosen = Signal(str)

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        form = Form(
            title=self.TITLE,
            parts=(Field("text", self.LABEL, Line(text)),),
            accept=self.ACCEPT,
            width=32,
        )
        super().__init__(form, parent)

    def submit(self) -> None:
        self.chosen.emit(self.fields.text("text"))
        self.accept()


class NoteDialog(_LineDialog):
    """Note of a decision; empty clears it."""

    TITLE, LABEL, ACCEPT = mark("Note on the decision"), mark("Note"), mark("Save")


class UnlockDialog(_LineDialog):
    """Logged reason to unlock an abstract's decisions."""

    TITLE, LABEL, ACCEPT = mark("Unlock the decisions"), mark("Reason"), mark("Unlock")

    def verdict(self) -> Verdict:
        if not self.fields.text("text").strip():
            return refused(tr("Give a reason: the log keeps it."), "muted")
        return Verdict()


ADJUDICATION_JOB = "adjudication"


class AdjudicationTab(Recomputes, HandsFocusOn, QWidget):
    """One case at a time, with its decision."""

    PAUSE_MS = 0  # `edited` follows a change, and may settle it

    # Topic, abstract and place (a number or a `SentenceRef`) to show on the Annotate page.
    sentenceChosen = Signal(str, object, object)

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._session, self._services = session, services
        self._wanted: tuple[str, str, int] | None = None
        self._found: Worklist | None = None
        self._told = ""
        queue = mark("Sentences to decide, the worst first")
        self.queue = called(CaseQueue(services.themes), queue)
        self.detail = called(Browser(), mark("What each annotator says"))
        self.names = push_button(mark("Show names"))
        self.names.setCheckable(True)
        lock = mark("Lock the decisions of this abstract, or unlock them (L)")
        self.lock = push_button(mark("Lock"), self.toggle_lock, lock)
        self.take_all = QPushButton()
        self.export = push_button(mark("Export…"), self.ask_file)
        self.progress = styled(LiveLabel(), "muted")
        self.said = styled(QLabel(), "muted", wraps=True)
        self.strip = JobStrip(
            mark("Stopped: some sentences are missing."), again=mark("Check again")
        )
        self.effects, self.hand = DecisionStrip(services), Hand()
        self.decisions = Decisions(session, self.hand, self.queue.current, self.worklist, self)
        self._lay_out()
        self._connect()
        follow(self, self._write_texts)

    # What there is to decide

    def compute(self) -> None:
        self.is_stale, self._found = False, None
        jobs, done, failed = self._services.jobs, self._on_result, self._on_failed
        self.strip.watch(jobs.start(ADJUDICATION_JOB, self._looking(), done, failed))

    def worklist(self) -> Worklist:
        """Returns the cases, waiting for the computation."""
        if self._found is None or self.is_stale:
            title = tr("Looking for what annotators agree on …")
            self._found = self._session.wait_for(title, self._looking())
        return self._found

    def _looking(self) -> Callable[[Reporter], Worklist]:
        return partial(worklist_of, self._session.corpus(), self._session.who)

    def open_case(self, topic: str, abstract: str, n: int) -> None:
        self._wanted = (topic, abstract, n)
        if self.queue.cases and not self.is_stale:
            self._go_to_requested()

    # What the user does, beside what `decisions` does

    def list_all(self) -> None:
        """Lists all source sentences, or those that somebody linked."""
        self.hand.lists_all = not self.hand.lists_all
        self.move_hand(0)

    def move_hand(self, step: int) -> None:
        """Goes on by so many of the source sentences that are listed."""
        self.hand.move(step)
        self._show_case()
        self.detail.scrollToAnchor(HERE)

    def confirm(self) -> None:
        """Confirms the decision, and goes to the next open case."""
        if self.decisions.confirm():
            self.queue.next_open()
            if self.queue.n_decided == len(self.queue.cases):
                done = tr("Every disagreement is decided.")
                self._show_message(" · ".join(filter(None, (self._told, done))))

    def toggle_lock(self) -> None:
        """Locks the abstract's decisions, or asks why to unlock them."""
        case = self.queue.current()
        if case is None or case.gold is None or not case.gold.locked:
            self.decisions.lock()
            return
        dialog = UnlockDialog(parent=self)
        dialog.chosen.connect(self.decisions.unlock)
        open_once(dialog)

    def ask_cause(self) -> None:
        case = self.queue.current()
        if case is None:
            return
        menu = QMenu(self)
        for number, (cause, title) in enumerate(CAUSES.items(), start=1):
            action = menu.addAction(f"&{number}  {tr(title)}")
            action.triggered.connect(lambda _=False, cause=cause: self.decisions.set_cause(cause))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.detail.mapToGlobal(self.detail.rect().center()))

    def ask_note(self) -> None:
        case = self.queue.current()
        if case is None:
            return
        dialog = NoteDialog((case.gold.entry.note or "") if case.gold else "", self)
        dialog.chosen.connect(self.decisions.note)
        open_once(dialog)

    def ask_file(self) -> None:
        text = adjudication_csv(self.queue.cases)
        ask_and_write(self, tr("Export decisions"), Path("decisions.csv"), lambda: text)

    def show_current(self) -> None:
        if (case := self.queue.current()) is not None:
            self.sentenceChosen.emit(case.topic, case.abstract, case.n)

    # Layout and connections

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        said = spaced(QHBoxLayout(), self, self.said, down=1 / 3)
        acts = together(None, self.names, self.lock, self.export)
        row = spaced(FlowLayout(), self, together(self.take_all, self.progress), acts)
        body = holding(QSplitter(), self.queue, self.detail)
        body.setSizes([line_px * 36, line_px * 44])
        body.setChildrenCollapsible(False)
        stacked(self, row, self.strip, body, self.effects, said, grows=body)
        self.hand_focus_to(self.queue)

    def _connect(self) -> None:
        self.decisions.said.connect(self._show_message)
        self.recompute_on(self._session.changed, self._session.sightChanged)
        self._session.edited.connect(self._on_edited)
        declare(self.detail, self._why)
        self.queue.selectionModel().currentRowChanged.connect(self._show_case)
        self.take_all.clicked.connect(self.decisions.take_unanimous)
        self.names.toggled.connect(self._show_case)
        self.strip.againChosen.connect(self.compute)
        self.detail.linkChosen.connect(self._on_link_chosen)
        self._services.themes.changed.connect(self._show_case)

    def _show_message(self, text: str) -> None:
        announce(self, text)
        self._told = text
        self.said.setText(
            text
            or tr(
                "Shift+1–9 a column · 1–9 an alternative · + all · * what all have · / majority · "
                "U no source · J K Space N D by hand · X why · T all unanimous · "
                "Enter confirm and go on"
            )
        )

    # What came

    def went_stale(self) -> None:
        self._show_message("")  # the message of an undone action

    def forget(self) -> None:
        self._services.jobs.drop(ADJUDICATION_JOB)
        self._found = None
        self._show_cases(())

    def _on_edited(self, edit: object) -> None:
        """Updates one changed decision; recomputes all after anything else."""
        topic = self._session.topic(edit.topic) if isinstance(edit, GoldEdit) else None
        cases = {case.key: case for case in acts.cases_of(topic)} if topic is not None else {}
        shown = [*self.queue.cases]
        places = {case.key: at for at, case in enumerate(shown)}
        key = (edit.topic, edit.abstract, edit.n) if isinstance(edit, GoldEdit) else None
        if key in places and key in cases:
            self.is_stale = False
            shown[places[key]] = cases[key]
            self._show_cases(shown)

    def _on_result(self, found: Worklist) -> None:
        self._found = found
        self._show_cases(found.cases)
        self._go_to_requested()

    def _on_failed(self, error: BaseException) -> None:
        if self.is_stale:
            return  # an edit meanwhile may be the cause; all is recomputed
        self._show_message(error_text(error))

    def _go_to_requested(self) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._choose(wanted)

    def _choose(self, key: tuple[str, str, int] | None) -> None:
        self.queue.choose_case(key)
        self._show_case()

    def _on_link_chosen(self, _scheme: str, ref: str) -> None:
        case = self.queue.current()
        if case is not None:
            self.sentenceChosen.emit(case.topic, case.abstract, SentenceRef.parse(ref))

    # Showing

    def _show_cases(self, cases: Sequence[AdjudicationCase]) -> None:
        before = self.queue.current()
        self.queue.show_cases(cases)
        self.progress.setText(
            ntr(
                "{decided} of {n} disagreement decided",
                "{decided} of {n} disagreements decided",
                len(cases),
                decided=self.queue.n_decided,
            )
        )
        n_agreed = self._found.n_agreed if self._found is not None else 0
        self.take_all.setText(ntr("Accept {n} unanimous", "Accept {n} unanimous", n_agreed))
        can_change = not self._session.read_only
        self.take_all.setEnabled(bool(n_agreed) and can_change)
        self.lock.setEnabled(can_change)
        self._choose(before.key if before else None)

    def _show_case(self, *_index: object) -> None:
        case = self.queue.current()
        topic = self._session.topic(case.topic) if case else None
        if case is None or topic is None:
            self.effects.show_case(None, None, shows_names=False)
            self.detail.show_html(f"<p>{escape(self._why_nothing())}</p>")
            return
        self.hand.hold(case, topic)
        self.effects.show_case(case, topic, shows_names=self.names.isChecked())
        report = CaseReport(
            case=case,
            topic=topic,
            numbers=self._session.numbers(topic.id),
            theme=self._services.themes.theme,
            shows_names=self.names.isChecked(),
            shown=self.hand.refs,
            at=self.hand.ref,
        )
        self.detail.show_html(report.html())

    def _why_nothing(self) -> str:
        """Returns why there is no case; empty while computing."""
        found = self._found
        if found is None:
            return ""
        if found.n_hidden:
            return problem_text(hidden_problem(found.n_hidden, len(self._session.topic_ids())))
        if not found.n_compared:
            return tr("Nothing to decide: no sentence was settled by two annotators yet.")
        return tr("Nothing to decide: no two annotators differ.")

    def _why(self) -> Why | None:
        case = self.queue.current()
        if case is None:
            return None
        meaning = tr("Distance: 0 = the same")
        return Why(
            name=labelled(sentence_place(*case.key), decimal_text(case.distance)),
            lines=(f"{case.distance:.6f}", meaning, tr("The largest of any two annotators.")),
        )

    def _write_texts(self) -> None:
        self._show_message("")
        self._show_cases(self.queue.cases)
