"""Inspected sentences column by column: what goes over tens of thousands of them, goes at once.

A click on a filter has a tenth of a second, in which 25,000 sentences cannot be asked one by one.
Every value that occurs has a number; a column holds numbers, -1 where there is no value. Sums are
those of fractions, as how often each occurs is counted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from awase.core.inspection.sentences import InspectedSentence, Key
from awase.core.records.alignment import AlignmentState

Codes = NDArray[np.int32]
Mask = NDArray[np.bool_]
_STATES = tuple(AlignmentState)
_Value = TypeVar("_Value")


class _Numbering:
    """Numbers values in the order in which they come; equal ones that are one object at once."""

    def __init__(self) -> None:
        self._at_by_id: dict[int, int] = {}
        self._at: dict[Fraction, int] = {}
        self._kept: list[Fraction] = []  # what has an id here must stay

    def of(self, value: Fraction | None) -> int:
        if value is None:
            return -1
        known = self._at_by_id.get(id(value))
        if known is None:
            known = self._at_by_id[id(value)] = self._at.setdefault(value, len(self._at))
            self._kept.append(value)
        return known

    @property
    def values(self) -> tuple[Fraction, ...]:
        return tuple(self._at)


@dataclass(frozen=True, kw_only=True, eq=False)
class SentenceColumns:
    """What is known of n sentences, each column an array of n whole numbers.

    Attributes:
        values: What occurs: a number in `shares`, `mean` and `spread` is a place among these.
        shares: System to e(i); -1 = it has no extract.
        mean: Mean e(i) over systems; -1 = no system was measured.
        spread: How far the systems disagree; -1 as above.
        abstract: Number of the abstract that the sentence is of.
        n_counted: How many sentences of its abstract count, those that are not here, too.
        rank: Place among `ranks`; -1 = not ranked.
        ranks: In the order of the alphabet.
        state: Place of its alignment's state in `AlignmentState`.
        length: Place among `lengths`.
        lengths: Length classes of abstracts; None = it has none.
        n_alternatives: How many alternatives it has.
        smallest: Size of the smallest of them; 0 = it has none.
        earliest: Place of the earliest member in its document.
    """

    values: tuple[Fraction, ...]
    shares: Mapping[str, Codes]
    mean: Codes
    spread: Codes
    abstract: Codes
    n_counted: Codes
    rank: Codes
    ranks: tuple[str, ...]
    state: Codes
    length: Codes
    lengths: tuple[str | None, ...]
    n_alternatives: Codes
    smallest: Codes
    earliest: Codes

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """`values` rounded once, and NaN at the place -1."""
        return np.array([*map(float, self.values), np.nan])

    @cached_property
    def parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numerators and denominators of the `values` in `shares`; 0 and 1 at the place -1.

        Shares are numbered before means, whose denominators may need more than 64 bits.
        """
        last = max((int(codes.max(initial=-1)) for codes in self.shares.values()), default=-1)
        of_shares = self.values[: last + 1]
        return (
            np.array([*(one.numerator for one in of_shares), 0], np.int64),
            np.array([*(one.denominator for one in of_shares), 1], np.int64),
        )

    def shares_of(self, system: str) -> Codes:
        """Returns the system's column of `shares`; -1 everywhere for one that is not there."""
        found = self.shares.get(system)
        return np.full(len(self.mean), -1, np.int32) if found is None else found

    def which(self, codes: Codes, holds: Callable[[Fraction], bool]) -> Mask:
        """Returns where the value of a column is such; nowhere where there is none."""
        return np.array([*map(holds, self.values), False], bool)[codes]

    def is_state(self, state: AlignmentState) -> Mask:
        """Returns where the alignment has this state."""
        return np.asarray(self.state == _STATES.index(state))

    def is_rank(self, rank: str | None) -> Mask:
        """Returns where the rank is this one; None = where there is none."""
        nowhere = -1 if rank is None else -2
        return np.asarray(self.rank == _place(self.ranks, rank, none=nowhere))

    def is_length(self, length: str | None) -> Mask:
        """Returns where the abstract has this length class."""
        return np.asarray(self.length == _place(self.lengths, length, none=-2))

    def sum_of(self, codes: Codes) -> Fraction:
        """Returns the sum of a column's values, or of some of it; what has none adds nothing."""
        counts = np.bincount(codes[codes >= 0])
        total = Fraction(0)
        for at in np.flatnonzero(counts).tolist():
            total += self.values[at] * int(counts[at])
        return total

    def where(self, mask: Mask) -> "SentenceColumns":
        """Returns the columns of some of the sentences; abstracts keep their numbers."""
        return SentenceColumns(
            values=self.values,
            shares={system: codes[mask] for system, codes in self.shares.items()},
            mean=self.mean[mask],
            spread=self.spread[mask],
            abstract=self.abstract[mask],
            n_counted=self.n_counted[mask],
            rank=self.rank[mask],
            ranks=self.ranks,
            state=self.state[mask],
            length=self.length[mask],
            lengths=self.lengths,
            n_alternatives=self.n_alternatives[mask],
            smallest=self.smallest[mask],
            earliest=self.earliest[mask],
        )


class ColumnedSentences(tuple[InspectedSentence, ...]):
    """Sentences whose columns are found once, and go along when some of them are taken."""

    @cached_property
    def columns(self) -> SentenceColumns:
        """Their columns."""
        return _columns(self)

    @cached_property
    def folded(self) -> list[str]:
        """Their texts, in which upper and lower case are one."""
        return [_folded(one.text) for one in self]

    @cached_property
    def text_order(self) -> Codes:
        """The place of each text among all of them as they are sorted; equal texts share one."""
        place = {text: at for at, text in enumerate(sorted({one.text for one in self}))}
        return _array(place[one.text] for one in self)

    def where(self, mask: Mask) -> "ColumnedSentences":
        """Returns some of them, in their order."""
        taken = ColumnedSentences(compress(self, mask.tolist()))
        taken.__dict__["columns"] = self.columns.where(mask)
        if "text_order" in self.__dict__:
            taken.__dict__["text_order"] = self.text_order[mask]
        return taken


def columned(sentences: Iterable[InspectedSentence]) -> ColumnedSentences:
    """Returns the sentences with their columns; those that have them as they are."""
    if isinstance(sentences, ColumnedSentences):
        return sentences
    return ColumnedSentences(sentences)


def place_of(sentences: Iterable[InspectedSentence], key: Key | None, otherwise: int) -> int:
    """Returns the place of the sentence that has this key, or another where there is none."""
    places = (at for at, one in enumerate(sentences) if one.key == key) if key else iter(())
    return next(places, otherwise)


def _columns(sentences: Sequence[InspectedSentence]) -> SentenceColumns:
    numbering = _Numbering()
    systems = dict.fromkeys(system for one in sentences for system in one.values)
    shares = {
        system: _array(numbering.of(one.values.get(system)) for one in sentences)
        for system in systems
    }
    mean = _array(numbering.of(one.mean) for one in sentences)
    spread = _array(numbering.of(one.spread) for one in sentences)
    places = {one: at for at, one in enumerate(dict.fromkeys(one.key[:2] for one in sentences))}
    abstract = _array(places[one.key[:2]] for one in sentences)
    n_counted = np.bincount(abstract[mean >= 0], minlength=len(places)).astype(np.int32)
    ranks = tuple(sorted({one.rank for one in sentences if one.rank is not None}))
    lengths = tuple(dict.fromkeys(one.length for one in sentences))
    return SentenceColumns(
        values=numbering.values,
        shares=shares,
        mean=mean,
        spread=spread,
        abstract=abstract,
        n_counted=n_counted[abstract],
        rank=_array(_place(ranks, one.rank, none=-1) for one in sentences),
        ranks=ranks,
        state=_array(_STATES.index(one.state) for one in sentences),
        length=_array(lengths.index(one.length) for one in sentences),
        lengths=lengths,
        n_alternatives=_array(len(one.sizes) for one in sentences),
        smallest=_array(min(one.sizes, default=0) for one in sentences),
        earliest=_array(one.earliest for one in sentences),
    )


def _array(numbers: Iterable[int]) -> Codes:
    return np.fromiter(numbers, np.int32)


def _place(values: Sequence[_Value], value: _Value, *, none: int) -> int:
    return values.index(value) if value in values else none


def _folded(text: str) -> str:
    folded = text.casefold()
    return text if folded == text else folded
