"""State of the Inspect page: every topic's inspection, and caches for explanations."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from awase.core.analysis.explanation import Explanation, best_system, columned, explain
from awase.core.analysis.inspection import (
    InspectedSentence,
    Inspection,
    Key,
    Resemblance,
    inspect_topic,
    joined,
    resemblances,
)
from awase.core.annotation.candidates import TopicIndex
from awase.core.errors import Reporter
from awase.core.metrics.extracts.scorers import EVERYTHING, MINIMAL_COVER, Tsc3Options
from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.topic import TextOutput, Topic
from awase.gui.kit.jobs.running import Job, Jobs, Mailbox, once
from awase.gui.session.session import CorpusSession

_TOLD_EACH: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectOptions:
    """Options of scoring extracts."""

    is_whole_extract: bool = False  # look at all of an extract, not only its first h sentences
    annotator: str = FIRST_ANNOTATOR  # annotator's id; `first` = the first of each abstract

    @property
    def scoring(self) -> Tsc3Options:
        return Tsc3Options(first=EVERYTHING if self.is_whole_extract else MINIMAL_COVER)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicPart:
    """A topic's cached result."""

    topic: Topic
    options: InspectOptions
    found: Inspection


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectionResult:
    """Results so far."""

    parts: Mapping[str, TopicPart] = field(default_factory=dict)
    # Of all of these topics, in the corpus's order.
    all: Inspection = field(default_factory=Inspection)
    # The system with the highest mean coverage over them; empty where none was measured.
    best: str = ""


def inspected(
    topics: Sequence[Topic],
    options: InspectOptions,
    known: Mapping[str, TopicPart],
    reporter: Reporter,
    *,
    first: str | None = None,
    came: Callable[[InspectionResult], None] = lambda _: None,
) -> InspectionResult:
    """Inspects every topic, unchanged ones from `known`.

    Partial results come after the first topic and whenever their number has quadrupled, so that
    reporting costs less than computing.
    """
    parts: dict[str, TopicPart] = {}
    new: list[Topic] = []
    for topic in topics:
        part = known.get(topic.id)
        if part is not None and part.topic == topic and part.options == options:
            parts[topic.id] = part
        else:
            new.append(topic)
    n_known, told_at = len(parts), 1
    for n_new, topic in enumerate(sorted(new, key=lambda one: one.id != first), start=1):
        still_wanted = partial(reporter.advance, n_known + n_new - 1, len(topics), topic.id)
        still_wanted()
        found = inspect_topic(topic, options.annotator, options.scoring, still_wanted)
        parts[topic.id] = TopicPart(topic=topic, options=options, found=found)
        if n_new == told_at and n_new < len(new):  # the last one is reported at the end
            told_at = max(told_at * _TOLD_EACH, n_known)
            came(_found(topics, parts))
    return _found(topics, parts)


def _found(topics: Sequence[Topic], parts: Mapping[str, TopicPart]) -> InspectionResult:
    ordered = {topic.id: parts[topic.id] for topic in topics if topic.id in parts}
    everything = joined(part.found for part in ordered.values())
    sentences = columned(everything.sentences)
    # Here on the worker.
    sentences.columns, sentences.folded, sentences.text_order  # noqa: B018
    everything = replace(everything, sentences=sentences)
    return InspectionResult(parts=ordered, all=everything, best=best_system(everything))


INSPECT_JOB: Final = "inspect"
_QUIET_MS: Final = 150
# Results until then are shown together: each update takes a few frames.
_TOLD_AFTER_MS: Final = 50


class InspectFindings(QObject):
    """Inspects the corpus on a worker, and updates what changed."""

    changed = Signal()  # there is something new to show
    started = Signal(object)  # the `Job` that is under way
    failed = Signal(object)  # the error that ended it

    def __init__(self, session: CorpusSession, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self.options = InspectOptions()
        self._found = InspectionResult()
        self._index: tuple[object, TopicIndex] | None = None
        self._first: str | None = None
        self._job: Job | None = None
        self.is_known = False
        self._is_stale = True
        self._is_watched = False
        self._quiet = once(self, _QUIET_MS, self._compute)
        self._told = once(self, _TOLD_AFTER_MS, self.changed)
        self._run = 0
        # With the number of the run.
        self._known_so_far: Mailbox[tuple[int, InspectionResult]] = Mailbox()
        self._known_so_far.arrived.connect(self._on_came, Qt.ConnectionType.QueuedConnection)
        session.changed.connect(self._on_session_changed)
        session.sightChanged.connect(self._on_sight_changed)

    @property
    def is_under_way(self) -> bool:
        return self._job is not None

    def set_options(self, options: InspectOptions) -> None:
        if options != self.options:
            self.options = options
            self._is_stale = True
            if self._is_watched:
                self._compute()

    def watch(self, is_watched: bool) -> None:
        self._is_watched = is_watched
        if is_watched and self._is_stale:
            self._compute()

    def inspection_of(self, topic_id: str | None) -> Inspection:
        if topic_id is None:
            return self._found.all
        part = self._found.parts.get(topic_id)
        return part.found if part is not None else Inspection()

    def best_system(self, topic_id: str | None) -> str:
        """Returns which system covers most of a topic, or of all when it is None."""
        return self._found.best if topic_id is None else best_system(self.inspection_of(topic_id))

    def explanation(self, key: Key, system: str) -> Explanation | None:
        """Explains a system's coverage of a sentence; None = unavailable."""
        part, abstract = self._inspected(key)
        h = part.found.h.get((key.topic, key.abstract)) if part is not None else None
        if part is None or abstract is None or h is None:
            return None
        return explain(
            part.topic,
            abstract,
            key.n,
            system,
            annotator=self.options.annotator,
            h=h,
            options=self.options.scoring,
            index=self._index_of(part.topic),
        )

    def _inspected(self, key: Key) -> tuple[TopicPart | None, Abstract | None]:
        """Returns what is known of a sentence's topic, and its abstract there."""
        part = self._found.parts.get(key.topic)
        return part, part.topic.abstract(key.abstract) if part is not None else None

    def resemblances(self, sentence: InspectedSentence, system: str) -> tuple[Resemblance, ...]:
        """Returns the sentences similar to each of the system's text; empty = no text."""
        part, abstract = self._inspected(sentence.key)
        output = text_of(part.topic, abstract, system) if part and abstract else None
        if part is None or abstract is None or output is None:
            return ()
        return resemblances(part.topic, abstract, output, self._index_of(part.topic))

    def with_own_references(self, topic_id: str | None) -> tuple[str, tuple[str, ...]]:
        """Returns a topic (None = the first possible) and the systems with own references there."""
        for part in self._found.parts.values():
            if topic_id in (None, part.topic.id):
                systems = dict.fromkeys(output.system for output in _referring(part.topic))
                if systems:
                    return part.topic.id, tuple(systems)
        return topic_id or "", ()

    def beside_own_references(
        self, topic_id: str, system: str
    ) -> list[tuple[Abstract, tuple[Resemblance, ...]]]:
        """Returns each reference of the system's text, with similar sentences."""
        part = self._found.parts.get(topic_id)
        output = next(
            (one for one in _referring(part.topic) if one.system == system) if part else iter(()),
            None,
        )
        if part is None or output is None:
            return []
        result = []
        for number, texts in enumerate(output.references or (), start=1):
            sentences = tuple(AbstractSentence(n=n, text=t) for n, t in enumerate(texts, start=1))
            reference = Abstract(id=str(number), sentences=sentences)
            found = resemblances(part.topic, reference, output, self._index_of(part.topic))
            result.append((reference, found))
        return result

    def _on_session_changed(self, _changes: object) -> None:
        self._is_stale = True
        if self._is_watched:
            self._quiet.start()

    def _on_sight_changed(self) -> None:
        # What is hidden now goes at once, not when the rest is computed.
        self._jobs.drop(INSPECT_JOB)
        self._found, self._job, self.is_known = InspectionResult(), None, False
        self._run += 1
        self.changed.emit()
        self._on_session_changed(None)

    def look_first(self, topic_id: str | None) -> None:
        """Prioritises a topic, restarting a running computation with it."""
        if topic_id == self._first:
            return
        self._first = topic_id
        is_waited_for = topic_id is not None and topic_id not in self._found.parts
        if is_waited_for and self._jobs.running(INSPECT_JOB):
            self._compute()

    def _index_of(self, topic: Topic) -> TopicIndex:
        """Returns the current topic's index; only one is cached, as all would fill the memory."""
        if self._index is None or self._index[0] is not topic.documents:
            self._index = topic.documents, TopicIndex(topic)
        return self._index[1]

    def _compute(self) -> None:
        self._quiet.stop()  # what was to come is computed now
        self._is_stale = False
        topics, seen, options = self._session.topics(), self._session.seen, self.options
        # Results of other options are useless, and would mix with new ones.
        known = {at: one for at, one in self._found.parts.items() if one.options == options}
        self._run += 1
        run, box, first = self._run, self._known_so_far, self._first

        def work(reporter: Reporter) -> InspectionResult:
            def came(found: InspectionResult) -> None:
                box.put((run, found))

            return inspected([*map(seen, topics)], options, known, reporter, first=first, came=came)

        self._job = self._jobs.start(INSPECT_JOB, work, self._on_finished, self._on_failed)
        self.started.emit(self._job)

    @Slot()
    def _on_came(self) -> None:
        came = [found for run, found in self._known_so_far.letters() if run == self._run]
        if came and self._job is not None:
            self._found = came[-1]  # earlier ones would be shown for no time
            if not self._told.isActive():
                self._told.start()

    def _on_finished(self, found: InspectionResult) -> None:
        self._told.stop()
        self._found, self._job, self.is_known = found, None, True
        self.changed.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._is_stale, self._job = True, None
        self.failed.emit(error)


def text_of(topic: Topic, abstract: Abstract, system: str) -> TextOutput | None:
    """Returns the system's text that answers the abstract; None when it has none."""
    texts = [
        output
        for output in topic.outputs
        if isinstance(output, TextOutput)
        and output.system == system
        and output.length in (abstract.length, None)
    ]
    return min(texts, key=lambda output: output.length is None, default=None)


def _referring(topic: Topic) -> Iterator[TextOutput]:
    for output in topic.outputs:
        if isinstance(output, TextOutput) and output.references:
            yield output
