"""Abstracts (human summaries): which source sentences suffice for each sentence, help, the gold."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from awase.core.errors import Listing, Problem, raise_if_any
from awase.core.records.source import (
    GIVEN,
    SentenceRef,
    below_one,
    field_problems,
    id_problems,
    is_storable,
    is_usable_id,
    repeated,
    repeated_numbers,
    split_problems,
    text_problems,
)

HIGHEST_LEVEL: Final = 4
DEFAULT_LEVEL: Final = 2
MOST_DECOYS: Final = 10
# Appended to the version of a suggester whose suggestion was replaced by a wrong one.
DECOY_MARK: Final = "decoy"


class AssistOrigin(Enum):
    """How an entry relates to a suggestion that its annotator saw."""

    TAKEN = "suggested-taken"
    CHANGED = "suggested-changed"
    REFUSED = "suggested-refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistSettings:
    """The project lead's settings of assistance."""

    # 0 document order, 1 ranked, 2 marks, 3 suggestions beside links, 4 suggestions first.
    level: int = DEFAULT_LEVEL
    # 0..90, the share of sentences that are shown at level 1 whatever the level is, so that the
    # rest can be compared with them; 0 = no comparison.
    control_percent: int = 0
    seed: int = 0
    # 0..10, the share of the other sentences with wrong suggestions, to see whether they are read;
    # 0 = none.
    decoy_percent: int = 0
    weights: str = ""  # of the suggestions, fitted on this corpus, as JSON; empty = the program's

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        for name, value, highest in (
            ("level", self.level, HIGHEST_LEVEL),
            ("control_percent", self.control_percent, 90),
            ("decoy_percent", self.decoy_percent, MOST_DECOYS),
        ):
            if not 0 <= value <= highest:
                yield Problem(
                    what="{name} is {value}.",
                    hint="It goes from 0 to {highest}.",
                    fields={"name": name, "value": value, "highest": highest},
                    path=f"assist.{name}",
                )


USUAL_ASSISTANCE: Final = AssistSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSuggestion:
    """A suggestion as the annotator saw it when deciding."""

    kind: str
    family: tuple[tuple[str, ...], ...]
    confidence: float  # 0..1, as it was shown
    source: str
    model: str
    shown_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedSuggestion:
    """An edit of an entry, with the suggestion behind it, as the log has them."""

    topic: str
    abstract: str
    annotator: str
    n: int
    active_ms: int
    n_keys: int | None  # keys pressed; None = not counted
    family: str | None  # JSON of the accepted or refused suggestion; None = none
    model: str | None  # version of the suggester; None = none

    @property
    def is_decoy(self) -> bool:
        """Whether the suggestion was wrong on purpose."""
        return self.model is not None and self.model.endswith(DECOY_MARK)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditEffort:
    """Keys and suggestion behind an edit; its time is logged apart."""

    active_ms: int = 0
    n_keys: int | None = None  # keys pressed since the edit before; None = not counted
    # The accepted or refused suggestion; None = none.
    shown: ShownSuggestion | None = None


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
        members: At least one, in the annotator's order; repeated ids are dropped.
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
        state: The annotator's progress; `NO_SOURCE` excludes alternatives.
        alternatives: In the annotator's order.
        rank: The annotator's own rank of the abstract sentence; None = they leave it at the
            abstract's.
        assist: Its relation to a suggestion; None = none.
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
        yield from field_problems(self, note=text_problems, rank=id_problems)

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
        known = (sentence for sentence in self.sentences if sentence.n == n)
        return next(known, None) or SentenceAlignment(n=n)


class GoldOrigin(Enum):
    """Origin of an entry of the gold layer."""

    UNANIMOUS = "unanimous"
    TAKEN = "taken"
    UNION = "union"
    INTERSECTION = "intersection"
    MAJORITY = "majority"
    EDITED = "edited"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSource:
    """One annotator whose entry a decision rests on."""

    annotator: str
    # `digests.entry_digest` of their entry then; a different one now makes the decision outdated.
    digest: str
    # Numbers, from 1, of the gold's alternatives that the annotator had.
    alternatives: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from field_problems(self, annotator=id_problems, digest=id_problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldEntry:
    """The decision about one abstract sentence."""

    entry: SentenceAlignment
    origin: GoldOrigin = GoldOrigin.EDITED
    decided_by: str | None = None  # None when unconfirmed
    at: str | None = None  # when, ISO 8601 in UTC
    sources: tuple[GoldSource, ...] = ()  # the annotators behind it, each once
    locked: bool = False  # whether it is not to be changed without being unlocked first
    cause: str | None = None

    def __post_init__(self) -> None:
        if self.entry.assist is not None:  # what an annotator was suggested is that annotator's
            object.__setattr__(self, "entry", replace(self.entry, assist=None))
        raise_if_any(self._problems())

    @property
    def n(self) -> int:
        """Number of the abstract sentence."""
        return self.entry.n

    def with_entry(self, entry: SentenceAlignment) -> "GoldEntry":
        """Returns the decision with another entry, without its sources' alternatives."""
        if entry.alternatives == self.entry.alternatives:
            return replace(self, entry=entry)
        sources = tuple(replace(source, alternatives=()) for source in self.sources)
        return replace(self, entry=entry, sources=sources)

    def _problems(self) -> Iterator[Problem]:
        yield from field_problems(self, decided_by=id_problems, at=id_problems, cause=text_problems)
        for index, annotator in repeated(source.annotator for source in self.sources):
            yield Problem(
                what="Annotator “{annotator}” appears twice among the sources.",
                hint="Keep one.",
                fields={"annotator": annotator},
                path=f"sources[{index}].annotator",
            )
        for index, source in enumerate(self.sources):
            for number in source.alternatives:
                if not 1 <= number <= len(self.entry.alternatives):
                    yield Problem(
                        what="The gold has no alternative {number}.",
                        hint="Numbers count its alternatives from 1.",
                        fields={"number": number},
                        path=f"sources[{index}].alternatives",
                    )


# The gold layer of an abstract: at most one entry an abstract sentence.
Gold = tuple[GoldEntry, ...]


def gold_alignment(gold: Gold) -> Alignment:
    """Returns the decisions as an `Alignment`."""
    return Alignment(annotator="gold", sentences=tuple(one.entry for one in gold))


LIMIT_UNITS = ("characters", "words", "bytes", "sentences")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """How long a summary may be."""

    unit: str
    size: int  # in that unit, at least 1

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        if self.unit not in LIMIT_UNITS:
            yield Problem(
                what="“{unit}” is not a unit of length.",
                hint="Use one of {units}.",
                fields={"unit": self.unit, "units": Listing(LIMIT_UNITS)},
                path="unit",
            )
        if self.size < 1:
            yield below_one("size", self.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstractSentence:
    """A sentence of an abstract.

    Attributes:
        n: Its number in the abstract, from 1; it stays when the text is edited.
        rank: Its importance, a key of the corpus's rank weights; None when not ranked.
    """

    n: int
    text: str
    rank: str | None = None

    def __post_init__(self) -> None:
        is_usable_rank = self.rank is None or is_usable_id(self.rank)
        if self.n < 1 or not is_storable(self.text) or not is_usable_rank:
            raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        if self.n < 1:
            yield below_one("n", self.n)
        yield from field_problems(self, text=text_problems, rank=id_problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstract:
    """A human summary of a topic.

    Attributes:
        length: Length class (`short`, `long` or any label); None when there is only one.
        alignments: At most one an annotator, each about this abstract's sentences only.
        gold: Adjudicated decisions, about this abstract's sentences only.
        split: How it was split into sentences (`split=` in signatures).
    """

    id: str
    sentences: tuple[AbstractSentence, ...] = ()
    length: str | None = None
    author: str | None = None
    limit: Limit | None = None
    alignments: tuple[Alignment, ...] = ()
    gold: Gold = ()
    split: str = GIVEN

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from field_problems(self, id=id_problems, length=id_problems, author=text_problems)
        yield from split_problems(self.split)
        numbers = [sentence.n for sentence in self.sentences]
        yield from repeated_numbers(numbers)
        annotators = [alignment.annotator for alignment in self.alignments]
        for index, annotator in repeated(annotators):
            yield Problem(
                what="Annotator “{annotator}” has two alignments of abstract “{id}”.",
                hint="Join them or rename one annotator.",
                fields={"annotator": annotator, "id": self.id},
                path=f"alignments[{index}].annotator",
            )
        for problem in repeated_numbers([one.n for one in self.gold]):
            yield problem.below("gold")
        known = set(numbers)
        for entry, path in self.entries():
            if entry.n not in known:
                yield Problem(
                    what="Abstract “{id}” has no sentence {n}.",
                    hint="Correct the number or add the sentence.",
                    fields={"id": self.id, "n": entry.n},
                    path=f"{path}.n",
                )

    def entries(self) -> list[tuple[SentenceAlignment, str]]:
        """Returns each entry of annotators and of the gold, with its path."""
        found = [
            (entry, f"alignments[{alignment_idx}].sentences[{sent_idx}]")
            for alignment_idx, alignment in enumerate(self.alignments)
            for sent_idx, entry in enumerate(alignment.sentences)
        ]
        return found + [
            (decided.entry, f"gold.sentences[{sent_idx}]")
            for sent_idx, decided in enumerate(self.gold)
        ]

    def alignment_by(self, annotator: str) -> Alignment | None:
        """Returns the annotator's alignment, None when there is none."""
        return next((one for one in self.alignments if one.annotator == annotator), None)

    def with_entries(self, change: Callable[[SentenceAlignment], SentenceAlignment]) -> "Abstract":
        """Returns the abstract with every entry changed, those of the gold, too."""
        return replace(
            self,
            alignments=tuple(
                replace(one, sentences=tuple(map(change, one.sentences))) for one in self.alignments
            ),
            gold=tuple(one.with_entry(change(one.entry)) for one in self.gold),
        )
