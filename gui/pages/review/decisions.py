"""Adjudication by keys: every action is an undoable edit."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from PySide6.QtCore import QObject, Signal

from awase.core.agreement import adjudication as acts
from awase.core.agreement.adjudication import (
    AdjudicationCase,
    Decided,
    Worklist,
    linked,
    with_near_duplicates,
)
from awase.core.annotation.candidates import TopicIndex
from awase.core.annotation.content import topic_edit
from awase.core.annotation.formula import set_text
from awase.core.errors import Cancelled
from awase.core.records.abstract import GoldEntry
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.kit.i18n import ntr, tr
from awase.gui.pages.review.cases import columns_of
from awase.gui.session.session import CorpusSession


class Hand:
    """Position within a case; another case starts at its first sentence.

    Attributes:
        lists_all: Whether all source sentences are listed, or those that somebody linked.
        refs: The listed source sentences, in document order.
        ref: The current one; None = none.
    """

    def __init__(self) -> None:
        self.lists_all = False
        self.refs: tuple[SentenceRef, ...] = ()
        self.ref: SentenceRef | None = None
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
            self.said.emit(tr("No near-duplicate makes a further alternative."))
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

    def give_cause(self, cause: str) -> None:
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
            self.said.emit(tr("Nothing to confirm yet: take an annotator's, or join them."))
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
            self.said.emit(tr("Some topics are still hidden from you, so that nothing was taken."))
        elif not found.n_agreed:
            self.said.emit(tr("There is no sentence left on which all agree."))
        else:
            self._take_agreed(found.n_agreed)

    def _take_agreed(self, n: int) -> None:
        change = partial(acts.with_unanimous, who=self._session.who, at=_now())
        if self._session.change(change, verb=acts.GOLD_UNANIMOUS, subject=str(n)):
            self.said.emit(ntr("Took {n} sentence.", "Took {n} sentences.", n))

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
