"""Which sets of source sentences suffice for each abstract sentence, in one annotator's eyes."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from awase.core.errors import Problem, raise_if_any
from awase.core.records.assist import AssistOrigin
from awase.core.records.identifiers import SentenceRef, id_problems, text_problems
from awase.core.records.source import below_one, repeated_numbers


class AlignmentState(Enum):
    """Progress of an annotator with an abstract sentence."""

    TODO = "todo"
    INCOMPLETE = "incomplete"
    CONFIRMED = "confirmed"
    NO_SOURCE = "no_source"
    FLAGGED = "flagged"

    is_settled: bool
    """Whether the annotator has decided; scores that use anything else are provisional."""

    def __init__(self, value: str) -> None:
        self.is_settled = value in ("confirmed", "no_source")


@dataclass(frozen=True, slots=True)
class Alternative:
    """A set of source sentences that together suffice to write an abstract sentence.

    Attributes:
        members: At least one, in the order the annotator gave; a repeated id is kept once.
    """

    members: tuple[SentenceRef, ...]

    def __post_init__(self) -> None:
        if len(self.members) == 1:
            return
        if not self.members:
            raise_if_any([_EMPTY_ALTERNATIVE])
        if len(set(self.members)) < len(self.members):
            object.__setattr__(self, "members", tuple(dict.fromkeys(self.members)))

    @property
    def as_set(self) -> frozenset[SentenceRef]:
        """The members without their order."""
        return frozenset(self.members)


_EMPTY_ALTERNATIVE = Problem(
    what="The alternative has no member.",
    hint="Name at least one source sentence, or remove the alternative.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceAlignment:
    """The alternatives of one abstract sentence: an OR of ANDs.

    Attributes:
        state: How far the annotator is; `NO_SOURCE` excludes alternatives.
        alternatives: In the order the annotator gave.
        rank: The annotator's own rank of the abstract sentence; None = they leave it at the
            abstract's.
        assist: What it has to do with a suggestion; None = nothing.
    """

    n: int
    state: AlignmentState = AlignmentState.TODO
    alternatives: tuple[Alternative, ...] = ()
    note: str | None = None
    rank: str | None = None
    assist: AssistOrigin | None = None

    def __post_init__(self) -> None:
        if (
            self.n < 1
            or self.note
            or self.rank is not None
            or self.state is AlignmentState.NO_SOURCE
        ):
            raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        if self.n < 1:
            yield below_one("n", self.n)
        if self.state is AlignmentState.NO_SOURCE and self.alternatives:
            yield Problem(
                what="The sentence is marked “no source” and yet has alternatives.",
                hint="Remove the alternatives or choose another state.",
                path="state",
            )
        if self.note:
            yield from text_problems(self.note, "note")
        if self.rank is not None:
            yield from id_problems(self.rank, "rank")

    def refs(self) -> Iterator[SentenceRef]:
        """Yields every member of every alternative, with repetitions."""
        for alternative in self.alternatives:
            yield from alternative.members


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """One annotator's alignment of one abstract.

    Attributes:
        sentences: At most one entry an abstract sentence; a missing entry is a sentence to do.
    """

    annotator: str
    sentences: tuple[SentenceAlignment, ...] = ()

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from id_problems(self.annotator, "annotator")
        yield from repeated_numbers([sentence.n for sentence in self.sentences])

    def of_sentence(self, n: int) -> SentenceAlignment:
        """Returns the entry of abstract sentence `n`; one to do when there is none."""
        for sentence in self.sentences:
            if sentence.n == n:
                return sentence
        return SentenceAlignment(n=n)
