"""Working times from the log, progress of everybody's work, and the topic list of one person.

Edits without a time, by programs or imports, do not count: without any logged time the sum is
undefined, not zero.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from awase.core.errors import Reporter, Silent
from awase.core.records.abstract import Abstract, AlignmentState, AssistOrigin, SentenceAlignment
from awase.core.records.corpus import Assignment, Corpus, is_shared_out, is_work_of
from awase.core.records.topic import Topic, annotators_of, ids_of, select_topics, with_progress
from awase.core.team.assigning import AssignedJob, all_jobs, calibration_of, jobs_of, unassigned


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


_MS_AN_HOUR: Final = 3_600_000
_P90: Final = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonProgress:
    """One person's work."""

    id: str
    name: str
    role: str | None  # one of `ROLES`; None = the corpus does not list them
    n_jobs: int
    n_jobs_done: int
    n_sentences: int
    n_settled: int
    n_flagged: int
    n_timed: int
    # Of the milliseconds of work on each of these; None = no time was logged.
    median_ms: float | None
    p90_ms: float | None  # the 90th percentile of the same
    an_hour: float | None  # abstract sentences worked on in an hour; None = no time was logged
    # The earliest date among abstracts that are not done, ISO 8601; None = none has one.
    due: str | None
    # Mean agreement with the others; None if undefined or not requested.
    alpha: float | None
    n_taken: int = 0
    n_decoys: int = 0
    n_decoys_taken: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The calibration set, and everybody's progress in it."""

    jobs: tuple[AssignedJob, ...]
    n_left: Mapping[str, int]  # person to abstract sentences of them that are not settled
    n_unassigned: int


def progress_of_people(
    corpus: Corpus,
    log: Iterable[LoggedTime],
    alphas: Mapping[str, float | None],
    decoys: Mapping[str, Sequence[bool]] = MappingProxyType({}),
    reporter: Reporter | None = None,
) -> tuple[PersonProgress, ...]:
    """Returns a row for everybody: members of the project, then others with alignments.

    `decoys` tells of each annotator's whether they were accepted.
    """
    topics = with_progress(corpus.topics, reporter or Silent())
    abstracts = {job: _Counts.of(abstract) for job, abstract in all_jobs(topics)}
    known = [person.id for person in corpus.persons]
    everybody = tuple(dict.fromkeys((*known, *annotators_of(corpus.topics))))
    spent = _spent(log)
    return tuple(
        replace(
            _line(corpus, who, abstracts, spent.get(who, ()), alphas.get(who)),
            n_decoys=len(decoys.get(who, ())),
            n_decoys_taken=sum(decoys.get(who, ())),
        )
        for who in everybody
    )


def gate_of(corpus: Corpus) -> Gate | None:
    """Returns the progress of the calibration set; None without one."""
    jobs = calibration_of(corpus)
    if not jobs:
        return None
    topics = select_topics(corpus.topics, {job.topic for job in jobs})
    abstracts = {job: _Counts.of(abstract) for job, abstract in all_jobs(topics)}
    workers = [
        one.id
        for one in corpus.persons
        if any(is_work_of(part, one.id) for part in corpus.assignments)
    ]
    return Gate(
        jobs=jobs,
        n_left={
            who: sum(abstracts[job].n_sentences - abstracts[job].by(who).n_settled for job in jobs)
            for who in workers
        },
        n_unassigned=len(unassigned(corpus)),
    )


def _spent(log: Iterable[LoggedTime]) -> dict[str, list[int]]:
    """Returns milliseconds of work on each abstract sentence by annotator."""
    sums: dict[str, dict[tuple[object, ...], int]] = {}
    for item in log:
        if item.n is not None and item.active_ms > 0:
            place = (item.topic, item.abstract, item.n)
            of_one = sums.setdefault(item.annotator, {})
            of_one[place] = of_one.get(place, 0) + item.active_ms
    return {who: [*of_one.values()] for who, of_one in sums.items()}


def _line(
    corpus: Corpus,
    who: str,
    abstracts: "Mapping[AssignedJob, _Counts]",
    spent: Sequence[int],
    alpha: float | None,
) -> PersonProgress:
    import numpy as np  # the list of topics, which opens with a corpus, does without

    person = next((one for one in corpus.persons if one.id == who), None)
    jobs = jobs_of(corpus, who)
    if not jobs and not is_shared_out(corpus.assignments):
        jobs = tuple(abstracts)
    # Work before assignments counts, too.
    settled = (job for job, counts in abstracts.items() if counts.by(who).n_settled)
    jobs = tuple(dict.fromkeys((*jobs, *settled)))
    own = {job: abstracts[job].by(who) for job in jobs}
    left = {job for job in jobs if own[job].n_settled < abstracts[job].n_sentences}
    open_places = {(job.topic, job.abstract) for job in left} | {(job.topic, None) for job in left}
    dates = [
        one.due
        for one in corpus.assignments
        if is_work_of(one, who) and one.due is not None and (one.topic, one.abstract) in open_places
    ]
    return PersonProgress(
        id=who,
        name=(person.name if person else None) or who,
        role=person.role if person else None,
        n_jobs=len(jobs),
        n_jobs_done=len(jobs) - len(left),
        n_sentences=sum(abstracts[job].n_sentences for job in jobs),
        n_settled=sum(one.n_settled for one in own.values()),
        n_flagged=sum(one.n_flagged for one in own.values()),
        n_timed=len(spent),
        median_ms=float(np.median(spent)) if spent else None,
        p90_ms=float(np.percentile(spent, _P90)) if spent else None,
        an_hour=len(spent) * _MS_AN_HOUR / sum(spent) if spent else None,
        due=min(dates, default=None),
        alpha=alpha,
        n_taken=sum(one.n_taken for one in own.values()),
    )


class _Own(NamedTuple):
    """Counts of sentences that an annotator settled, flagged, and settled as suggested."""

    n_settled: int = 0
    n_flagged: int = 0
    n_taken: int = 0


class _Counts(NamedTuple):
    """Counts of an abstract, which are all that fits into memory of a large corpus."""

    n_sentences: int
    by_annotator: tuple[tuple[str, _Own], ...]

    @classmethod
    def of(cls, abstract: Abstract) -> "_Counts":
        return cls(
            len(abstract.sentences),
            tuple((one.annotator, _own_of(one.sentences)) for one in abstract.alignments),
        )

    def by(self, who: str) -> _Own:
        return next((own for name, own in self.by_annotator if name == who), _Own())


def _own_of(entries: Sequence[SentenceAlignment]) -> _Own:
    settled = [one for one in entries if one.state.is_settled]
    return _Own(
        n_settled=len(settled),
        n_flagged=sum(one.state is AlignmentState.FLAGGED for one in entries),
        n_taken=sum(one.assist is AssistOrigin.TAKEN for one in settled),
    )


class TopicState(Enum):
    """Somebody's progress in a topic."""

    NOTHING = "nothing to align"
    TODO = "to do"
    BEGUN = "begun"
    DONE = "done"


class TopicFilter(Enum):
    """Which topics are listed."""

    ALL = "all"
    MINE = "mine"
    OPEN = "open"
    DONE = "done"
    FLAGGED = "flagged"


class TopicOrder(Enum):
    """Sort keys of topics."""

    WORK = "work"  # by assignment, then in the corpus's order
    NAME = "name"
    PROGRESS = "progress"
    FLAGS = "flags"
    DUE = "due"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicLine:
    """A topic as one person sees it in the list."""

    id: str
    title: str  # of the topic; empty when it has none
    n_settled: int
    n_sentences: int  # abstract sentences to align: all without assignments
    n_flagged: int
    order: int | None  # place among their assignments; None = it has none
    due: str | None  # ISO 8601; None = no date
    others: tuple[tuple[str, int], ...]

    @property
    def state(self) -> TopicState:
        """The person's progress."""
        return state_of(self.n_settled, self.n_sentences, self.n_flagged)


def state_of(n_settled: int, n_sentences: int, n_flagged: int) -> TopicState:
    """Returns the state of a topic from numbers of sentences."""
    if not n_sentences:
        return TopicState.NOTHING
    if n_settled == n_sentences:
        return TopicState.DONE
    return TopicState.BEGUN if n_settled or n_flagged else TopicState.TODO


Work = Mapping[str, tuple[Assignment, ...]]  # topic to a person's assignments in it


def work_of(assignments: Sequence[Assignment], who: str) -> Work | None:
    """Returns the assignments of `who` by topic; None where nothing is assigned to anybody."""
    work: dict[str, tuple[Assignment, ...]] = {}
    for one in assignments:
        if is_work_of(one, who):
            work[one.topic] = (*work.get(one.topic, ()), one)
    return work if work or is_shared_out(assignments) else None


def line_of(topic: Topic, who: str, work: Work | None) -> TopicLine:
    """Returns the topic's row for `who`."""
    given = work.get(topic.id, ()) if work is not None else ()
    is_whole = work is None or not given or any(one.abstract is None for one in given)
    wanted = None if is_whole else {one.abstract for one in given}
    n_settled = n_sentences = n_flagged = 0
    others: dict[str, int] = {}
    for abstract in topic.abstracts:
        is_asked = wanted is None or abstract.id in wanted
        n_sentences += len(abstract.sentences) * is_asked
        for alignment in abstract.alignments:
            states = [entry.state for entry in alignment.sentences]
            settled = sum(state.is_settled for state in states)
            if alignment.annotator != who:
                others[alignment.annotator] = others.get(alignment.annotator, 0) + settled
            elif is_asked:
                n_settled += settled
                n_flagged += states.count(AlignmentState.FLAGGED)
    return TopicLine(
        id=topic.id,
        title=topic.title or "",
        n_settled=n_settled,
        n_sentences=n_sentences,
        n_flagged=n_flagged,
        order=min((one.order for one in given if one.order is not None), default=None),
        due=min((one.due for one in given if one.due is not None), default=None),
        others=tuple(others.items()),
    )


class TopicFinder:
    """Search over all topics' rows; not thread-safe."""

    def __init__(
        self,
        topics: Sequence[Topic],
        who: str,
        work: Work | None,
        seen: Callable[[Topic], Topic] = lambda topic: topic,
    ) -> None:
        """Takes topics in the order of the corpus, `work` as of `work_of`, and what `who` sees."""
        self._topics = [*topics]
        self._texts = [f"{topic.id} {topic.title or ''}".casefold() for topic in topics]
        self._places = {topic.id: place for place, topic in enumerate(topics)}
        self._who, self._work, self._seen = who, work, seen
        self._lines: dict[int, TopicLine] = {}
        self._sorted: dict[tuple[TopicOrder, bool], Sequence[int]] = {}

    def __len__(self) -> int:
        return len(self._topics)

    def place_of(self, topic_id: str) -> int | None:
        """Returns the topic's position; None = there is no such topic."""
        return self._places.get(topic_id)

    def line(self, place: int) -> TopicLine:
        """Returns the line of a topic."""
        if place not in self._lines:
            self._lines[place] = line_of(self._seen(self._topics[place]), self._who, self._work)
        return self._lines[place]

    def renew(self, topics: Iterable[Topic]) -> None:
        """Replaces edited topics."""
        for topic in topics:
            place = self._places[topic.id]
            self._topics[place] = topic
            self._lines.pop(place, None)
            self._sorted.clear()

    def matching(
        self,
        words: str = "",
        shown: TopicFilter = TopicFilter.ALL,
        order: TopicOrder = TopicOrder.WORK,
        *,
        is_descending: bool = False,
    ) -> Sequence[int]:
        """Returns the positions of the topics that match, sorted.

        Ties are in the order of the corpus. All words must occur in id or title,
        case-insensitively; a topic whose id starts with the first one comes first.
        """
        places = self._in_order(order, is_descending=is_descending)
        if shown is not TopicFilter.ALL:
            places = [place for place in places if self._is_shown(place, shown)]
        texts = self._texts
        sought = words.casefold().split()
        for word in sought:
            places = [place for place in places if word in texts[place]]
        if sought:
            first = [place for place in places if texts[place].startswith(sought[0])]
            rest = [place for place in places if not texts[place].startswith(sought[0])]
            places = first + rest
        return places

    def _in_order(self, order: TopicOrder, *, is_descending: bool) -> Sequence[int]:
        if order is TopicOrder.WORK and not self._work and not is_descending:
            return range(len(self))
        known = self._sorted.get((order, is_descending))
        if known is None:
            known = sorted(range(len(self)), key=self._key(order), reverse=is_descending)
            self._sorted[order, is_descending] = known
        return known

    # Any: the keys of one order can be compared, and those of two never meet.
    def _key(self, order: TopicOrder) -> Callable[[int], Any]:
        if order is TopicOrder.NAME:
            topics = self._topics
            return lambda at: (topics[at].id.casefold(), (topics[at].title or "").casefold())
        if order is TopicOrder.PROGRESS:
            return lambda place: _share(self.line(place))
        if order is TopicOrder.FLAGS:
            return lambda place: self.line(place).n_flagged
        known = {
            place: self.line(place)
            for topic_id in self._work or ()
            if (place := self._places.get(topic_id)) is not None
        }
        if order is TopicOrder.DUE:
            dues = {place: (line.due is None, line.due or "") for place, line in known.items()}
            return lambda place: dues.get(place, (True, ""))
        works = {
            place: (False, line.order is None, line.order or 0) for place, line in known.items()
        }
        other = (self._work is not None, True, 0)
        return lambda place: works.get(place, other)

    def _is_shown(self, place: int, shown: TopicFilter) -> bool:
        if self._work is not None and not self._work.get(self._topics[place].id):
            return False
        if shown is TopicFilter.MINE:
            return True
        line = self.line(place)
        if shown is TopicFilter.FLAGGED:
            return line.n_flagged > 0
        state = state_of(line.n_settled, line.n_sentences, line.n_flagged)
        if shown is TopicFilter.DONE:
            return state is TopicState.DONE
        return state in (TopicState.TODO, TopicState.BEGUN)


def _share(line: TopicLine) -> float:
    return line.n_settled / line.n_sentences if line.n_sentences else 2.0
