"""The undo stack and the records in memory of an open corpus, and a proxy of a store on a server.

A server may take seconds, or time out. Calls from the GUI thread run on a worker while the window
repaints; key presses and clicks are queued until the result, so that nothing is done twice.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar, cast

from PySide6.QtCore import QEventLoop, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from awase.core.agreement import adjudication
from awase.core.analysis.grading import SAVE_EXTRACT
from awase.core.annotation import actions, content
from awase.core.annotation.formula import label_of, running_numbers
from awase.core.annotation.suggestion import own_view
from awase.core.annotation.visibility import Sight, has_settled, sight_of
from awase.core.errors import CorpusFormatError, Reporter, Silent
from awase.core.records.corpus import Corpus
from awase.core.records.edits import (
    ASSIGN,
    EDIT_PROJECT,
    IMPORT,
    MERGE,
    REMOVE_ABSTRACTS,
    REMOVE_ALIGNMENTS,
    REMOVE_DOCUMENTS,
    REMOVE_HUMAN_SCORES,
    REMOVE_SYSTEMS,
    REMOVE_TOPICS,
    AbstractTextEdit,
    AlignmentEdit,
    Edit,
    GoldEdit,
    RankEdit,
    SourceTextEdit,
)
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic, annotators_of, lengths_of
from awase.core.team.handing_out import is_of
from awase.core.team.parts import Part, has
from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.jobs.running import Mailbox
from awase.storage.addresses import is_url

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.rows.log import Operation
    from awase.storage.store import CorpusStore


_AT_ONCE_S: Final = 0.03  # imperceptible; an event loop costs more than most answers take

_Answer = TypeVar("_Answer")


class RemoteStore:
    """Proxy for slow methods of a store; other attributes are delegated."""

    def __init__(self, store: "CorpusStore") -> None:
        self._store = store

    def __getattr__(self, name: str) -> object:
        value = getattr(self._store, name)
        if not callable(value):
            return value
        return lambda *args, **kwargs: answered(lambda: value(*args, **kwargs))


def answered(work: Callable[[], _Answer]) -> _Answer:
    """Runs `work` on a worker thread and returns its result, while the window repaints."""
    if current_thread() is not main_thread() or QGuiApplication.instance() is None:
        return work()
    loop, told = QEventLoop(), Mailbox[None]()
    told.arrived.connect(loop.quit, Qt.ConnectionType.QueuedConnection)
    with ThreadPoolExecutor(1, "distant store") as pool:
        answer = pool.submit(work)
        answer.add_done_callback(lambda _: told.put(None))
        wait([answer], _AT_ONCE_S)
        if not answer.done():
            QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
            try:
                while not answer.done():
                    loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
            finally:
                QGuiApplication.restoreOverrideCursor()
    return answer.result()


class Waits(Protocol):
    """Runs work with a title and progress."""

    def __call__(self, title: str, work: Callable[[Reporter], _Answer]) -> _Answer:
        """Returns the result of the work, or raises its error or `Cancelled`."""


def wait_silently(title: str, work: Callable[[Reporter], _Answer]) -> _Answer:
    """Runs the work without progress."""
    del title
    return answered(lambda: work(Silent()))


_MOST_NUMBERED: Final = 1_000


class HeldCorpus(QObject):
    """In-memory state of an open corpus; subclasses change it by `_take` or `_put`."""

    _corpus: Corpus
    _is_corpus_stale: bool
    edited_topics: list[str]

    def __init__(
        self, store: "CorpusStore", *, who: str, waits: Waits, parent: QObject | None = None
    ) -> None:
        """`waits` runs steps that may be as long as an import, with progress."""
        super().__init__(parent)
        self._waits = waits
        # The store, for imports and the like; call `reload` after writing to it.
        is_remote = is_url(store.location)
        self.store = cast("CorpusStore", RemoteStore(store)) if is_remote else store
        self.who = who  # id of the annotator at work
        self._numbers: dict[str, dict[SentenceRef, int]] = {}
        self._topics: dict[str, Topic] = {}
        self.n_times_read = 0  # number of full reloads
        self.is_writing = False  # whether an edit is on its way
        self.n_writes = 0

    @property
    def location(self) -> str:
        """Path or address of the corpus."""
        return self.store.location

    @property
    def read_only(self) -> bool:
        return self.store.read_only

    @property
    def frame(self) -> Corpus:
        """The corpus for all but its topics, which may be older than `topics`."""
        return self._corpus

    @property
    def sight(self) -> Sight:
        """Visibility of others' work to the annotator."""
        return sight_of(self._corpus.persons, self.who, is_blind=self._corpus.is_blind)

    def hides_others(self, topic: Topic) -> bool:
        """Returns whether others' alignments of the topic, and its gold, are hidden."""
        is_settled = self.sight is Sight.SETTLED and has_settled(topic, self.who)
        return not is_settled and self.sight is not Sight.ALL

    def seen(self, topic: Topic) -> Topic:
        """Returns the topic without others' alignments and the gold where they are hidden."""
        return own_view(topic, self.who, is_of) if self.hides_others(topic) else topic

    def topic_ids(self) -> tuple[str, ...]:
        """Returns the ids of all topics in the order in which they are shown."""
        return tuple(self._topics)

    def topics(self) -> tuple[Topic, ...]:
        """Returns all topics in display order, an immutable snapshot."""
        return tuple(self._topics.values())

    def topic(self, topic_id: str) -> Topic | None:
        """Returns the topic as it is stored; None when there is none."""
        return self._topics.get(topic_id)

    def sentence_text(self, topic_id: str, abstract_id: str, n: int) -> str:
        """Returns the text of an abstract's sentence, empty where there is none."""
        topic = self.topic(topic_id)
        abstract = topic.abstract(abstract_id) if topic else None
        texts = (one.text for one in abstract.sentences if one.n == n) if abstract else ()
        return next(iter(texts), "")

    def has(self, part: Part) -> bool:
        return has(self.corpus(), part)

    def annotators(self) -> tuple[str, ...]:
        """Returns all annotators, in order of appearance."""
        return annotators_of(self.topics())

    def seen_annotators(self) -> tuple[tuple[str, ...], bool]:
        """Returns the annotators whose work may be seen, and whether any gold may be."""
        topics = [*map(self.seen, self.topics())]
        return annotators_of(topics), any(one.gold for topic in topics for one in topic.abstracts)

    def systems(self) -> tuple[str, ...]:
        """Returns all systems, in order of appearance."""
        outputs = (output for topic in self.topics() for output in topic.outputs)
        return tuple(dict.fromkeys(output.system for output in outputs))

    def lengths(self) -> tuple[str, ...]:
        """Returns the length classes of abstracts, in the order in which they first appear."""
        return lengths_of(self.topics())

    def languages(self) -> tuple[str | None, ...]:
        """Returns the topics' languages, unordered, None included."""
        return tuple({topic.language for topic in self.topics()})

    def has_alignments(self, who: str | None = None) -> bool:
        """Returns whether anybody, or this person, has alignments."""
        known = self.annotators()
        return bool(known) if who is None else who in known

    def titles(self) -> tuple[tuple[str, str], ...]:
        """Returns id and title of each topic, empty where it has none, as they are shown."""
        return tuple((one.id, one.title or "") for one in self.topics())

    def corpus(self) -> Corpus:
        if self._is_corpus_stale:
            self._corpus = self._corpus.with_topics(self.topics())
            self._is_corpus_stale = False
        return self._corpus

    def numbers(self, topic_id: str) -> Mapping[SentenceRef, int]:
        topic = None if topic_id in self._numbers else self.topic(topic_id)
        if topic is not None:
            if len(self._numbers) >= _MOST_NUMBERED:
                self._numbers.clear()
            self._numbers[topic_id] = running_numbers(topic)
        return self._numbers.get(topic_id, {})

    def last_step(self) -> "Operation | None":
        """Returns the annotator's last edit that is not undone, of this or an earlier session."""
        return next(reversed(self.store.history(self.who).done), None)

    def _take(self, corpus: Corpus) -> None:
        self._topics = {topic.id: topic for topic in corpus.topics}
        self.n_times_read += 1
        # Ids of the topics that changed one by one since then, in the order of the changes.
        self.edited_topics = []
        self._corpus = corpus
        self._is_corpus_stale = False
        self._numbers.clear()

    def _put(self, topic: Topic) -> None:
        self._topics[topic.id] = topic
        self.edited_topics.append(topic.id)
        self._is_corpus_stale = True


_TITLES: Mapping[str, str] = {
    actions.LINK: mark("link {subject} to sentence {n}"),
    actions.UNLINK: mark("unlink {subject} from sentence {n}"),
    actions.EXCHANGE: mark("add an alternative with {subject} to sentence {n}"),
    actions.ADD_DUPLICATES: mark("add near-duplicates to sentence {n}"),
    actions.TAKE: mark("accept a suggestion for sentence {n}"),
    actions.REMOVE_ALTERNATIVE: mark("remove an alternative of sentence {n}"),
    actions.NO_SOURCE: mark("mark sentence {n} “no source”"),
    actions.REOPEN: mark("reopen sentence {n}"),
    actions.CONFIRM: mark("confirm sentence {n}"),
    actions.FLAG: mark("flag sentence {n}"),
    actions.UNFLAG: mark("unflag sentence {n}"),
    actions.NOTE: mark("note on sentence {n}"),
    actions.RANK: mark("rank {subject} for sentence {n}"),
    actions.OWN_RANK: mark("own rank {subject} for sentence {n}"),
    content.EDIT_SOURCE_TEXT: mark("edit sentence {subject}"),
    content.EDIT_ABSTRACT_TEXT: mark("edit the text of sentence {n}"),
    content.ADD_ABSTRACT: mark("write abstract {subject}"),
    content.EDIT_ABSTRACT: mark("edit abstract {subject}"),
    content.REMOVE_ABSTRACT: mark("remove abstract {subject}"),
    content.ADD_DOCUMENT: mark("add document {subject}"),
    content.REMOVE_DOCUMENT: mark("remove document {subject}"),
    content.RESPLIT_DOCUMENT: mark("re-split document {subject}"),
    content.EDIT_TOPIC: mark("edit topic {subject}"),
    content.EDIT_GUIDELINES: mark("edit the guidelines"),
    IMPORT: mark("import {subject}"),
    MERGE: mark("take back {subject}"),
    EDIT_PROJECT: mark("change the people: {subject}"),
    ASSIGN: mark("assign work to {subject}"),
    REMOVE_TOPICS: mark("remove topic {subject}"),
    REMOVE_DOCUMENTS: mark("remove document {subject}"),
    REMOVE_ABSTRACTS: mark("remove abstract {subject}"),
    REMOVE_SYSTEMS: mark("remove system {subject}"),
    REMOVE_ALIGNMENTS: mark("remove the alignments of {subject}"),
    REMOVE_HUMAN_SCORES: mark("remove human scores {subject}"),
    SAVE_EXTRACT: mark("save extract {subject}"),
    adjudication.GOLD_TAKE: mark("accept an annotator's alternatives for sentence {n}"),
    adjudication.GOLD_TOGGLE: mark("change the gold of sentence {n}"),
    adjudication.GOLD_UNION: mark("join all for sentence {n}"),
    adjudication.GOLD_INTERSECTION: mark("accept what all have for sentence {n}"),
    adjudication.GOLD_MAJORITY: mark("accept the majority for sentence {n}"),
    adjudication.GOLD_NO_SOURCE: mark("decide “no source” for sentence {n}"),
    adjudication.GOLD_LINK: mark("link by hand in the gold of sentence {n}"),
    adjudication.GOLD_DUPLICATES: mark("add near-duplicates to the gold of sentence {n}"),
    adjudication.GOLD_CONFIRM: mark("confirm the gold of sentence {n}"),
    adjudication.GOLD_FLAG: mark("flag the gold of sentence {n}"),
    adjudication.GOLD_RANK: mark("rank the gold of sentence {n}"),
    adjudication.GOLD_CAUSE: mark("say why they differ on sentence {n}"),
    adjudication.GOLD_NOTE: mark("note on the gold of sentence {n}"),
    adjudication.GOLD_UNANIMOUS: mark("accept unanimous sentences ({subject})"),
    adjudication.GOLD_LOCK: mark("lock the gold of {subject}"),
    adjudication.GOLD_UNLOCK: mark("unlock the gold: {subject}"),
}
_NO_RANK = mark("no rank for sentence {n}")
_OTHER = mark("change sentence {n}")


def title_of(edit: Edit, numbers: Mapping[SentenceRef, int]) -> str:
    title = _TITLES.get(edit.verb, _OTHER)
    if edit.verb == actions.RANK and not edit.subject:
        title = _NO_RANK
    is_about_link = isinstance(edit, AlignmentEdit | SourceTextEdit)
    subject = _subject_text(edit.subject, numbers) if is_about_link else edit.subject
    return tr(title).format(n=number_in(edit), subject=subject)


def number_in(edit: Edit) -> int | None:
    """Returns the abstract sentence that `edit` is about; None when it is about none."""
    if isinstance(edit, AlignmentEdit):
        return edit.new.n
    return edit.n if isinstance(edit, RankEdit | AbstractTextEdit | GoldEdit) else None


def _subject_text(subject: str, numbers: Mapping[SentenceRef, int]) -> str:
    try:
        return label_of(SentenceRef.parse(subject), numbers)
    except CorpusFormatError:
        return subject


_Step = TypeVar("_Step")


class UndoStack(QObject, Generic[_Step]):
    """Steps to undo and to redo, as values: a title is in the language of its request."""

    indexChanged = Signal(int)  # number of steps to undo

    def __init__(
        self,
        title: Callable[[_Step], str],
        take_back: Callable[[_Step], bool],
        repeat: Callable[[_Step], bool],
        parent: QObject,
    ) -> None:
        """`take_back` and `repeat` return whether they could."""
        super().__init__(parent)
        self._title, self._take_back, self._repeat = title, take_back, repeat
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self.is_replaying = False  # whether steps are being replaced: nothing was done or undone

    def index(self) -> int:
        """Returns the number of steps to undo."""
        return len(self._done)

    def canUndo(self) -> bool:
        return bool(self._done)

    def canRedo(self) -> bool:
        return bool(self._undone)

    def undoText(self) -> str:
        """Returns the next step to undo, translated; empty = none."""
        return self._title(self._done[-1]) if self._done else ""

    def redoText(self) -> str:
        """Returns the next step to redo, translated; empty = none."""
        return self._title(self._undone[-1]) if self._undone else ""

    def undo(self) -> None:
        if self._done and self._take_back(self._done[-1]):
            self._undone.append(self._done.pop())
            self.indexChanged.emit(self.index())

    def redo(self) -> None:
        if self._undone and self._repeat(self._undone[-1]):
            self._done.append(self._undone.pop())
            self.indexChanged.emit(self.index())

    def push(self, step: _Step) -> None:
        """Adds a step that was taken, dropping undone ones."""
        self._done.append(step)
        self._undone.clear()
        self.indexChanged.emit(self.index())

    def keep(self, is_there: Callable[[_Step], bool]) -> None:
        """Drops the steps that can no longer be taken."""
        done, undone = [*filter(is_there, self._done)], [*filter(is_there, self._undone)]
        if (done, undone) != (self._done, self._undone):
            self._done, self._undone = done, undone
            self.indexChanged.emit(self.index())

    def rebuild(self, done: Sequence[_Step], undone: Sequence[_Step]) -> None:
        """Replaces the steps, each the last one first to be undone or redone."""
        self._done, self._undone = [*done], [*undone]
        self.is_replaying = True
        self.indexChanged.emit(self.index())
        self.is_replaying = False
