"""An open corpus in the window: records in memory, each change written the moment it happens."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from awase.core.annotation.actions import topic_after
from awase.core.errors import (
    AwaseError,
    Cancelled,
    EnvironmentProblem,
    InputError,
    Reporter,
    Silent,
)
from awase.core.records.abstract import EditEffort
from awase.core.records.corpus import Corpus
from awase.core.records.edits import (
    Changes,
    CorpusEdit,
    CorpusParts,
    Edit,
    GuidelinesEdit,
    frame_of,
)
from awase.core.records.topic import Topic
from awase.gui.kit.forms.controls import documents_folder, file_for
from awase.gui.kit.i18n import mark, tr
from awase.gui.session.undo_stack import HeldCorpus, UndoStack, Waits, title_of, wait_silently
from awase.storage.addresses import ServerUnreachable, is_url

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.core.team.handing_out import Next
    from awase.gui.session.following import Following, RemoteReading
    from awase.storage.postgresql.notices import Presence
    from awase.storage.rows.log import History
    from awase.storage.store import CorpusStore


_LOOK_MS: Final = 1000
_NO_EFFORT: Final = EditEffort()
# Steps that undo reaches back to after a restart; the store's log has all of them.
_MOST_STEPS: Final = 500
_Result = TypeVar("_Result")


class CorpusSession(HeldCorpus):
    """The session of an open store: edits, undo stack, synchronisation.

    Every edit goes through `perform` onto the undo stack. Memory equals the store: when a write
    fails, nothing changes here, and `failed` is emitted.
    """

    changed = Signal(object)  # `Changes`: changed records
    # The `Edit` that took effect; for an undone one its inverse. Follows `changed`.
    edited = Signal(object)
    failed = Signal(object)  # the `AwaseError` of a failed write
    whoLeaving = Signal()  # the annotator at work is about to hand over
    whoChanged = Signal(str)  # another annotator is at work, with an undo stack of their own
    sightChanged = Signal()  # others' work may be hidden from now on: of another annotator, or all
    scoresKept = Signal()  # others stored or removed scores
    othersMoved = Signal()  # other clients joined, moved or left
    # Why server or file is not writable (`EnvironmentProblem`); None = it is.
    connectionChanged = Signal(object)

    def __init__(
        self,
        store: "CorpusStore",
        *,
        who: str,
        corpus: Corpus | None = None,
        waits: Waits | None = None,
        parent: QObject | None = None,
    ) -> None:
        """Loads `store` in full unless `corpus` was loaded by a job."""
        super().__init__(store, who=who, waits=waits or wait_silently, parent=parent)
        self._put_off: list[Callable[[], None]] = []
        self._following: Following | None = None
        self._is_ended = False
        self.topic_in_sight = ""  # id of the topic that the annotator is at; empty = at none
        self._file_problem: EnvironmentProblem | None = None
        self._file_timer = QTimer(parent=self)
        super()._take(corpus if corpus is not None else self.store.corpus())
        self.undo_stack: Final = UndoStack[Edit](
            lambda edit: title_of(edit, self.numbers(edit.topic)),
            self._take_back,
            self._repeat,
            self,
        )
        self._rebuild_undo_stack()

    def file_beside(self, suffix: str, name: str = "") -> Path:
        """Proposes a file beside the corpus; in the user's documents where that is on a server."""
        location = Path(self.location)
        folder = documents_folder() if is_url(self.location) else location.parent
        return file_for(folder, name or location.stem, suffix)

    def parsers(self) -> tuple[str, ...]:
        """Returns the models of the corpus's parses; empty if unreadable."""
        try:
            return tuple(self.store.parse_models())
        except AwaseError:
            return ()

    # Others, on a server

    @property
    def others(self) -> "tuple[Presence, ...]":
        return self._following.others if self._following is not None else ()

    @property
    def connection_problem(self) -> EnvironmentProblem | None:
        """Why server or file is not writable; None = it is."""
        if self._following is not None:
            return self._following.problem
        return self._file_problem

    def follow_others(self) -> None:
        """Starts to apply others' changes and to broadcast this window's position."""
        if not is_url(self.location):
            self._file_timer.timeout.connect(self._look_at_file)
            self._file_timer.start(_LOOK_MS)
            return
        if self._following is not None:
            return
        from awase.gui.session.following import Following

        following = self._following = Following(self, self.store, self)
        following.othersMoved.connect(self.othersMoved)
        following.readAgain.connect(self.apply_remote)
        following.connectionChanged.connect(self.connectionChanged)
        if following.lost is not None:
            following.suspect(following.lost)

    def _look_at_file(self) -> None:
        """Reports that the file was moved or replaced, or is back."""
        was, now = self._file_problem, self.store.file_problem
        self._file_problem = now
        if (was is None) != (now is None):
            self.connectionChanged.emit(now)

    def stop_following(self) -> None:
        """Stops synchronisation; the store is about to be closed."""
        self._is_ended = True
        self._file_timer.stop()
        if self._following is not None:
            self._following.stop()

    def publish_position(self, topic: str, abstract: str, n: int) -> None:
        """Stores the annotator's position, and broadcasts it."""
        self.topic_in_sight = topic
        if self._following is not None:
            self._following.go_to(topic, abstract, n)

    def suspect(self, error: AwaseError) -> None:
        """Looks at once whether the server or the file is gone, as a banner tells."""
        if self._following is not None and isinstance(error, ServerUnreachable):
            self._following.suspect(error)  # what was stored is read when the server is back
        else:
            self.reconnect()

    def reconnect(self) -> None:
        """Checks the connection or file immediately."""
        if self._following is not None:
            self._following.retry()
        else:
            self.store.look_at_file()
            self._look_at_file()

    def apply_remote(self, reading: "RemoteReading") -> None:
        """Applies others' changes; the undo stack stays one's own."""
        known, corpus = self._topics, reading.corpus
        read = corpus.topics if corpus is not None else reading.topics
        topics = [reuse_if_equal(known.get(topic.id), topic) for topic in read]
        differing = {topic.id for topic in topics if known.get(topic.id) is not topic}
        is_frame_new = corpus is not None and frame_of(corpus) != frame_of(self._corpus)
        if corpus is not None:
            differing |= known.keys() - {topic.id for topic in topics}
            self._take(replace(corpus, topics=tuple(topics)))
        else:
            for topic in topics:
                self._put(topic)
            for topic_id in differing:
                self._numbers.pop(topic_id, None)
        if reading.history is not None:
            self._show_history(reading.history)
        if differing or is_frame_new or reading.changes.parses:
            self.changed.emit(narrowed(reading.changes, differing, is_frame_new=is_frame_new))
        if reading.changes.kept_scores:
            self.scoresKept.emit()

    # What can be done

    def wait_for(self, title: str, work: Callable[[Reporter], _Result]) -> _Result:
        """Runs `work` with title and progress."""
        return self._waits(title, work)

    def set_who(self, who: str) -> None:
        """Switches the annotator, if the log of the other one can be read."""
        if who != self.who:
            self.whoLeaving.emit()
            before, self.who = self.who, who
            try:
                self._rebuild_undo_stack()
            except AwaseError as error:
                self.who = before
                self.failed.emit(error)
            else:
                self.sightChanged.emit()
                self.whoChanged.emit(who)

    def perform(self, edit: Edit | None, *, effort: EditEffort = _NO_EFFORT) -> bool:
        """Writes `edit` and pushes it on the undo stack; returns whether it is stored.

        None is an edit that would change nothing.
        """
        if edit is None:
            return True
        is_written = self._step(
            edit,
            mark("Writing: {what} …"),
            lambda reporter: self.store.apply(edit, who=self.who, effort=effort, reporter=reporter),
        )
        if is_written:
            self.undo_stack.push(edit)
        return is_written

    def change(self, change: Callable[[Corpus], Corpus], *, verb: str, subject: str) -> bool:
        """Replaces the corpus by `change(corpus)` as an undoable edit, with progress and Cancel."""
        if not self._may_write():
            return False
        nothing = CorpusParts()
        edit = CorpusEdit(verb=verb, old=nothing, new=nothing, subject=subject)

        def work(reporter: Reporter) -> tuple[Changes, Corpus]:
            changes = self.store.change(
                change, verb=verb, names=(subject,), who=self.who, reporter=reporter
            )
            return changes, self.store.corpus()

        def write() -> Changes:
            title = tr(mark("Writing: {what} …"), what=title_of(edit, {}))
            changes, corpus = self._waits(title, work)
            self._take(corpus)
            self._rebuild_undo_stack()
            return changes

        changes = self._attempt(write)
        return changes is not None and self._accept(edit, changes)

    def claim_next_topic(self) -> "Next | None":
        """Assigns the next free topic to the annotator, undoably; None = failed, see `failed`."""
        if not self._may_write():
            return None
        from awase.gui.session.following import RemoteReading

        def take() -> tuple["Next", RemoteReading]:
            taken, changes = self.store.take_next(who=self.who)
            if not taken.next.taken:
                return taken.next, RemoteReading(changes=changes)
            persons, assignments = taken.frame.persons, taken.frame.assignments
            if any(one.topic not in self._topics for one in assignments):
                corpus = self.store.corpus()  # others brought a topic just now
            else:
                corpus = replace(self.corpus(), persons=persons, assignments=assignments)
            history = self.store.history(self.who)
            return taken.next, RemoteReading(changes=changes, corpus=corpus, history=history)

        found = self._attempt(take)
        if found is None:
            return None
        self.apply_remote(found[1])
        return found[0]

    def reload(self, changes: Changes) -> None:
        """Reloads in a job after writes outside the session, such as an import."""
        try:
            with self._writing():
                self._take(self._waits(tr("Reading the corpus …"), lambda _: self.store.corpus()))
                self._rebuild_undo_stack()
        except AwaseError as error:
            self._refuse(error)
        else:
            self.changed.emit(changes)

    def _attempt(self, write: Callable[[], _Result]) -> _Result | None:
        """Writes what is no step; None = it failed, see `failed`, or was stopped."""
        try:
            with self._writing():
                self._wait_until_prepared()
                return write()
        except Cancelled:
            return None
        except InputError:  # the user can choose otherwise
            raise
        except AwaseError as error:
            self.failed.emit(error)
            return None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Keeps timers off the undo stack while waiting for a server."""
        was_writing, self.is_writing = self.is_writing, True
        try:
            yield
        finally:
            self.is_writing = was_writing
            self.n_writes += 1
            if not was_writing:
                put_off, self._put_off = self._put_off, []
                for does in put_off:
                    self._soon(does)

    def _soon(self, does: Callable[[], None]) -> None:
        """Runs what rebuilds the undo stack, deferred while a step is under way."""

        def between_steps() -> None:
            # A waiting step processes events; a rebuild would free its command under it.
            if self.is_writing:
                self._put_off.append(does)
            elif not self._is_ended:
                does()

        QTimer.singleShot(0, self, between_steps)

    def _may_write(self) -> bool:
        """Returns whether writing is possible now; reports a lost connection."""
        if self.read_only or self.is_writing:
            return False
        if self._file_problem is not None:  # it may be back since the last look
            self.reconnect()
        problem = self.connection_problem
        if problem is not None:
            self.failed.emit(problem)
        return problem is None

    # Steps of the undo stack; the store has the log, and steps through its history

    def _take_back(self, edit: Edit) -> bool:
        return self._step(
            edit.inverse(),
            mark("Undoing: {what} …"),
            lambda reporter: self.store.undo(who=self.who, reporter=reporter),
        )

    def _repeat(self, edit: Edit) -> bool:
        return self._step(
            edit,
            mark("Redoing: {what} …"),
            lambda reporter: self.store.redo(who=self.who, reporter=reporter),
        )

    def _step(self, edit: Edit, title: str, step: Callable[[Reporter], Changes]) -> bool:
        """Writes by `step` what `edit` says; returns whether that was possible."""
        if not self._may_write():
            return False
        with self._writing():
            try:
                self._wait_until_prepared()
                if not isinstance(edit, CorpusEdit):
                    return self._accept(edit, step(Silent()))
                changes, corpus = self._waits(
                    tr(title, what=title_of(edit, {})),
                    lambda reporter: (step(reporter), self.store.corpus()),
                )
            except Cancelled:
                self._soon(self._rebuild_undo_stack)
                return False
            except AwaseError as error:
                return self._refuse(error)
            self._take(corpus)
            return self._accept(edit, changes)

    def _take(self, corpus: Corpus) -> None:
        before = self.sight
        super()._take(corpus)
        if self.sight is not before:
            self.sightChanged.emit()

    def _wait_until_prepared(self) -> None:
        if self.store.blocks_writers:
            self._waits(
                tr("Before the first change, the file is checked and backed up …"),
                self.store.wait_until_backed_up,
            )

    def finish_backup(self) -> None:
        """Waits for the backup before the first change, or stops it; no writes afterwards."""
        if not self.store.owes_backup:
            return
        try:
            self._waits(
                tr("Finishing the backup from before your first change …"),
                self.store.wait_until_backed_up,
            )
        except Cancelled:
            self.store.cancel_backup()
        except EnvironmentProblem:
            return  # already reported

    def _accept(self, edit: Edit, changes: Changes) -> bool:
        topic = self._topics.get(edit.topic)
        if isinstance(edit, GuidelinesEdit):
            self._corpus = replace(self._corpus, guidelines=edit.new)
        elif topic is not None:
            self._put(topic_after(topic, edit))
        if edit.topic in changes.topics:
            self._numbers.pop(edit.topic, None)
        self.changed.emit(changes)
        self.edited.emit(edit)
        return True

    def _refuse(self, error: AwaseError) -> bool:
        """Reports an error, and rebuilds the stack from the store's history."""
        if self._following is not None and isinstance(error, ServerUnreachable):
            self._following.suspect(error)  # what was stored is read when the server is back
        else:
            self._soon(self._catch_up)
        self.failed.emit(error)
        return False

    def _catch_up(self) -> None:
        try:
            with self._writing():
                self._take(self.store.corpus())
                self._rebuild_undo_stack()
        except EnvironmentProblem:
            return  # The disk or the file is gone: what is shown is still what was stored last.
        self.changed.emit(Changes(topics=frozenset(self._topics), corpus=True))

    def _rebuild_undo_stack(self) -> None:
        self._show_history(self.store.history(self.who))

    def _show_history(self, history: "History") -> None:
        done, undone = history.done[-_MOST_STEPS:], history.undone
        self.undo_stack.rebuild([one.edit for one in done], [one.edit for one in undone])


def reuse_if_equal(known: Topic | None, read: Topic) -> Topic:
    """Returns the known object if equal, so that nothing is rebuilt for it."""
    if known is None or known == read:
        return known or read
    return replace(read, documents=known.documents) if known.documents == read.documents else read


def narrowed(changes: Changes, differing: Collection[str], *, is_frame_new: bool) -> Changes:
    """Narrows possible changes to actual ones."""
    named = changes.touched_topics()
    return Changes(
        alignments=frozenset(key for key in changes.alignments if key[0] in differing),
        ranks=frozenset(key for key in changes.ranks if key[0] in differing),
        gold=frozenset(key for key in changes.gold if key[0] in differing),
        topics=frozenset(one for one in differing if one in changes.topics or one not in named),
        corpus=is_frame_new,
        parses=changes.parses,
        by=changes.by or ("",),
    )
