"""Where errors gather: mean e(i) of each system over sentences that have something in common."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from awase.core.inspection.sentences import InspectedSentence, Key

_MOST_ALTERNATIVES: Final = 4
_MOST_MEMBERS: Final = 3
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
        keys: The sentences.
    """

    lowest: int | str | None
    highest: int | str | None
    n: int
    means: dict[str, Fraction | None]
    mean: Fraction | None
    keys: frozenset[Key] = frozenset()


def by_rank(sentences: Sequence[InspectedSentence], systems: Sequence[str]) -> tuple[Bucket, ...]:
    """Returns a bucket for each rank, in the order of the alphabet, unranked ones last."""
    ranks = sorted({s.rank for s in sentences if s.values and s.rank is not None})

    def ranked(rank: str | None) -> Callable[[InspectedSentence], bool]:
        return lambda s: s.rank == rank

    return _filled(((rank, rank, ranked(rank)) for rank in (*ranks, None)), sentences, systems)


def by_alternatives(
    sentences: Sequence[InspectedSentence], systems: Sequence[str]
) -> tuple[Bucket, ...]:
    """Returns buckets by the number of alternatives: 1, 2, 3, 4 and more."""
    ranges = _up_to(_MOST_ALTERNATIVES)
    return _in_ranges(ranges, lambda s: len(s.sizes), sentences, systems)


def by_size(sentences: Sequence[InspectedSentence], systems: Sequence[str]) -> tuple[Bucket, ...]:
    """Returns buckets by the size of the smallest alternative: 1, 2, 3 and more."""
    return _in_ranges(_up_to(_MOST_MEMBERS), lambda s: min(s.sizes, default=0), sentences, systems)


def by_place(sentences: Sequence[InspectedSentence], systems: Sequence[str]) -> tuple[Bucket, ...]:
    """Returns buckets by how early in its document a member stands: 1, 2-3, 4-10, 11 and later."""
    return _in_ranges(_PLACES, lambda s: s.earliest, sentences, systems)


def _up_to(most: int) -> tuple[tuple[int, int | None], ...]:
    return (*((n, n) for n in range(1, most)), (most, None))


def _in_ranges(
    ranges: Iterable[tuple[int, int | None]],
    feature: Callable[[InspectedSentence], int],
    sentences: Sequence[InspectedSentence],
    systems: Sequence[str],
) -> tuple[Bucket, ...]:
    def within(low: int, high: int | None) -> Callable[[InspectedSentence], bool]:
        return lambda s: low <= feature(s) and (high is None or feature(s) <= high)

    return _filled(((low, high, within(low, high)) for low, high in ranges), sentences, systems)


def _filled(
    wanted: Iterable[
        tuple[int | str | None, int | str | None, Callable[[InspectedSentence], bool]]
    ],
    sentences: Sequence[InspectedSentence],
    systems: Sequence[str],
) -> tuple[Bucket, ...]:
    buckets = []
    for lowest, highest, belongs in wanted:
        members = [s for s in sentences if s.values and belongs(s)]
        if not members:
            continue
        values = {
            system: [s.values[system] for s in members if system in s.values] for system in systems
        }
        everything = [value for of_system in values.values() for value in of_system]
        buckets.append(
            Bucket(
                lowest=lowest,
                highest=highest,
                n=len(members),
                means={system: _mean(of_system) for system, of_system in values.items()},
                mean=_mean(everything),
                keys=frozenset(s.key for s in members),
            )
        )
    return tuple(buckets)


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction(0)) / len(values) if values else None
