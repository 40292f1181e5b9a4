"""What the Inspect page knows: every topic's inspection, and what it takes to explain a cell."""

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from awase.core.inspection.explanation import Explanation, explain
from awase.core.inspection.sentences import InspectedSentence, Inspection, Key, joined
from awase.core.inspection.similarity import Resemblance, resemblances
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.output import TextOutput
from awase.core.records.topic import Topic
from awase.gui.kit.jobs.running import Jobs
from awase.gui.pages.inspect.computing import InspectOptions, Part, inspected
from awase.gui.session.session import CorpusSession

INSPECT_JOB: Final = "inspect"
_QUIET_MS: Final = 150


class Findings(QObject):
    """Inspects the corpus off the GUI thread, and again what has changed."""

    changed = Signal()
    """There is something new to show."""
    started = Signal(object)
    """The `Job` that is under way."""
    failed = Signal(object)
    """The error that ended it."""

    def __init__(self, session: CorpusSession, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._options = InspectOptions()
        self._parts: dict[str, Part] = {}
        self._all = Inspection()
        self._is_stale = True
        self._is_watched = False
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._compute)
        session.changed.connect(self._on_session_changed)

    @property
    def options(self) -> InspectOptions:
        """How extracts are looked at."""
        return self._options

    def set_options(self, options: InspectOptions) -> None:
        """Looks at extracts in another way."""
        if options != self._options:
            self._options = options
            self._is_stale = True
            if self._is_watched:
                self._compute()

    def watch(self, is_watched: bool) -> None:
        """Keeps what is found up to date only while somebody looks."""
        self._is_watched = is_watched
        if is_watched and self._is_stale:
            self._compute()

    def inspection_of(self, topic_id: str | None) -> Inspection:
        """Returns what was found in a topic, or in all when it is None."""
        if topic_id is None:
            return self._all
        part = self._parts.get(topic_id)
        return part.found if part is not None else Inspection()

    def explanation(self, key: Key, system: str) -> Explanation | None:
        """Returns why the system covers a sentence as far as it does; None = it cannot."""
        part = self._parts.get(key.topic)
        abstract = part.topic.abstract(key.abstract) if part is not None else None
        h = part.found.h.get((key.topic, key.abstract)) if part is not None else None
        if part is None or abstract is None or h is None:
            return None
        return explain(
            part.topic,
            abstract,
            key.n,
            system,
            annotator=self._options.annotator,
            h=h,
            options=self._options.scoring,
            index=part.index,
        )

    def resemblances(self, sentence: InspectedSentence, system: str) -> tuple[Resemblance, ...]:
        """Returns what each sentence of the system's text resembles; empty = it has no text."""
        part = self._parts.get(sentence.key.topic)
        abstract = part.topic.abstract(sentence.key.abstract) if part is not None else None
        output = text_of(part.topic, abstract, system) if part and abstract else None
        if part is None or abstract is None or output is None:
            return ()
        return resemblances(part.topic, abstract, output, part.index)

    def with_own_references(self, topic_id: str | None) -> tuple[str, tuple[str, ...]]:
        """Returns a topic and the systems whose texts have references of their own there.

        Args:
            topic_id: None = the first topic that has such texts.
        """
        for part in self._parts.values():
            if topic_id in (None, part.topic.id):
                systems = dict.fromkeys(output.system for output in _referring(part.topic))
                if systems:
                    return part.topic.id, tuple(systems)
        return topic_id or "", ()

    def beside_own_references(
        self, topic_id: str, system: str
    ) -> list[tuple[Abstract, tuple[Resemblance, ...]]]:
        """Returns each reference of the system's text, with what the text's sentences resemble."""
        part = self._parts.get(topic_id)
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
            found = resemblances(part.topic, reference, output, part.index)
            result.append((reference, found))
        return result

    def _on_session_changed(self, _changes: object) -> None:
        self._is_stale = True
        if self._is_watched:
            self._quiet.start()

    def _compute(self) -> None:
        self._is_stale = False
        topics, options, known = self._session.topics(), self._options, dict(self._parts)
        job = self._jobs.start(
            INSPECT_JOB, lambda reporter: inspected(topics, options, known, reporter)
        )
        job.finished.connect(self._on_finished)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self.started.emit(job)

    def _on_finished(self, parts: dict[str, Part]) -> None:
        self._parts = parts
        self._all = joined(part.found for part in parts.values())
        self.changed.emit()

    def _on_cancelled(self) -> None:
        self._is_stale = True
        self.changed.emit()

    def _on_failed(self, error: BaseException) -> None:
        self._is_stale = True
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
    """Yields the texts that have references of their own."""
    for output in topic.outputs:
        if isinstance(output, TextOutput) and output.references:
            yield output
