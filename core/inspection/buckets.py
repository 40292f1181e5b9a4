"""Where errors gather: mean e(i) of each system over sentences that have something in common."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from awase.core.inspection.sentences import InspectedSentence, Key, sum_of

_MOST_ALTERNATIVES: Final = 4
_MOST_MEMBERS: Final = 3
_Bound = int | str | None
_PLACES: Final = ((1, 1), (2, 3), (4, 10), (11, None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """Sentences that have a feature in common.

    Attributes:
        lowest: Smallest value of the feature; for ranks the rank itself, None = without.
        highest: Largest value, None = no upper end; for ranks equal to `lowest`.
        n: How many sentences were measured.
        means: System to its mean e(i), 0..1; None when it has no extract for any of them.
        mean: Over all systems and sentences.
        sentences: They.
    """

    lowest: int | str | None
    highest: int | str | None
    n: int
    means: dict[str, Fraction | None]
    mean: Fraction | None
    sentences: tuple[InspectedSentence, ...] = ()

    @property
    def keys(self) -> frozenset[Key]:
        """Which sentences they are."""
        return frozenset(one.key for one in self.sentences)


class SentenceGroups:
    """Measured sentences of some topics, parted by all features at once: each is looked at once."""

    def __init__(self, sentences: Iterable[InspectedSentence], systems: Sequence[str]) -> None:
        """Parts them.

        Args:
            sentences: In the corpus's order.
            systems: Whose means are wanted.
        """
        self._systems = systems
        alike: dict[tuple[str | None, tuple[int, ...], int], list[InspectedSentence]] = {}
        for one in sentences:
            if one.values:
                alike.setdefault((one.rank, one.sizes, one.earliest), []).append(one)
        members: dict[tuple[str | None, int, int, int], list[InspectedSentence]] = {}
        for (rank, sizes, earliest), own in alike.items():
            feature = (
                rank,
                min(len(sizes), _MOST_ALTERNATIVES),
                min(_MOST_MEMBERS, *sizes),
                max(low for low, _ in _PLACES if low <= earliest),
            )
            members.setdefault(feature, []).extend(own)
        self._groups = [_Group(*feature, own, systems) for feature, own in members.items()]

    def by_rank(self) -> tuple[Bucket, ...]:
        """Returns a bucket for each rank, in the order of the alphabet, unranked ones last."""
        ranks = sorted({group.rank for group in self._groups if group.rank is not None})
        wanted = ((rank, rank) for rank in (*ranks, None))
        return self._filled(wanted, lambda group, rank, _: group.rank == rank)

    def by_alternatives(self) -> tuple[Bucket, ...]:
        """Returns buckets by the number of alternatives: 1, 2, 3, 4 and more."""
        return self._in_ranges(_up_to(_MOST_ALTERNATIVES), lambda group: group.n_alternatives)

    def by_size(self) -> tuple[Bucket, ...]:
        """Returns buckets by the size of the smallest alternative: 1, 2, 3 and more."""
        return self._in_ranges(_up_to(_MOST_MEMBERS), lambda group: group.smallest)

    def by_place(self) -> tuple[Bucket, ...]:
        """Returns buckets by how early in its document a member stands: 1, 2-3, 4-10, later."""
        return self._in_ranges(_PLACES, lambda group: group.earliest)

    def _in_ranges(
        self, ranges: Iterable[tuple[int, int | None]], feature: Callable[["_Group"], int]
    ) -> tuple[Bucket, ...]:
        def within(group: _Group, low: _Bound, high: _Bound) -> bool:
            value = feature(group)
            return isinstance(low, int) and low <= value and (
                not isinstance(high, int) or value <= high
            )  # fmt: skip

        return self._filled(ranges, within)

    def _filled(
        self,
        wanted: Iterable[tuple[_Bound, _Bound]],
        belongs: Callable[["_Group", _Bound, _Bound], bool],
    ) -> tuple[Bucket, ...]:
        found = []
        for low, high in wanted:
            groups = [group for group in self._groups if belongs(group, low, high)]
            if groups:
                found.append(self._bucket(low, high, groups))
        return tuple(found)

    def _bucket(self, low: _Bound, high: _Bound, groups: Sequence["_Group"]) -> Bucket:
        n_values = dict.fromkeys(self._systems, 0)
        sums = dict.fromkeys(self._systems, Fraction(0))
        for group in groups:
            for system, (n, total) in group.values.items():
                n_values[system] += n
                sums[system] += total
        n_all = sum(n_values.values())
        return Bucket(
            lowest=low,
            highest=high,
            n=sum(len(group.sentences) for group in groups),
            means={one: sums[one] / n if n else None for one, n in n_values.items()},
            mean=sum(sums.values(), Fraction(0)) / n_all if n_all else None,
            sentences=tuple(one for group in groups for one in group.sentences),
        )


class _Group:
    """Sentences that are alike in every feature."""

    def __init__(
        self,
        rank: str | None,
        n_alternatives: int,
        smallest: int,
        earliest: int,
        sentences: Sequence[InspectedSentence],
        systems: Sequence[str],
    ) -> None:
        self.rank, self.n_alternatives = rank, n_alternatives
        self.smallest, self.earliest, self.sentences = smallest, earliest, sentences
        self.values: dict[str, tuple[int, Fraction]] = {}
        for system in systems:
            own = [one.values[system] for one in sentences if system in one.values]
            self.values[system] = len(own), sum_of(own)


def _up_to(most: int) -> tuple[tuple[int, int | None], ...]:
    return (*((n, n) for n in range(1, most)), (most, None))
