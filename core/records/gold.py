"""The gold layer: adjudicated decisions, separate from every annotator's alignment."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from awase.core.errors import Problem, raise_if_any
from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.identifiers import id_problems, text_problems
from awase.core.records.source import repeated_numbers


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
    # Of their entry then, as `digests.entry_digest` gives it; another one now means that the
    # decision is outdated.
    digest: str
    # Numbers, from 1, of the gold's alternatives that the annotator had.
    alternatives: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from id_problems(self.annotator, "annotator")
        yield from id_problems(self.digest, "digest")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldEntry:
    """The decision about one abstract sentence."""

    entry: SentenceAlignment
    origin: GoldOrigin = GoldOrigin.EDITED
    decided_by: str | None = None  # who decided; None when nobody has confirmed it yet
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
        if self.decided_by is not None:
            yield from id_problems(self.decided_by, "decided_by")
        if self.at is not None:
            yield from id_problems(self.at, "at")
        yield from text_problems(self.cause or "", "cause")
        seen: set[str] = set()
        for index, source in enumerate(self.sources):
            if source.annotator in seen:
                yield Problem(
                    what="Annotator “{annotator}” stands twice among the sources.",
                    hint="Keep one.",
                    fields={"annotator": source.annotator},
                    path=f"sources[{index}].annotator",
                )
            seen.add(source.annotator)
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


def gold_problems(gold: Gold, numbers: set[int], abstract_id: str) -> Iterator[Problem]:
    """Yields invalid entries of the gold of an abstract whose sentences have `numbers`."""
    for problem in repeated_numbers([one.n for one in gold]):
        yield problem.below("gold")
    for index, one in enumerate(gold):
        if one.n not in numbers:
            yield Problem(
                what="Abstract “{id}” has no sentence {n}.",
                hint="Correct the number or add the sentence.",
                fields={"id": abstract_id, "n": one.n},
                path=f"gold.sentences[{index}].n",
            )
