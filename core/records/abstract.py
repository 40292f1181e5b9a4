"""Abstracts (human summaries) with their alignments."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from awase.core.errors import Listing, Problem, raise_if_any
from awase.core.records.alignment import Alignment, Gold, SentenceAlignment
from awase.core.records.identifiers import (
    GIVEN,
    field_problems,
    id_problems,
    is_storable,
    is_usable_id,
    repeated,
    split_problems,
    text_problems,
)
from awase.core.records.source import below_one, repeated_numbers

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
