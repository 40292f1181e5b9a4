"""Working times, summed from the operation log.

Edits without a time, by programs or imports, do not count: without any logged time the sum is
undefined, not zero.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from awase.core.errors import Reporter
from awase.core.records.topic import Topic, ids_of, with_progress


class TimesBy(Enum):
    """Grouping of the report."""

    SENTENCE = "sentence"
    TOPIC = "topic"
    ANNOTATOR = "annotator"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedTime:
    """Time and address of a logged edit."""

    annotator: str
    active_ms: int  # milliseconds of work before it; 0 = not measured
    topic: str | None = None  # id of the topic; None = it is about the corpus
    abstract: str | None = None  # id of the abstract; None = it is about none
    n: int | None = None  # number of the abstract sentence; None = it is about none


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpent:
    """A line of the report."""

    annotator: str | None = None  # None = everybody together
    topic: str | None = None  # where; None = in all topics
    abstract: str | None = None
    n: int | None = None
    n_edits: int = 0
    active_ms: int | None = None  # milliseconds of work; None = undefined, as no time was logged
    # Abstract sentences for which time was logged, each once for each annotator.
    n_sentences: int = 0
    sentence_ms: int = 0  # milliseconds of `active_ms` spent on these

    @property
    def mean_ms(self) -> float | None:
        """Milliseconds for each sentence worked on; None = undefined, as there is none."""
        return self.sentence_ms / self.n_sentences if self.n_sentences else None


_Key = tuple[str | None, str | None, str | None, int | None]


def times(
    topics: Sequence[Topic],
    log: Sequence[LoggedTime],
    by: TimesBy,
    reporter: Reporter,
    *,
    annotator: str | None = None,
) -> Sequence[TimeSpent]:
    """Returns a row for each sentence and annotator, each topic, or each annotator.

    Rows are in the corpus's order, worked on or not; removed items follow under their former ids.
    `annotator` None = everybody.
    """
    known: Iterable[_Key] = _known_keys(topics, by, reporter)
    if annotator is not None:
        known = (key for key in known if key[0] in (None, annotator))
    spent = {key: _Spent() for key in known}
    for item in log:
        key = _key_of(item, by)
        if key is not None and annotator in (None, item.annotator):
            spent.setdefault(key, _Spent()).add(item)
    return tuple([one.line(key) for key, one in spent.items()])


def total_of(log: Iterable[LoggedTime], *, annotator: str | None = None) -> TimeSpent:
    """Returns the total."""
    spent = _Spent()
    for item in log:
        if annotator in (None, item.annotator):
            spent.add(item)
    return spent.line((annotator, None, None, None))


def _known_keys(topics: Sequence[Topic], by: TimesBy, reporter: Reporter) -> Iterator[_Key]:
    if by is TimesBy.TOPIC:
        yield from ((None, id_, None, None) for id_ in ids_of(topics))
        return
    for topic in with_progress(topics, reporter):
        for abstract in topic.abstracts:
            people = [alignment.annotator for alignment in abstract.alignments]
            if by is TimesBy.ANNOTATOR:
                yield from ((who, None, None, None) for who in people)
                continue
            for sentence in abstract.sentences:
                yield from ((who, topic.id, abstract.id, sentence.n) for who in people)


def _key_of(item: LoggedTime, by: TimesBy) -> _Key | None:
    """Returns the row of an edit; None = none of this grouping."""
    if by is TimesBy.TOPIC:
        return None if item.topic is None else (None, item.topic, None, None)
    if by is TimesBy.ANNOTATOR:
        return item.annotator, None, None, None
    return None if item.n is None else _place(item)


class _Spent:
    """Sum of times."""

    __slots__ = ("_active_ms", "_n_edits", "_sentence_ms", "_sentences")

    def __init__(self) -> None:
        self._n_edits = self._active_ms = self._sentence_ms = 0
        self._sentences: set[_Key] = set()

    def add(self, item: LoggedTime) -> None:
        self._n_edits += 1
        self._active_ms += item.active_ms
        if item.active_ms > 0 and item.n is not None:
            self._sentence_ms += item.active_ms
            self._sentences.add(_place(item))

    def line(self, key: _Key) -> TimeSpent:
        annotator, topic, abstract, n = key
        return TimeSpent(
            annotator=annotator,
            topic=topic,
            abstract=abstract,
            n=n,
            n_edits=self._n_edits,
            active_ms=self._active_ms or None,
            n_sentences=len(self._sentences),
            sentence_ms=self._sentence_ms,
        )


def _place(item: LoggedTime) -> _Key:
    return item.annotator, item.topic, item.abstract, item.n
