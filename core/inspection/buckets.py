"""Where errors gather: mean e(i) of each system over sentences that have something in common."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress
from typing import Final

from awase.core.batches import batches
from awase.core.inspection.columns import Codes, Mask, columned
from awase.core.inspection.sentences import InspectedSentence, Key

AT_ONCE: Final = 4096
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
        n_values: System to the number of sentences for which it has an extract.
        sentences: They; none where they are not held.
    """

    lowest: int | str | None
    highest: int | str | None
    n: int
    means: dict[str, Fraction | None]
    mean: Fraction | None
    n_values: Mapping[str, int]
    sentences: tuple[InspectedSentence, ...] = ()

    def __add__(self, other: "Bucket") -> "Bucket":
        """Returns both together, of the same feature; their sentences are not held."""
        n_values = {one: n + other.n_values[one] for one, n in self.n_values.items()}
        n_own, n_others = sum(self.n_values.values()), sum(other.n_values.values())
        return Bucket(
            lowest=self.lowest,
            highest=self.highest,
            n=self.n + other.n,
            means={
                one: _mean(
                    (self.means[one], self.n_values[one]), (other.means[one], other.n_values[one])
                )
                for one in n_values
            },
            mean=_mean((self.mean, n_own), (other.mean, n_others)),
            n_values=n_values,
        )

    @property
    def keys(self) -> frozenset[Key]:
        """Which sentences they are."""
        return frozenset(one.key for one in self.sentences)


class SentenceGroups:
    """Measured sentences of some topics, parted by one feature after the other."""

    def __init__(self, sentences: Iterable[InspectedSentence], systems: Sequence[str]) -> None:
        """Looks at them.

        Args:
            sentences: In the corpus's order.
            systems: Whose means are wanted.
        """
        self._systems = systems
        known = columned(sentences)
        self._sentences = known.where(known.columns.mean >= 0)

    def by_rank(self) -> tuple[Bucket, ...]:
        """Returns a bucket for each rank, in the order of the alphabet, unranked ones last."""
        columns = self._sentences.columns
        return self._filled((rank, rank, columns.is_rank(rank)) for rank in (*columns.ranks, None))

    def by_alternatives(self) -> tuple[Bucket, ...]:
        """Returns buckets by the number of alternatives: 1, 2, 3, 4 and more."""
        numbers = self._sentences.columns.n_alternatives
        return self._in_ranges(_up_to(_MOST_ALTERNATIVES), numbers)

    def by_size(self) -> tuple[Bucket, ...]:
        """Returns buckets by the size of the smallest alternative: 1, 2, 3 and more."""
        return self._in_ranges(_up_to(_MOST_MEMBERS), self._sentences.columns.smallest)

    def by_place(self) -> tuple[Bucket, ...]:
        """Returns buckets by how early in its document a member stands: 1, 2-3, 4-10, later."""
        return self._in_ranges(_PLACES, self._sentences.columns.earliest)

    def _in_ranges(
        self, ranges: Iterable[tuple[int, int | None]], numbers: Codes
    ) -> tuple[Bucket, ...]:
        return self._filled(
            (low, high, (low <= numbers) & (True if high is None else numbers <= high))
            for low, high in ranges
        )

    def _filled(self, wanted: Iterable[tuple[_Bound, _Bound, Mask]]) -> tuple[Bucket, ...]:
        return tuple(self._bucket(low, high, held) for low, high, held in wanted if held.any())

    def _bucket(self, low: _Bound, high: _Bound, held: Mask) -> Bucket:
        columns = self._sentences.columns
        own = {system: columns.shares_of(system)[held] for system in self._systems}
        n_values = {system: int((shares >= 0).sum()) for system, shares in own.items()}
        sums = {system: columns.sum_of(shares) for system, shares in own.items()}
        n_all = sum(n_values.values())
        return Bucket(
            lowest=low,
            highest=high,
            n=int(held.sum()),
            means={one: sums[one] / n if n else None for one, n in n_values.items()},
            mean=sum(sums.values(), Fraction(0)) / n_all if n_all else None,
            n_values=n_values,
            sentences=tuple(compress(self._sentences, held.tolist())),
        )


def groups_of_many(
    sentences: Iterable[InspectedSentence], systems: Sequence[str]
) -> tuple[tuple[Bucket, ...], ...]:
    """Returns the buckets of each feature in turn, of sentences that are not held.

    Args:
        sentences: In the corpus's order.
        systems: Whose means are wanted.
    """
    found: list[dict[tuple[_Bound, _Bound], Bucket]] = [{}, {}, {}, {}]
    for some in batches(sentences, AT_ONCE):
        groups = SentenceGroups(some, systems)
        features = groups.by_rank(), groups.by_alternatives(), groups.by_size(), groups.by_place()
        for known, buckets in zip(found, features, strict=True):
            for bucket in buckets:
                key, own = (bucket.lowest, bucket.highest), replace(bucket, sentences=())
                known[key] = known[key] + own if key in known else own
    return tuple(tuple(sorted(known.values(), key=_in_order)) for known in found)


def _in_order(bucket: Bucket) -> tuple[bool, str, int]:
    """Returns what sorts ranks by the alphabet, without rank last, and ranges by their ends."""
    lowest = bucket.lowest
    return (
        lowest is None,
        lowest if isinstance(lowest, str) else "",
        lowest if isinstance(lowest, int) else 0,
    )


def _mean(*parts: tuple[Fraction | None, int]) -> Fraction | None:
    """Returns the mean of means, each of so many values; None of none."""
    n_all = sum(n for _, n in parts)
    total = sum((mean * n for mean, n in parts if mean is not None), Fraction(0))
    return total / n_all if n_all else None


def _up_to(most: int) -> tuple[tuple[int, int | None], ...]:
    return (*((n, n) for n in range(1, most)), (most, None))
