"""How long annotators worked, summed from what the operation log says of each edit.

An edit for which no time was taken, as by a program or an import, says nothing: where no time was
logged at all, the time is undefined and not zero.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import ids_of


class TimesBy(Enum):
    """What a line of the report is about."""

    SENTENCE = "sentence"
    TOPIC = "topic"
    ANNOTATOR = "annotator"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedTime:
    """What the log says of one edit.

    Attributes:
        annotator: Who made it.
        active_ms: Milliseconds of work that led to it; 0 = no time was taken.
        topic: Id of the topic; None = it is about the corpus.
        abstract: Id of the abstract; None = it is about none.
        n: Number of the abstract sentence; None = it is about none.
    """

    annotator: str
    active_ms: int
    topic: str | None = None
    abstract: str | None = None
    n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpent:
    """A line of the report.

    Attributes:
        annotator: Who; None = everybody together.
        topic: Where; None = in all topics.
        abstract: In lines about one sentence.
        n: In lines about one sentence.
        n_edits: Edits logged.
        active_ms: Milliseconds of work; None = undefined, as no time was logged.
        n_sentences: Abstract sentences for which time was logged, each once for each annotator.
        sentence_ms: Milliseconds of `active_ms` spent on these.
    """

    annotator: str | None = None
    topic: str | None = None
    abstract: str | None = None
    n: int | None = None
    n_edits: int = 0
    active_ms: int | None = None
    n_sentences: int = 0
    sentence_ms: int = 0

    @property
    def mean_ms(self) -> float | None:
        """Milliseconds for each sentence worked on; None = undefined, as there is none."""
        return self.sentence_ms / self.n_sentences if self.n_sentences else None


_Key = tuple[str | None, str | None, str | None, int | None]


def times(
    topics: Sequence[Topic],
    log: Iterable[LoggedTime],
    by: TimesBy,
    *,
    annotator: str | None = None,
) -> tuple[TimeSpent, ...]:
    """Returns a line for each sentence and annotator, each topic, or each annotator.

    What the corpus has comes in the corpus's order, annotated or not; what was worked on but is
    gone by now, under a number or an id of then, follows.

    Args:
        topics: Of the corpus.
        log: Of its edits, undone ones too: they took time all the same.
        by: What a line is about.
        annotator: Count this one's work only.
    """
    counted = [item for item in log if annotator in (None, item.annotator)]
    groups: dict[_Key, list[LoggedTime]] = {
        key: []
        for key in _known_keys(topics, by)
        if annotator is None or key[0] in (None, annotator)
    }
    for item in counted:
        key = _key(item, by)
        if key is not None:
            groups.setdefault(key, []).append(item)
    return tuple(_line(key, items) for key, items in groups.items())


def total_of(log: Iterable[LoggedTime], *, annotator: str | None = None) -> TimeSpent:
    """Returns the line about everything."""
    items = [item for item in log if annotator in (None, item.annotator)]
    return _line((annotator, None, None, None), items)


def _known_keys(topics: Sequence[Topic], by: TimesBy) -> Iterable[_Key]:
    if by is TimesBy.TOPIC:
        yield from ((None, id_, None, None) for id_ in ids_of(topics))
        return
    for topic in topics:
        for abstract in topic.abstracts:
            people = [alignment.annotator for alignment in abstract.alignments]
            if by is TimesBy.ANNOTATOR:
                yield from ((who, None, None, None) for who in people)
                continue
            for sentence in abstract.sentences:
                yield from ((who, topic.id, abstract.id, sentence.n) for who in people)


def _key(item: LoggedTime, by: TimesBy) -> _Key | None:
    if by is TimesBy.ANNOTATOR:
        return (item.annotator, None, None, None)
    if by is TimesBy.TOPIC:
        return None if item.topic is None else (None, item.topic, None, None)
    if item.n is None:
        return None
    return (item.annotator, item.topic, item.abstract, item.n)


def _line(key: _Key, items: Sequence[LoggedTime]) -> TimeSpent:
    timed = [item for item in items if item.active_ms > 0]
    on_sentences = [item for item in timed if item.n is not None]
    sentences: Mapping[object, None] = dict.fromkeys(
        (item.annotator, item.topic, item.abstract, item.n) for item in on_sentences
    )
    annotator, topic, abstract, n = key
    return TimeSpent(
        annotator=annotator,
        topic=topic,
        abstract=abstract,
        n=n,
        n_edits=len(items),
        active_ms=sum(item.active_ms for item in timed) if timed else None,
        n_sentences=len(sentences),
        sentence_ms=sum(item.active_ms for item in on_sentences),
    )
