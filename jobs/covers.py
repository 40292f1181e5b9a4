"""Minimal covers of the abstracts of a corpus, and h of one abstract by every annotator."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from awase.core.errors import Cancelled, InputError, Reporter
from awase.core.metrics.extracts.gold import (
    CoverReport,
    KnownSize,
    cover_problem,
    cover_report,
    gold_of,
    known_size_of_cover,
)
from awase.core.metrics.kit.outputs import AnnotatorChoice, Annotators
from awase.core.metrics.kit.supplies import TIME_LIMIT_S
from awase.core.records.abstract import Abstract, Alignment
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.core.solvers.cover import MinimalCover
from awase.core.solvers.cover_solving import wait_for_cover
from awase.jobs.subset import check_known


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverRequest:
    """Which covers are wanted."""

    abstracts: tuple[str, ...] = ()  # ids of abstracts; none named = all
    # Annotators as in the metrics' option: `first`, `gold`, `all` or a name.
    annotators: tuple[str, ...] = (AnnotatorChoice.FIRST,)
    excluded: tuple[str, ...] = ()  # ids of documents to do without
    # Seconds for each abstract that is not easy; None = no limit.
    time_limit_s: float | None = TIME_LIMIT_S

    @property
    def choices(self) -> tuple[Annotators, ...]:
        """The parsed `annotators`."""
        return tuple(map(Annotators.parse, self.annotators))

    @property
    def is_of_several(self) -> bool:
        """Whether an abstract may have several covers, so that annotators must be named."""
        return len(self.annotators) > 1 or any(
            one.choice is AnnotatorChoice.ALL for one in self.choices
        )

    def check(self, corpus: Corpus) -> None:
        """Raises for unknown names."""
        abstracts = dict.fromkeys(one.id for topic in corpus.topics for one in topic.abstracts)
        check_known("abstract", self.abstracts, [*abstracts])
        for one in self.choices:
            one.check(corpus)
        if self.excluded:  # of documents no shape knows
            documents = dict.fromkeys(d.id for topic in corpus.topics for d in topic.documents)
            check_known("document", self.excluded, [*documents])
        if not abstracts:
            raise InputError.of("There is no abstract to cover.", "Import abstracts first.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstractCover:
    """The minimal cover of one abstract by one annotator's alignment."""

    topic: str
    abstract: str
    annotator: str | None  # None when there is no alignment
    skipped: tuple[int, ...]  # numbers of abstract sentences without any alternative
    unsettled: tuple[int, ...]  # numbers of those that count but are not confirmed
    # None when no sentence has an alternative, so that nothing is to be covered.
    report: CoverReport | None
    is_stopped: bool = False

    @property
    def is_provisional(self) -> bool:
        """Whether the annotation is unfinished, so that h may change."""
        return bool(self.skipped or self.unsettled)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverResults:
    """The covers, or those found before the user stopped the work."""

    covers: Sequence[AbstractCover]  # in the order of the corpus
    # Topic, abstract and annotator of skipped ones.
    left: Sequence[tuple[str, str, str | None]] = ()
    is_stopped: bool = False


def find_covers(corpus: Corpus, request: CoverRequest, reporter: Reporter) -> CoverResults:
    """Returns the minimal covers of the abstracts, partial when stopped, by Ctrl+C in a terminal.

    The reporter receives each abstract, and bounds on h of slow ones.
    """
    request.check(corpus)
    n_wanted = sum(1 for _ in _wanted(corpus.topics, request))
    covers: list[AbstractCover] = []
    is_stopped = False
    try:
        for idx, (topic, abstract, alignment) in enumerate(_wanted(corpus.topics, request)):
            step = partial(reporter.advance, idx, n_wanted)
            step(topic.id)
            cover = _cover_of(topic, abstract, alignment, request, step)
            covers.append(cover)
            is_stopped = cover.is_stopped
            if is_stopped:
                break
    except (Cancelled, KeyboardInterrupt):
        is_stopped = True
    left: tuple[tuple[str, str, str | None], ...] = ()
    if is_stopped:
        wanted = _wanted(corpus.topics, request)
        left = tuple(
            (topic.id, abstract.id, alignment.annotator if alignment else None)
            for topic, abstract, alignment in islice(wanted, len(covers), None)
        )
    return CoverResults(covers=tuple(covers), left=left, is_stopped=is_stopped)


def sizes_of_covers(abstract: Abstract, reporter: Reporter) -> Mapping[str, KnownSize]:
    """Returns h of an abstract, or its bounds, by annotator with any alternative."""
    sizes: dict[str, KnownSize] = {}
    for alignment in abstract.alignments:
        gold = gold_of(abstract, alignment)
        if gold.sentences:
            sizes[alignment.annotator] = known_size_of_cover(
                gold, lambda _: reporter.advance(0, 1, ""), TIME_LIMIT_S
            )
    return sizes


def _wanted(
    topics: Iterable[Topic], request: CoverRequest
) -> Iterator[tuple[Topic, Abstract, Alignment | None]]:
    for topic in topics:
        for abstract in topic.abstracts:
            if request.abstracts and abstract.id not in request.abstracts:
                continue
            for choice in request.choices:
                alignments = choice.alignments_of(abstract)
                if not alignments and choice.choice is AnnotatorChoice.FIRST:
                    yield topic, abstract, None
                for alignment in alignments:
                    yield topic, abstract, alignment


def _cover_of(
    topic: Topic,
    abstract: Abstract,
    alignment: Alignment | None,
    request: CoverRequest,
    step: partial[None],
) -> AbstractCover:
    """Returns the cover; raises what stopped the search where nothing is known yet."""
    gold = gold_of(abstract, alignment)
    known: MinimalCover | None = None
    report, is_stopped = None, False

    def take_answer(answer: MinimalCover) -> None:
        nonlocal known
        known = answer
        step(f"{abstract.id}: {answer.lower} ≤ h ≤ {answer.upper}")

    if gold.sentences:
        problem = cover_problem(gold, request.excluded)
        try:
            answer = wait_for_cover(problem, take_answer, time_limit_s=request.time_limit_s)
        except (Cancelled, KeyboardInterrupt):
            if known is None:
                raise
            answer, is_stopped = known, True
        order = {ref: position for position, ref in enumerate(topic.refs())}
        report = cover_report(gold, answer, order)
    return AbstractCover(
        topic=topic.id,
        abstract=abstract.id,
        annotator=alignment.annotator if alignment else None,
        skipped=gold.skipped,
        unsettled=gold.unsettled,
        report=report,
        is_stopped=is_stopped,
    )
