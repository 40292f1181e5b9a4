"""An adjudication case: its HTML, decisions on it by keys, and their effects."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from html import escape

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from awase.core.agreement import adjudication as acts
from awase.core.agreement.adjudication import (
    AdjudicationCase,
    Decided,
    Worklist,
    linked,
    with_near_duplicates,
)
from awase.core.agreement.comparison import DecisionEffects, decision_effects
from awase.core.agreement.results import Worth
from awase.core.annotation.candidates import TopicIndex
from awase.core.annotation.content import topic_edit
from awase.core.annotation.formula import AND, formula, label_of, set_text
from awase.core.errors import Cancelled
from awase.core.records.abstract import AlignmentState, GoldEntry
from awase.core.records.source import SentenceRef, sentence_place
from awase.core.records.topic import Extract, Topic
from awase.core.reports.grid import UNDEFINED, decimal_text
from awase.gui.kit.defects import error_text
from awase.gui.kit.forms.controls import fill_names
from awase.gui.kit.i18n import bind, follow, labelled, listed, mark, ntr, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import called, spaced, styled
from awase.gui.kit.look.rows import STATE_NAMES
from awase.gui.kit.look.theme import Theme
from awase.gui.kit.number_explanation import Why, declare
from awase.gui.pages.review.tables import notes_html
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services

ORIGINS: Mapping[str, str] = {
    "unanimous": mark("unanimous"),
    "taken": mark("taken from one annotator"),
    "union": mark("union"),
    "intersection": mark("intersection"),
    "majority": mark("majority"),
    "edited": mark("put together"),
}
CAUSES: Mapping[str, str] = {
    "guideline gap": mark("guideline gap"),
    "oversight": mark("oversight"),
    "ambiguous text": mark("ambiguous text"),
    "near-duplicate": mark("near-duplicate"),
    "typing slip": mark("typing slip"),
}
_SHOW = "show"
HERE = "here"  # anchor of the source sentence that Space puts into the gold


def columns_of(case: AdjudicationCase) -> tuple[str, ...]:
    """Returns the annotators in pseudo-random, stable column order, to blind the adjudicator."""
    names = sorted(case.entries)
    random.Random("/".join(map(str, case.key))).shuffle(names)
    return tuple(names)


def titles_of(columns: Sequence[str], *, shows_names: bool) -> list[str]:
    return [f"⇧{at} {who}" if shows_names else f"⇧{at}" for at, who in enumerate(columns, start=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """A case as HTML."""

    case: AdjudicationCase
    topic: Topic
    numbers: Mapping[SentenceRef, int]
    theme: Theme
    shows_names: bool  # columns are headed with annotators' names, not with numbers alone
    shown: Sequence[SentenceRef]  # the source sentences that are listed
    at: SentenceRef | None  # the current one of them

    def html(self) -> str:
        distance = tr("distance {value}", value=decimal_text(self.case.distance))
        place = f"{sentence_place(*self.case.key)} · {distance}"
        columns = columns_of(self.case)
        return (
            f'<p style="color:{self.theme.colours.muted}">{escape(place)}</p>'
            f"<p><b>{escape(self.case.text)}</b></p>"
            + self._families(columns)
            + self._numbered(columns)
            + self._sources(columns)
            + self._notes(columns)
        )

    def _families(self, columns: Sequence[str]) -> str:
        """Returns the formulas: the first annotator, the gold, the others."""
        case, numbers = self.case, self.numbers
        heads = [*map(escape, titles_of(columns, shows_names=self.shows_names))]
        bodies = [
            escape(formula(case.entries[who].alternatives, numbers) or tr("no source"))
            for who in columns
        ]
        heads.insert(1, f"<b>{escape(tr('Gold'))}</b>")
        bodies.insert(1, f"<b>{escape(_gold_text(case.gold, numbers))}</b>")
        style = 'style="padding-right:2em"'
        head = "".join(f"<td {style}>{one}</td>" for one in heads)
        body = "".join(f"<td {style}>{one}</td>" for one in bodies)
        return (
            f'<table cellspacing="4"><tr>{head}</tr><tr>{body}</tr></table>'
            f'<p style="color:{self.theme.colours.muted}">{escape(_state_text(case))}</p>'
        )

    def _numbered(self, columns: Sequence[str]) -> str:
        case = self.case
        inside = {one.as_set for one in case.gold.entry.alternatives} if case.gold else set()
        names = columns if self.shows_names else titles_of(columns, shows_names=False)
        rows = []
        for number, one in enumerate(case.listed, start=1):
            pairs = zip(columns, names, strict=True)
            owners = listed(name for who, name in pairs if who in one.owners)
            sign = "✓" if one.alternative.as_set in inside else "·"
            members = AND.join(
                escape(label_of(ref, self.numbers)) for ref in one.alternative.members
            )
            rows.append(
                f'<tr><td align="center">{sign}</td><td><b>{number}</b>&nbsp;</td>'
                f"<td>{members}&nbsp;</td>"
                f'<td style="color:{self.theme.colours.muted}">{escape(owners)}</td></tr>'
            )
        return f'<table cellspacing="4">{"".join(rows)}</table>'

    def _sources(self, columns: Sequence[str]) -> str:
        gold, muted = self.case.gold, self.theme.colours.muted
        linked = [set(self.case.entries[who].refs()) for who in columns]
        linked.insert(1, set(gold.entry.refs()) if gold else set())
        titles = titles_of(columns, shows_names=False)
        titles.insert(1, tr("Gold"))
        head = "".join(f'<td style="color:{muted}">{escape(title)}&nbsp;</td>' for title in titles)
        rows, shown = [], set(self.shown)
        for ref, sentence in self.topic.sentences():
            if ref in shown:
                dots = "".join(
                    f'<td align="center">{"●" if ref in refs else "○"}</td>' for refs in linked
                )
                name, text = escape(str(ref), quote=True), escape(sentence.text)
                sign = f'<a name="{HERE}">▸</a>' if ref == self.at else "&nbsp;"
                text = f"<b>{text}</b>" if ref == self.at else text
                rows.append(
                    f'<tr><td>{sign}</td>{dots}<td><a href="{_SHOW}:{name}">'
                    f"{escape(label_of(ref, self.numbers))}</a>&nbsp;</td><td>{text}</td></tr>"
                )
        table = f'<table cellspacing="4"><tr><td></td>{head}</tr>{"".join(rows)}</table>'
        return table if rows else ""

    def _notes(self, columns: Sequence[str]) -> str:
        titles = titles_of(columns, shows_names=False)
        own = [self.case.entries[who].note for who in columns]
        gold = [(tr("Gold"), self.case.gold.entry.note)] if self.case.gold is not None else []
        return notes_html([*zip(titles, own, strict=True), *gold], self.theme)


def _gold_text(gold: GoldEntry | None, numbers: Mapping[SentenceRef, int]) -> str:
    if gold is None:
        return UNDEFINED
    if gold.entry.state is AlignmentState.NO_SOURCE:
        return tr("no source")
    return formula(gold.entry.alternatives, numbers) or UNDEFINED


def _state_text(case: AdjudicationCase) -> str:
    gold = case.gold
    if gold is None:
        return tr("Nothing is decided yet.")
    parts = [tr(STATE_NAMES[gold.entry.state]), tr(ORIGINS[gold.origin.value])]
    if gold.decided_by is not None:
        parts.append(tr("decided by {who}", who=gold.decided_by))
    if gold.entry.rank is not None:
        parts.append(tr("rank {rank}", rank=gold.entry.rank))
    if gold.cause is not None:
        parts.append(tr(CAUSES.get(gold.cause, gold.cause)))
    if gold.locked:
        parts.append(tr("locked"))
    if case.is_outdated:
        parts.append(tr("outdated: an annotator has changed the entry since"))
    return " · ".join(parts)


class Hand:
    """Position within a case; another case starts at its first sentence."""

    def __init__(self) -> None:
        self.lists_all = False  # whether all source sentences are, or those that somebody linked
        self.refs: tuple[SentenceRef, ...] = ()  # those listed, in document order
        self.ref: SentenceRef | None = None  # the current one
        self._key: tuple[str, str, int] | None = None
        self._alternative_idx: int | None = None
        self._index: tuple[Topic, TopicIndex] | None = None

    def hold(self, case: AdjudicationCase, topic: Topic) -> None:
        if self._key != case.key:
            self._key, self._alternative_idx, self.ref = case.key, None, None
        linked = {ref for entry in case.entries.values() for ref in entry.refs()}
        linked |= set(case.gold.entry.refs()) if case.gold else set()
        self.refs = tuple(
            ref
            for ref, _ in topic.sentences()
            if self.lists_all or ref in linked or ref == self.ref
        )
        if self.ref not in self.refs:
            self.ref = next(
                (ref for ref in self.refs if ref in linked), next(iter(self.refs), None)
            )

    def move(self, step: int) -> None:
        if self.ref in self.refs:
            at = self.refs.index(self.ref) + step
            self.ref = self.refs[min(max(at, 0), len(self.refs) - 1)]

    def alternative_of(self, case: AdjudicationCase) -> int:
        """Returns the index of the alternative being composed: the last, or a new one."""
        n = len(case.gold.entry.alternatives) if case.gold else 0
        at = max(n - 1, 0) if self._alternative_idx is None else self._alternative_idx
        self._alternative_idx = min(at, n)
        return self._alternative_idx

    def begin_alternative(self, case: AdjudicationCase) -> None:
        self._alternative_idx = len(case.gold.entry.alternatives) if case.gold else 0

    def index_of(self, topic: Topic) -> TopicIndex:
        """Returns the topic's index, cached until its texts change."""
        if self._index is None or self._index[0] is not topic:
            self._index = (topic, TopicIndex(topic))
        return self._index[1]


class Decisions(QObject):
    """Decides the current case."""

    said = Signal(str)  # result of an action, or why nothing was done; empty = nothing

    def __init__(
        self,
        session: CorpusSession,
        hand: Hand,
        current: Callable[[], AdjudicationCase | None],
        worklist: Callable[[], Worklist],
        parent: QObject,
    ) -> None:
        """`worklist` returns the cases; it may raise `Cancelled`."""
        super().__init__(parent)
        self._session, self._hand, self._current = session, hand, current
        self._worklist = worklist

    def take(self, column: int) -> None:
        """Copies the entry of a column, from 1."""
        case = self._current()
        columns = columns_of(case) if case else ()
        if case is not None and column <= len(columns):
            who = columns[column - 1]
            self._fill(acts.taken(case, who), acts.GOLD_TAKE)

    def toggle(self, number: int) -> None:
        self._decide(partial(acts.toggled, number=number), acts.GOLD_TOGGLE)

    def join(self) -> None:
        self._decide(acts.union, acts.GOLD_UNION)

    def common(self) -> None:
        self._decide(acts.intersection, acts.GOLD_INTERSECTION)

    def majority(self) -> None:
        self._decide(acts.majority, acts.GOLD_MAJORITY)

    def no_source(self) -> None:
        self._decide(acts.no_source, acts.GOLD_NO_SOURCE)

    # By hand, as on the Annotate page

    def link(self) -> None:
        """Adds the current source sentence to the gold's current alternative, or removes it."""
        case, ref = self._current(), self._hand.ref
        if case is not None and ref is not None:
            self._fill(linked(case, self._hand.alternative_of(case), ref), acts.GOLD_LINK)

    def new_alternative(self) -> None:
        if (case := self._current()) is not None:
            self._hand.begin_alternative(case)
            self.said.emit(tr("Space begins a new alternative."))

    def add_duplicates(self) -> None:
        """Adds alternatives in which near-duplicates replace the gold's members."""
        case, topic = self._current_in_topic()
        if case is None or topic is None:
            return
        decided = with_near_duplicates(case, self._hand.index_of(topic).near_duplicates)
        if decided is None:
            self.said.emit(tr("No near-duplicate gives another alternative."))
        else:
            self._fill(decided, acts.GOLD_DUPLICATES)

    # Beside the alternatives

    def rank(self, place: int) -> None:
        """Sets the rank by position in the corpus's ranks, from 1; repeating clears it."""
        case, ranks = self._current(), [rank for rank, _ in self._session.frame.rank_weights]
        if case is not None and place <= len(ranks):
            rank: str | None = ranks[place - 1]
            if case.gold is not None and case.gold.entry.rank == rank:
                rank = None
            self._perform(case, acts.with_rank(case, rank), acts.GOLD_RANK, rank or "")

    def flag(self) -> None:
        if (case := self._current()) is not None:
            self._perform(case, acts.flagged(case), acts.GOLD_FLAG)

    def set_cause(self, cause: str) -> None:
        """Sets the cause of disagreement; repeating clears it."""
        case = self._current()
        if case is not None:
            is_there = case.gold is not None and case.gold.cause == cause
            new = acts.with_cause(case, None if is_there else cause)
            self._perform(case, new, acts.GOLD_CAUSE, cause)

    def note(self, text: str) -> None:
        case = self._current()
        if case is not None:
            base = acts.with_cause(case, case.gold.cause if case.gold else None)
            entry = replace(base.entry, note=text.strip() or None)
            self._perform(case, replace(base, entry=entry), acts.GOLD_NOTE)

    def confirm(self) -> bool:
        """Confirms the decision; returns whether it was possible."""
        case = self._current()
        if case is None or not self._may_decide(case):
            return False
        decided = acts.confirmed(case, self._session.who, _now())
        if decided is None:
            self.said.emit(
                tr("Nothing to confirm yet: accept an annotator's decision, or combine them.")
            )
            return False
        return self._fill(decided, acts.GOLD_CONFIRM)

    def take_unanimous(self) -> None:
        """Decides all unanimous cases in one cancellable edit."""
        if not self._may_write():
            return
        try:
            found = self._worklist()
        except Cancelled:
            return
        if found.n_hidden:
            self.said.emit(tr("Some topics are still hidden from you, so nothing was accepted."))
        elif not found.n_agreed:
            self.said.emit(tr("There is no sentence left on which all agree."))
        else:
            self._take_agreed(found.n_agreed)

    def _take_agreed(self, n: int) -> None:
        change = partial(acts.with_unanimous, who=self._session.who, at=_now())
        if self._session.change(change, verb=acts.GOLD_UNANIMOUS, subject=str(n)):
            self.said.emit(ntr("Accepted {n} sentence.", "Accepted {n} sentences.", n))

    def lock(self) -> None:
        self._set_lock("", is_locked=True)

    def unlock(self, reason: str) -> None:
        """Unlocks the abstract's decisions; the reason is logged."""
        if reason.strip():
            self._set_lock(reason.strip(), is_locked=False)

    # Making the edits

    def _decide(self, decide: Callable[[AdjudicationCase], Decided | None], verb: str) -> None:
        case = self._current()
        decided = decide(case) if case is not None else None
        if decided is not None:
            self._fill(decided, verb)

    def _fill(self, decided: Decided, verb: str) -> bool:
        case = self._current()
        is_done = case is not None and self._perform(case, decided.gold, verb)
        if case is not None and is_done:
            numbers = self._session.numbers(case.topic)
            lines = [
                tr("{outer} contains {inner}: dropped",
                   outer=set_text(outer, numbers), inner=set_text(inner, numbers))
                for outer, inner in decided.dropped
            ]  # fmt: skip
            if lines:
                self.said.emit(" · ".join(lines))
        return is_done

    def _perform(
        self, case: AdjudicationCase, new: GoldEntry | None, verb: str, subject: str = ""
    ) -> bool:
        if not self._may_decide(case):
            return False
        edit = acts.gold_edit(case, new, verb, subject)
        return self._session.perform(edit)

    def _current_in_topic(self) -> tuple[AdjudicationCase | None, Topic | None]:
        case = self._current()
        return case, self._session.topic(case.topic) if case is not None else None

    def _may_decide(self, case: AdjudicationCase) -> bool:
        """Returns whether the case can be decided; shows why not."""
        if not self._may_write():
            return False
        is_locked = case.gold is not None and case.gold.locked
        if is_locked:
            self.said.emit(tr("This decision is locked (L unlocks it)."))
        return not is_locked

    def _may_write(self) -> bool:
        """Returns whether decisions can be written; shows why not."""
        is_closed = self._session.read_only
        told = tr("This corpus is open for reading only; nothing can be changed.")
        self.said.emit(told if is_closed else "")
        return not is_closed

    def _set_lock(self, reason: str, *, is_locked: bool) -> None:
        case, topic = self._current_in_topic()
        if case is None or topic is None:
            return
        abstracts = tuple(
            replace(one, gold=tuple(replace(decided, locked=is_locked) for decided in one.gold))
            if one.id == case.abstract
            else one
            for one in topic.abstracts
        )
        verb, subject = acts.GOLD_LOCK if is_locked else acts.GOLD_UNLOCK, reason or case.abstract
        new = replace(topic, abstracts=abstracts)
        edit = topic_edit(topic, new, verb=verb, abstract=case.abstract, subject=subject)
        if edit is None:
            self.said.emit(tr("Nothing is decided in this abstract yet."))
        else:
            self._session.perform(edit)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


DECISION_JOB = "decision"


class DecisionStrip(QWidget):
    """Effects of the case's decisions, recomputed with every action."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services
        self._heads: list[tuple[str | None, str]] = []
        self.effects: DecisionEffects | None = None
        self.told = styled(QLabel(), wraps=True)
        self.system = called(ElidedComboBox(), mark("System whose coverage is shown"))
        self.told.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        parts = (self.told, self.system)
        spaced(QHBoxLayout(self), self, *parts, grows=self.told, down=1 / 3, between=1)
        self.system.currentIndexChanged.connect(self._write)
        bind(self.system, "toolTip", mark("System whose coverage is shown"))
        declare(self.told, self._why)
        follow(self, self._write)

    def show_case(
        self, case: AdjudicationCase | None, topic: Topic | None, *, shows_names: bool
    ) -> None:
        """Computes the effects of the case's decisions; None clears."""
        abstract = topic.abstract(case.abstract) if case and topic else None
        if case is None or topic is None or abstract is None:
            self._services.jobs.drop(DECISION_JOB)  # or the case before would come back
            self.effects = None
            self.system.hide()
            self._write()
            return
        columns = columns_of(case)
        titles = titles_of(columns, shows_names=shows_names)
        self._heads = [*zip(columns, titles, strict=True)]
        self._heads.insert(1, (None, ""))
        self._fill_systems(topic, abstract.length)
        self._services.jobs.start(
            DECISION_JOB,
            lambda reporter: decision_effects(
                topic, abstract, case, partial(reporter.advance, 0, 1, topic.id)
            ),
            self._on_computed,
            self._on_failed,
        )

    def _fill_systems(self, topic: Topic, length: str | None) -> None:
        names = [
            one.system
            for one in topic.outputs
            if isinstance(one, Extract) and one.length in (None, length)
        ]
        fill_names(self.system, dict.fromkeys(names))
        self.system.setVisible(bool(names))

    def _on_computed(self, effects: DecisionEffects) -> None:
        self.effects = effects
        self._write()

    def _on_failed(self, error: BaseException) -> None:
        self.told.setText(error_text(error))

    def _write(self) -> None:
        effects = self.effects
        if effects is None:
            self.told.clear()
            return
        parts = [self._row("h", effects, lambda side: UNDEFINED if side.h is None else str(side.h))]
        system = self.system.currentText()
        if system:
            title = tr("Coverage of {system}", system=system)
            parts.append(
                self._row(title, effects, lambda side: decimal_text(side.coverage.get(system)))
            )
        counted = ntr("of {n} sentence", "of {n} sentences", effects.n_sentences)
        if effects.n_open:
            counted = listed((counted, tr("{n} more still open", n=effects.n_open)))
        self.told.setText("   |   ".join([*parts, counted]))

    def _why(self) -> Why | None:
        effects, system = self.effects, self.system.currentText()
        if effects is None:
            return None
        lines = [
            tr("h: the fewest source sentences that make every abstract sentence possible"),
            tr(
                "All are about the same sentences of this abstract: those that all settled, and "
                "on which they agree or for which something is in the gold."
            ),
        ]
        if system:
            title = tr("Coverage of {system}", system=system)
            lines.append(self._row(title, effects, lambda side: _exact_text(side, system)))
            lines.append(tr("Coverage: the mean e(i) of these sentences, the extract cut at h."))
        return Why(name=self.told.text(), lines=tuple(lines))

    def _row(self, title: str, effects: DecisionEffects, text_of: Callable[[Worth], str]) -> str:
        cells = []
        for who, head in self._heads:
            side = effects.gold if who is None else effects.by_annotator.get(who)
            if side is not None:
                cells.append(labelled(head or tr("Gold"), text_of(side)))
        return f"{title}   " + " · ".join(cells)


def _exact_text(side: Worth, system: str) -> str:
    value = side.coverage.get(system)
    return UNDEFINED if value is None else f"{float(value):.6f}"
