"""Applies other clients' changes of a corpus on a server, off the GUI thread.

Changed parts named by a notification are reloaded on a worker thread and swapped in, unless this
window wrote meanwhile: then they are loaded again. So memory equals the store in any order of
events.
"""

import socket
from dataclasses import dataclass, replace
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from awase.core.errors import AwaseError, EnvironmentProblem, InputError
from awase.core.records.corpus import Corpus
from awase.core.records.edits import Changes
from awase.core.records.topic import Topic
from awase.gui.kit.jobs.running import Mailbox, once
from awase.gui.session.undo_stack import HeldCorpus
from awase.storage.postgresql.notices import Notice, Presence

if TYPE_CHECKING:
    from awase.storage.postgresql.listening import Listener
    from awase.storage.rows.log import History
    from awase.storage.store import CorpusStore

HEARTBEAT_S: Final = 30.0
GONE_AFTER_S: Final = 75.0  # two missed heartbeats: the machine is off, or asleep
_TOGETHER_MS: Final = 40  # notifications within this time are applied together
_PLACE_MS: Final = 400


# Result or error, request, whether the log was read, after which write.
_Read = tuple[object, Changes, bool, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteReading:
    """Reloaded parts."""

    changes: Changes  # what may be other than before
    topics: tuple[Topic, ...] = ()
    corpus: Corpus | None = None  # everything; None = nothing but those topics
    history: "History | None" = None  # what the person at work can undo; None = as before
    rows: frozenset[int] | None = None
    # Numbers of all stored scores, which the log lacks; None = not requested.
    kept: frozenset[int] | None = None


class Following(QObject):
    """Listens as long as a corpus on a server is open."""

    othersMoved = Signal()  # `others` are other people, or elsewhere
    readAgain = Signal(object)  # the `RemoteReading` that the corpus's parts are replaced by
    # Why the server is unreachable (`EnvironmentProblem`); None = back.
    connectionChanged = Signal(object)

    def __init__(self, session: HeldCorpus, store: "CorpusStore", parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._store = session, store
        self._window: str = store.window
        self._rows, self._kept = frozenset[int](), frozenset[int]()
        # Why it was unreachable from the first; all that is stored is news when it is back.
        self.lost: EnvironmentProblem | None = None
        try:
            self._rows, self._kept = store.known_rows(), _numbers_of_stored(store)
        except EnvironmentProblem as error:
            self.lost = error
        self._pending, self._own = Changes(), list[Notice]()
        self._looks_into_log = self._is_reading = self._is_stopped = False
        # Why the server is unreachable; None = it is reachable.
        self.problem: EnvironmentProblem | None = None
        self._here = Presence(window=self._window, who=session.who, host=socket.gethostname())
        self._others: dict[str, tuple[Presence, float]] = {}
        self._soon = once(self, _TOGETHER_MS, self._read)
        self._place = once(self, _PLACE_MS, self._publish_position)
        self._heartbeat = QTimer(self)
        self._heartbeat.timeout.connect(self._on_heartbeat)
        self._heartbeat.start(round(HEARTBEAT_S * 1000))
        self._heard: Mailbox[object] = Mailbox()
        self._readings: Mailbox[_Read] = Mailbox()
        self._heard.arrived.connect(self._on_arrived, Qt.ConnectionType.QueuedConnection)
        # Events are processed while waiting for a server: news may precede the listener.
        self._listener: Listener | None = None
        self._early: list[object] | None = []
        self._listener = store.listen(self._heard.put)
        early, self._early = self._early, None
        for heard in early:
            self._on_heard(heard)

    @property
    def others(self) -> tuple[Presence, ...]:
        """Other clients and their positions, by name."""
        return tuple(sorted((p for p, _ in self._others.values()), key=lambda p: (p.who, p.window)))

    def go_to(self, topic: str, abstract: str, n: int) -> None:
        """Broadcasts this window's position."""
        here = replace(self._here, who=self._session.who, topic=topic, abstract=abstract, n=n)
        if here != self._here:
            self._here = here
            self._place.start()

    def suspect(self, problem: EnvironmentProblem) -> None:
        """Handles an edit's failure by pinging the server."""
        self._set_problem(problem)
        self.retry()

    def retry(self) -> None:
        """Reconnects immediately."""
        if self._listener is not None:
            self._listener.probe()

    def stop(self) -> None:
        self._is_stopped = True
        for timer in (self._soon, self._place, self._heartbeat):
            timer.stop()
        if self._listener is not None:
            self._listener.stop(replace(self._here, is_leaving=True))

    # What is heard

    @Slot()
    def _on_arrived(self) -> None:
        for heard in self._heard.letters():
            self._on_heard(heard)
        for read in self._readings.letters():
            self._on_read(read)

    def _on_heard(self, heard: object) -> None:
        if self._is_stopped:
            return
        if self._early is not None:
            self._early.append(heard)
        elif isinstance(heard, Presence):
            self._on_presence(heard)
        elif isinstance(heard, Notice):
            self._on_notice(heard)
        elif (problem := getattr(heard, "problem", None)) is not None:
            self._set_problem(problem)
        else:
            self._publish_position(asks=True)
            self._looks_into_log = True  # as it is unknown whether an edit was stored
            self._soon.start()

    def _on_notice(self, notice: Notice) -> None:
        if notice.window == self._window:
            self._own.append(notice)  # `_read` checks whether its answer was lost
        elif notice.changes is None:
            self._looks_into_log = True
        else:
            self._pending |= replace(notice.changes, by=(notice.who,))
        self._soon.start()

    def _set_problem(self, problem: EnvironmentProblem) -> None:
        is_new, self.problem = self.problem is None, problem
        if is_new:
            self._others.clear()
            self.othersMoved.emit()
            self.connectionChanged.emit(problem)

    # Reading again

    def _read(self) -> None:
        if self._is_reading or self._is_stopped:
            return
        if self._session.is_writing:
            self._soon.start()
            return
        for notice in self._own:
            if notice.row and notice.row not in self._store.rows_written:
                # Stored although the answer was lost.
                self._pending |= replace(notice.changes or Changes(), by=(self._session.who,))
        self._own.clear()
        wanted, looks = self._pending, self._looks_into_log
        if wanted == Changes() and not looks:
            return
        self._pending, self._looks_into_log, self._is_reading = Changes(), False, True
        n_writes, who = self._session.n_writes, self._session.who
        rows, kept, readings = self._rows, self._kept, self._readings
        known = frozenset(t for t in wanted.touched_topics() if self._session.topic(t) is not None)

        def work() -> None:
            try:
                missed = _missed(self._store, rows, kept) if looks else None
                found: object = _read_again(self._store, wanted, known, who, missed)
            except AwaseError as error:
                found = error
            except RuntimeError:
                return  # the corpus was closed meanwhile
            readings.put((found, wanted, looks, n_writes))

        Thread(target=work, name="reading again", daemon=True).start()

    def _on_read(self, result: _Read) -> None:
        found, wanted, looked, n_writes = result
        self._is_reading = False
        if self._is_stopped:
            return
        is_current = n_writes == self._session.n_writes and not self._session.is_writing
        if not isinstance(found, RemoteReading) or not is_current:
            self._pending |= wanted
            self._looks_into_log |= looked
            if isinstance(found, EnvironmentProblem):
                self.suspect(found)  # resumed when the server is back
            else:
                self._soon.start()
            return
        self._rows = self._rows if found.rows is None else found.rows
        self._kept = self._kept if found.kept is None else found.kept
        self.readAgain.emit(found)
        if looked and self.problem is not None:
            self.problem = None
            # After applying, which would overwrite a listener's own write.
            self.connectionChanged.emit(None)
        self._soon.start()

    # Presence

    def _on_presence(self, there: Presence) -> None:
        if there.window == self._window:
            return
        if there.asks:
            self._publish_position()
        before = self.others
        if there.is_leaving:
            self._others.pop(there.window, None)
        else:
            self._others[there.window] = (replace(there, asks=False), monotonic())
        if self.others != before:
            self.othersMoved.emit()

    def _on_heartbeat(self) -> None:
        self._publish_position()
        self.forget_the_gone()

    def forget_the_gone(self) -> None:
        """Removes clients that timed out."""
        limit = monotonic() - GONE_AFTER_S
        gone = [window for window, (_, heard_at) in self._others.items() if heard_at < limit]
        for window in gone:
            del self._others[window]
        if gone:
            self.othersMoved.emit()

    def _publish_position(self, *, asks: bool = False) -> None:
        if self._listener is not None and (self.problem is None or asks):
            self._listener.send(replace(self._here, who=self._session.who, asks=asks))


def _numbers_of_stored(store: "CorpusStore") -> frozenset[int]:
    return frozenset(one.id for one in store.score_runs())


def _missed(store: "CorpusStore", rows: frozenset[int], kept: frozenset[int]) -> RemoteReading:
    """Returns what may have changed while disconnected."""
    changes, rows = store.changes_after(rows)
    now = _numbers_of_stored(store)
    if now != kept:
        changes |= Changes(kept_scores=True)
    return RemoteReading(changes=changes, rows=rows, kept=now)


def _read_again(
    store: "CorpusStore",
    wanted: Changes,
    known: frozenset[str],
    who: str,
    missed: RemoteReading | None,
) -> RemoteReading:
    """Reloads what changed; `missed` is what may have without notification, None = nothing."""
    if missed is not None:
        wanted |= missed.changes
        known |= missed.changes.touched_topics()
    topics, corpus = list[Topic](), None
    is_whole = wanted.corpus or bool(wanted.topics - known)
    if not is_whole:
        try:
            topics = [store.topic(topic_id) for topic_id in sorted(wanted.touched_topics())]
        except InputError:  # one of them has gone
            is_whole = True
    if is_whole:
        corpus = store.corpus()
    history = store.history(who) if who in wanted.by or missed is not None else None
    found = missed or RemoteReading(changes=wanted)
    return replace(found, changes=wanted, topics=tuple(topics), corpus=corpus, history=history)
