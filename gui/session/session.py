"""An open corpus in the window: records in memory, each change written the moment it happens."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from awase.core.agreement.blinding import Sight, sight_of
from awase.core.annotation.applying import topic_after
from awase.core.annotation.formula import running_numbers
from awase.core.annotation.held_topics import HeldTopics, held
from awase.core.annotation.overview import annotators_of
from awase.core.errors import AwaseError, Cancelled, EnvironmentProblem
from awase.core.progress import Reporter, Silent
from awase.core.project.parts import Part, has
from awase.core.project.topic_list import TopicTally, tally_of
from awase.core.records.assist import AssistSettings, Effort
from awase.core.records.corpus import Corpus, RankWeights
from awase.core.records.edits.edit import CorpusEdit, Edit, GuidelinesEdit
from awase.core.records.human_score import HumanScore
from awase.core.records.identifiers import SentenceRef
from awase.core.records.parts.corpus_parts import frame_of
from awase.core.records.project import Assignment, Person
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicsOnDemand
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.session.remote_store import answered, store_for_window
from awase.gui.session.undo import EditCommand, title_of
from awase.storage.databases.addresses import is_url
from awase.storage.databases.unreachable import ServerUnreachable
from awase.storage.rows.changes import Changes

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.core.project.next_free import Next
    from awase.core.records.parts.corpus_parts import Frame
    from awase.gui.session.following import Following, Reading
    from awase.storage.log.operations import History, Operation
    from awase.storage.opening.lock import Holder
    from awase.storage.sharing.notices import Presence
    from awase.storage.store import CorpusStore

_MOST_NUMBERED: Final = 1_000
_MOST_READ: Final = 3
_MOST_STEPS: Final = 500
"""Steps that the undo menu reaches back to after a restart; the store's log has all of them."""


class CorpusSession(QObject):
    """Wraps an open store for the window.

    Every edit goes through `perform`, which leaves it on the undo stack. What is in memory is what
    is stored: when a write fails, nothing changes here, and `failed` says why.
    """

    _corpus: Corpus
    _is_corpus_stale: bool
    _topics: HeldTopics

    changed = Signal(object)
    """`Changes`: which records are no longer what they were."""
    edited = Signal(object)
    """The `Edit` that took effect; for an undone one its inverse. Follows `changed`."""
    failed = Signal(object)
    """The `AwaseError` that kept an edit from being written."""
    whoLeaving = Signal()
    """The annotator at work is about to hand over."""
    whoChanged = Signal(str)
    """Another annotator is at work, with an undo stack of their own."""
    scoresKept = Signal()
    """Others kept scores, or removed kept ones."""
    othersMoved = Signal()
    """Others who have the corpus open are elsewhere, or others."""
    connectionChanged = Signal(object)
    """The `EnvironmentProblem` that keeps the server from being reached; None = it is back."""

    def __init__(
        self,
        store: "CorpusStore",
        *,
        who: str,
        corpus: Corpus | None = None,
        waits: "Waits | None" = None,
        parent: QObject | None = None,
    ) -> None:
        """Wraps `store`, read in full unless `corpus`, as read by a job, is given.

        Args:
            store: Where it is stored.
            who: The annotator at work.
            corpus: What is stored.
            waits: Does steps that may be as long as an import, and says how far they are.
            parent: Of the object.
        """
        super().__init__(parent)
        self._store = store_for_window(store)
        self._who = who
        self._waits = waits or _wait_silently
        self._is_writing = False
        self._n_writes = 0
        self._following: Following | None = None
        self._is_replaying = False
        self._is_failing = False
        self._topic_in_sight = ""
        self._numbers: dict[str, dict[SentenceRef, int]] = {}
        self._topics = held(())
        self._n_times_read = 0
        self._take(corpus if corpus is not None else self._store.corpus_held())
        self.undo_stack: Final = QUndoStack(self)
        self._rebuild_undo_stack()

    # What is there

    @property
    def who(self) -> str:
        """Id of the annotator at work."""
        return self._who

    @property
    def location(self) -> str:
        """Path or address of the corpus."""
        return self._store.location

    @property
    def read_only(self) -> bool:
        """Whether nothing can be changed."""
        return self._store.read_only

    @property
    def holder(self) -> "Holder | None":
        """Who has the corpus open for writing, when it is not us; otherwise None."""
        return self._store.holder

    @property
    def store(self) -> "CorpusStore":
        """The store, for imports and the like; call `reload` after a write behind the session."""
        return self._store

    @property
    def name(self) -> str:
        """What people call the corpus."""
        return self._corpus.name

    @property
    def rank_weights(self) -> RankWeights:
        """(rank, weight) in order of importance."""
        return self._corpus.rank_weights

    @property
    def human_scores(self) -> tuple[HumanScore, ...]:
        """What people scored."""
        return self._corpus.human_scores

    @property
    def sight(self) -> Sight:
        """How much of others' work the annotator at work may see."""
        return sight_of(self._corpus.persons, self._who, is_blind=self._corpus.is_blind)

    @property
    def assist(self) -> AssistSettings:
        """How annotators are helped."""
        return self._corpus.assist

    @property
    def persons(self) -> tuple[Person, ...]:
        """Who works on it; nobody = whoever opens it."""
        return self._corpus.persons

    @property
    def assignments(self) -> tuple[Assignment, ...]:
        """Who is to align what."""
        return self._corpus.assignments

    @property
    def guidelines(self) -> str:
        """What annotators are to keep to, in Markdown; empty when there are none."""
        return self._corpus.guidelines

    @property
    def topic_in_sight(self) -> str:
        """Id of the topic that the annotator is at; empty = at none."""
        return self._topic_in_sight

    def topic_ids(self) -> tuple[str, ...]:
        """Returns the ids of all topics in the order in which they are shown."""
        return self._topics.ids

    @property
    def is_large(self) -> bool:
        """Whether there are so many topics that each is read when it is needed."""
        return isinstance(self._corpus.topics, TopicsOnDemand)

    def topics(self) -> Sequence[Topic]:
        """Returns all topics in the order in which they are shown; what is returned stays so.

        Where the corpus is large, going through all takes minutes: that is for other threads.
        """
        return self._topics.all()

    def topic(self, topic_id: str) -> Topic | None:
        """Returns the topic as it is stored; None when there is none."""
        return self._topics.get(topic_id)

    def has(self, part: Part) -> bool:
        """Returns whether the corpus has any of these."""
        return self._store.has_part(part) if self.is_large else has(self.corpus(), part)

    def annotators(self) -> tuple[str, ...]:
        """Returns everybody who aligned anything, in the order in which they first appear."""
        return self._store.annotators() if self.is_large else annotators_of(self.topics())

    def systems(self) -> tuple[str, ...]:
        """Returns everybody whose outputs are there, in the order in which they first appear."""
        if self.is_large:
            return self._store.systems()
        outputs = (output for topic in self.topics() for output in topic.outputs)
        return tuple(dict.fromkeys(output.system for output in outputs))

    def titles(self) -> tuple[tuple[str, str], ...]:
        """Returns id and title of each topic, empty where it has none, as they are shown."""
        listed = self._store.outline() if self.is_large else self.topics()
        return tuple((one.id, one.title or "") for one in listed)

    def tallies(self) -> Iterator[TopicTally]:
        """Yields how far each topic is, in the order in which they are shown."""
        return self._store.tallies() if self.is_large else map(tally_of, self.topics())

    def wait_for(self, title: str, work: "Callable[[Reporter], _Result]") -> "_Result":
        """Returns what `work` returns, while the window says what it is called and how far it is.

        Raises:
            Cancelled: The user stopped it.
        """
        return self._waits(title, work)

    @property
    def n_times_read(self) -> int:
        """How often all topics may have changed at once."""
        return self._n_times_read

    @property
    def edited_topics(self) -> Sequence[str]:
        """Ids of the topics that changed one by one since then, in the order of the changes."""
        return self._edited_topics

    def topics_to_settle(self, topic_id: str) -> Sequence[Topic]:
        """Returns topics of which one has the next sentence to settle; others may be left out.

        Args:
            topic_id: From which it is looked for; it is among them.
        """
        if not self.is_large:
            return self.topics()
        here = self.topic(topic_id)
        has_place = here is not None and here.abstracts  # else it is looked for from the beginning
        following = self._store.next_unsettled_topic(self._who, topic_id if has_place else "")
        found = (here, self.topic(following) if following is not None else None)
        return tuple(topic for topic in found if topic is not None)

    def corpus(self) -> Corpus:
        """Returns everything as it is stored."""
        if self._is_corpus_stale:
            self._corpus = self._corpus.with_topics(self.topics())
            self._is_corpus_stale = False
        return self._corpus

    def numbers(self, topic_id: str) -> Mapping[SentenceRef, int]:
        """Returns the running numbers of the topic's source sentences."""
        topic = None if topic_id in self._numbers else self.topic(topic_id)
        if topic is not None:
            if len(self._numbers) >= _MOST_NUMBERED:
                self._numbers.clear()
            self._numbers[topic_id] = running_numbers(topic)
        return self._numbers.get(topic_id, {})

    def last_step(self) -> "Operation | None":
        """Returns the annotator's last edit that stands, of this or an earlier session."""
        return next(reversed(self._store.history(self._who).done), None)

    # Others, on a server

    @property
    def is_writing(self) -> bool:
        """Whether an edit is on its way."""
        return self._is_writing

    @property
    def n_writes(self) -> int:
        """How often something was written here."""
        return self._n_writes

    @property
    def others(self) -> "tuple[Presence, ...]":
        """Who else has the corpus open, and where they are."""
        return self._following.others if self._following is not None else ()

    @property
    def connection_problem(self) -> EnvironmentProblem | None:
        """What keeps the server from being reached; None = nothing does, or it is a file."""
        return self._following.problem if self._following is not None else None

    def follow_others(self) -> None:
        """Begins to take in what others do, and to tell them where this window is."""
        if not is_url(self.location) or self._following is not None:
            return
        from awase.gui.session.following import Following

        following = self._following = Following(self, self._store, self)
        following.othersMoved.connect(self.othersMoved)
        following.connectionChanged.connect(self.connectionChanged)

    def stop_following(self) -> None:
        """Hears and says nothing more."""
        if self._following is not None:
            self._following.stop()

    def tell_position(self, topic: str, abstract: str, n: int) -> None:
        """Remembers where the annotator is, and tells the others."""
        self._topic_in_sight = topic
        if self._following is not None:
            self._following.go_to(topic, abstract, n)

    def reconnect(self) -> None:
        """Looks at once whether the server is back."""
        if self._following is not None:
            self._following.retry()

    def take_in(self, reading: "Reading") -> None:
        """Puts what others wrote in the place of what was there; undo stays one's own."""
        known = self._topics
        if reading.corpus is not None:
            topics = [_kept(known.get(topic.id), topic) for topic in reading.corpus.topics]
            gone = {*known.ids} - {topic.id for topic in topics}
            is_frame_new = frame_of(reading.corpus) != frame_of(self._corpus)
            differing = {topic.id for topic in topics if known.get(topic.id) is not topic} | gone
            self._take(replace(reading.corpus, topics=tuple(topics)))
        else:
            is_frame_new = False
            topics = [_kept(known.get(topic.id), topic) for topic in reading.topics]
            differing = {topic.id for topic in topics if known.get(topic.id) is not topic}
            for topic in topics:
                known.put(topic)
                self._edited_topics.append(topic.id)
            self._is_corpus_stale = True
            for topic_id in differing:
                self._numbers.pop(topic_id, None)
        if reading.history is not None:
            self._rebuild_undo_stack(reading.history)
        if differing or is_frame_new or reading.changes.parses:
            self.changed.emit(_narrowed(reading.changes, differing, is_frame_new))
        if reading.changes.kept_scores:
            self.scoresKept.emit()

    # What can be done

    def set_who(self, who: str) -> None:
        """Lets another annotator work on."""
        if who != self._who:
            self.whoLeaving.emit()
            self._who = who
            self._rebuild_undo_stack()
            self.whoChanged.emit(who)

    def perform(self, edit: Edit, *, active_ms: int = 0, effort: Effort | None = None) -> bool:
        """Writes `edit` and puts it on the undo stack; returns whether it was written.

        Args:
            edit: The edit.
            active_ms: Milliseconds worked on it.
            effort: That and more, in its place.
        """
        if not self._may_write():
            return False
        self._is_failing = False
        text = title_of(edit, self.numbers(edit.topic))
        taken = effort or Effort(active_ms=active_ms)
        with self._writing():
            self.undo_stack.push(EditCommand(edit, self, text, effort=taken))
        return not self._is_failing

    def take_next_topic(self) -> "Next | None":
        """Gives the annotator the next free topic; None = that was not possible, as `failed` says.

        What was taken stands on the undo stack.
        """
        if not self._may_write():
            return None
        from awase.gui.session.following import Reading

        try:
            with self._writing():
                self._wait_until_prepared()
                taken, changes = self._store.take_next(who=self._who)
                corpus = self._with_frame(taken.frame) if taken.next.taken else None
                history = self._store.history(self._who) if taken.next.taken else None
        except Cancelled:
            return None
        except AwaseError as error:
            self.failed.emit(error)
            return None
        self.take_in(Reading(changes=changes, corpus=corpus, history=history))
        return taken.next

    def _with_frame(self, frame: "Frame") -> Corpus:
        """Returns the corpus with the people and the work that are stored now."""
        known = frozenset(self._topics.ids)
        if any(one.topic not in known for one in frame.assignments):
            return self._store.corpus_held()  # others brought a topic just now
        return replace(self.corpus(), persons=frame.persons, assignments=frame.assignments)

    def undo(self) -> None:
        """Takes the last edit back."""
        if self._may_write():
            with self._writing():
                self.undo_stack.undo()

    def redo(self) -> None:
        """Makes the edit that was taken back last, again."""
        if self._may_write():
            with self._writing():
                self.undo_stack.redo()

    def reload(self, changes: Changes) -> None:
        """Reads what was written behind the session, by an import for example."""
        with self._writing():
            self._take(self._store.corpus_held())
            self._rebuild_undo_stack()
        self.changed.emit(changes)

    def retranslate(self) -> None:
        """Puts the undo stack's texts in the window's language."""
        self._rebuild_undo_stack()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Keeps what a timer does while a server is waited for out of the undo stack."""
        was_writing, self._is_writing = self._is_writing, True
        try:
            yield
        finally:
            self._is_writing = was_writing
            self._n_writes += 1

    def _may_write(self) -> bool:
        """Returns whether something can be written now; a lost connection is told."""
        return not (self.read_only or self._is_writing or self._is_cut_off())

    def _is_cut_off(self) -> bool:
        """Returns whether nothing can be written now, and says so."""
        problem = self.connection_problem
        if problem is not None:
            self.failed.emit(problem)
        return problem is not None

    # Steps of the undo commands

    def write(self, edit: Edit, effort: Effort) -> bool:
        """Writes an edit for the first time; returns whether that was possible."""

        def write(reporter: Reporter) -> Changes:
            return self._store.apply(edit, who=self._who, effort=effort, reporter=reporter)

        return self._step(edit, mark("Writing: {what} …"), write)

    def step_back(self, edit: Edit) -> bool:
        """Takes the last edit back; returns whether that was possible."""
        if self._is_replaying:
            return True

        def undo(reporter: Reporter) -> Changes:
            return self._store.undo(who=self._who, reporter=reporter)

        return self._step(edit.inverse(), mark("Undoing: {what} …"), undo)

    def step_forward(self, edit: Edit) -> bool:
        """Makes the edit that was taken back last, again; returns whether that was possible."""
        if self._is_replaying:
            return True

        def redo(reporter: Reporter) -> Changes:
            return self._store.redo(who=self._who, reporter=reporter)

        return self._step(edit, mark("Redoing: {what} …"), redo)

    def _step(self, edit: Edit, title: str, step: Callable[[Reporter], Changes]) -> bool:
        try:
            self._wait_until_prepared()
            if not isinstance(edit, CorpusEdit):
                self._topics.before_change(edit.topic)
                return self._accept(edit, step(Silent()))
            self._topics.end()
            self._is_corpus_stale = True  # what was handed out has ended, also if this is stopped
            written = self._waits(
                tr(title, what=title_of(edit, {})),
                lambda reporter: Written(step(reporter), self._store.corpus_held()),
            )
        except Cancelled:
            return self._stay()
        except AwaseError as error:
            return self._refuse(error)
        self._take(written.corpus)
        return self._accept(edit, written.changes)

    def _wait_until_prepared(self) -> None:
        if not self._store.is_prepared:
            self._waits(
                tr("Before the first change, the file is checked and backed up …"),
                self._store.wait_until_writable,
            )

    def _accept(self, edit: Edit, changes: Changes) -> bool:
        topic = self._topics.get(edit.topic)
        if isinstance(edit, GuidelinesEdit):
            self._corpus = replace(self._corpus, guidelines=edit.new)
        elif topic is not None:
            self._topics.put(topic_after(topic, edit))
            self._edited_topics.append(topic.id)
            self._is_corpus_stale = True
        if edit.topic in changes.topics:
            self._numbers.pop(edit.topic, None)
        self.changed.emit(changes)
        self.edited.emit(edit)
        return True

    def _refuse(self, error: AwaseError) -> bool:
        """Says what went wrong, and lets the stack be what the store's history says it is.

        The stack cannot be rebuilt from within one of its own steps.
        """
        self._is_failing = True
        if self._following is not None and isinstance(error, ServerUnreachable):
            self._following.suspect(error)  # what was stored is read when the server is back
        else:
            QTimer.singleShot(0, self, self._catch_up)
        self.failed.emit(error)
        return False

    def _stay(self) -> bool:
        """Lets the stack be as it was before a step that was stopped."""
        self._is_failing = True
        QTimer.singleShot(0, self, self._rebuild_undo_stack)
        return False

    def _catch_up(self) -> None:
        try:
            with self._writing():
                self._take(self._store.corpus_held())
                self._rebuild_undo_stack()
        except EnvironmentProblem:
            return  # The disk or the file is gone: what is shown is still what was stored last.
        self.changed.emit(Changes(topics=frozenset(self._topics.ids), corpus=True))

    def _take(self, corpus: Corpus) -> None:
        self._topics.end()
        self._topics = held(corpus.topics)
        self._n_times_read += 1
        self._edited_topics: list[str] = []
        self._corpus = corpus
        # What of a large one is handed out has to outlast the edits.
        self._is_corpus_stale = self.is_large
        self._numbers.clear()

    def _rebuild_undo_stack(self, known: "History | None" = None) -> None:
        history = known if known is not None else self._store.history(self._who)
        done, undone = history.done[-_MOST_STEPS:], history.undone
        self._is_replaying = True
        try:
            self.undo_stack.clear()
            numbered = self._numbered(operation.edit.topic for operation in (*undone, *done))
            for operation in (*done, *reversed(undone)):
                topic = operation.edit.topic
                text = title_of(operation.edit, self.numbers(topic) if topic in numbered else {})
                self.undo_stack.push(EditCommand.of_history(operation.edit, self, text))
            self.undo_stack.setIndex(len(done))
        finally:
            self._is_replaying = False

    def _numbered(self, topics: Iterable[str]) -> Collection[str]:
        """Returns those of the topics whose sentences are called by their numbers in the menu.

        Of a large corpus these are the last ones: no topic is read for a text that nobody sees.
        """
        if not self.is_large:
            return frozenset(topics)
        return {*[*dict.fromkeys(reversed([*topics]))][:_MOST_READ]}


_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Written:
    """What came of a step, and the corpus after it."""

    changes: Changes
    corpus: Corpus


class Waits(Protocol):
    """Does some work while the window says what it is called and how far it is."""

    def __call__(self, title: str, work: Callable[[Reporter], _Result]) -> _Result:
        """Returns what the work returns; raises what it raises, or Cancelled."""


def _wait_silently(title: str, work: Callable[[Reporter], _Result]) -> _Result:
    del title
    return answered(lambda: work(Silent()))


def _kept(known: Topic | None, read: Topic) -> Topic:
    """Returns what is known where it is what was read, so that nothing is made anew for it."""
    if known is None or known == read:
        return known or read
    return replace(read, documents=known.documents) if known.documents == read.documents else read


def _narrowed(changes: Changes, differing: Collection[str], is_frame_new: bool) -> Changes:
    """Returns what really changed of what may have."""
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
