"""h of an abstract: how many source sentences a system is asked to extract.

Source: Hirao et al. (2004), section 3.1: a smallest set of source sentences that contains a whole
alternative of every abstract sentence that counts.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from awase.core.errors import Problem
from awase.core.metrics.extracts.gold import Gold, GoldSentence
from awase.core.records.identifiers import SentenceRef
from awase.core.solvers.cover.problem import CoverProblem, MinimalCover, Need
from awase.core.solvers.cover.waiting import wait_for_cover
from awase.core.solvers.effort import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverReport:
    """The minimal covers of an abstract; sentences are in the order of the documents.

    Attributes:
        h: Size of a minimal cover; None when it is not known or there is none.
        lower: h is at least this; None when there is no cover at all.
        upper: h is at most this; None when there is no cover at all.
        n_covers: Number of minimal covers, or a lower bound of it; None unless h is proved.
        is_count_exact: Whether `n_covers` is the number.
        skipped: Numbers of abstract sentences without any alternative, not asked for.
    """

    h: int | None
    lower: int | None
    upper: int | None
    sentences: tuple[SentenceRef, ...]
    n_covers: int | None
    is_count_exact: bool
    in_every: tuple[SentenceRef, ...]
    in_none: tuple[SentenceRef, ...]
    conflict: tuple[int, ...]
    skipped: tuple[int, ...]
    is_optimal: bool


def cover_problem(
    gold: Gold,
    without: Collection[str] = (),
    *,
    numbers: Mapping[SentenceRef, int] | None = None,
) -> CoverProblem:
    """Returns the problem of covering an abstract.

    Args:
        without: Ids of documents whose sentences may not be used.
        numbers: Which item each source sentence is, such as the topic's running numbers, which stay
            the same from edit to edit, so that answers can be kept; None = its index in
            `gold.items`.
    """
    known = {ref: at for at, ref in enumerate(gold.items)} if numbers is None else numbers
    return CoverProblem(
        needs=tuple([_need_of(sentence, known) for sentence in gold.sentences]),
        forbidden=frozenset(known[ref] for ref in gold.items if ref.document_id in without),
    )


class ProblemMaker:
    """Makes the problem of one state of an abstract's alignment after another.

    The need of a sentence is kept as long as its gold is the same object.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[GoldSentence, Need]] = {}
        self._last = CoverProblem(needs=())

    def problem_of(self, gold: Gold, numbers: Mapping[SentenceRef, int]) -> CoverProblem:
        """Returns the problem of covering the abstract; `numbers` are the same at each call."""
        needs = []
        known_of = self._known.get
        for sentence in gold.sentences:
            known = known_of(sentence.n)
            if known is None or known[0] is not sentence:
                known = self._known[sentence.n] = sentence, _need_of(sentence, numbers)
            needs.append(known[1])
        self._last = self._last.with_needs(tuple(needs))
        return self._last


def _need_of(sentence: GoldSentence, numbers: Mapping[SentenceRef, int]) -> Need:
    number_of = numbers.__getitem__
    return tuple([frozenset(map(number_of, one)) for one in sentence.alternatives])


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSize:
    """What is known of h.

    Attributes:
        lower: h is at least this.
        upper: h is at most this.
    """

    lower: int
    upper: int

    @property
    def h(self) -> int | None:
        """Returns h; None = it is not proved."""
        return self.upper if self.lower == self.upper else None

    def __str__(self) -> str:
        return f"{self.lower} ≤ h ≤ {self.upper}"


def known_size_of_cover(
    gold: Gold,
    on_bounds: Callable[[KnownSize], None] = lambda _: None,
    time_limit_s: float | None = None,
) -> KnownSize:
    """Returns h, or bounds on it when the time is over; 0 when no abstract sentence counts.

    Args:
        on_bounds: Called now and then with what is known; what it raises ends the search.
        time_limit_s: Seconds for a problem that is not easy; None = however long it takes.
    """

    def size(answer: MinimalCover) -> KnownSize:
        return KnownSize(lower=answer.lower or 0, upper=answer.upper or 0)

    return size(
        wait_for_cover(
            cover_problem(gold),
            lambda answer: on_bounds(size(answer)),
            size_only=True,
            time_limit_s=time_limit_s,
        )
    )


def size_of_minimal_cover(gold: Gold, still_wanted: Callable[[], None] = lambda: None) -> int:
    """Returns h, proved, however long that takes; 0 when no abstract sentence counts.

    Args:
        still_wanted: Called now and then; what it raises ends the search.
    """
    return known_size_of_cover(gold, lambda _: still_wanted()).upper


def not_proved(abstract: str, size: KnownSize) -> Problem:
    """Returns why what rests on h has no value: there are only bounds."""
    return Problem(
        what="h of abstract “{abstract}” is not proved in the time allowed: {lower} ≤ h ≤ {upper}.",
        hint="Allow more time, or count another part of the extracts than the first h sentences.",
        fields={"abstract": abstract, "lower": size.lower, "upper": size.upper},
    )


def cover_report(gold: Gold, result: MinimalCover, order: dict[SentenceRef, int]) -> CoverReport:
    """Returns a solver's result in the words of the corpus.

    Args:
        order: Position of each source sentence in the topic.
    """

    def refs(items: Collection[int]) -> tuple[SentenceRef, ...]:
        return tuple(sorted((gold.items[item] for item in items), key=order.__getitem__))

    is_optimal = result.status is Status.OPTIMAL
    return CoverReport(
        h=result.h,
        lower=result.lower,
        upper=result.upper,
        sentences=refs(result.cover or ()),
        n_covers=result.n_covers,
        is_count_exact=result.n_covers_exact,
        in_every=refs(result.in_every),
        in_none=refs(result.in_none),
        conflict=tuple(gold.sentences[need].n for need in result.conflict),
        skipped=gold.skipped,
        is_optimal=is_optimal,
    )
