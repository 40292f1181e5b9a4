"""Sets of small numbers as the bits of an int, and families of such sets."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple


def mask_of(items: Iterable[int]) -> int:
    """Returns `items` as bits."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask


def items_of(mask: int) -> list[int]:
    """Returns the items of `mask`, ascending."""
    items = []
    while mask:
        low = mask & -mask
        items.append(low.bit_length() - 1)
        mask ^= low
    return items


def minimal_masks(masks: Iterable[int]) -> tuple[int, ...]:
    """Returns the minimal masks under inclusion, ascending, without repetitions."""
    distinct = set(masks)
    if len(distinct) < 2:
        return tuple(distinct)
    by_size = sorted(distinct, key=int.bit_count)
    if by_size[0].bit_count() == by_size[-1].bit_count():  # thousands of alternatives are alike
        by_size.sort()
        return tuple(by_size)
    kept: list[int] = []
    for mask in by_size:
        for smaller in kept:
            if smaller & mask == smaller:
                break
        else:
            kept.append(mask)
    kept.sort()
    return tuple(kept)


def implies(need: Iterable[int], other: Iterable[int]) -> bool:
    """Returns whether `need` implies `other`, which is iterated repeatedly."""
    for mask in need:
        for inner in other:
            if inner & mask == inner:
                break
        else:
            return False
    return True


def union_of(need: Iterable[int]) -> int:
    """Returns the union of the masks."""
    items = 0
    for mask in need:
        items |= mask
    return items


# Bit sets of which none contains another. Empty = never holds; {0} = always holds.
Family = frozenset[int]

MOST_STATES: Final = 200_000  # subfunctions until counting gives up

_DEEPEST: Final = 200
_FEW: Final = 3
_STATES_BETWEEN_LOOKS: Final = 1_000


class Count(NamedTuple):
    """Number of subsets of `n_elements` elements for which a function is true."""

    n_sets: int
    n_elements: int

    @property
    def share(self) -> float:
        """The probability that it is true when each element is present with probability 1/2."""
        return self.n_sets / (1 << self.n_elements)

    def over(self, n_elements: int) -> int:
        """Returns the number among the subsets of a larger ground set."""
        return self.n_sets << (n_elements - self.n_elements)


def absorbed(members: Iterable[int]) -> Family:
    """Returns the family without repetitions and without members that contain another one."""
    return frozenset(minimal_masks(members))


def count_of(
    family: Family,
    most_states: int = MOST_STATES,
    still_wanted: Callable[[], None] = lambda: None,
) -> Count | None:
    """Returns the exact number of subsets of the support for which the function is true.

    Shannon's expansion on the commonest element, memoised; independent parts are counted apart.
    None beyond `most_states` or the recursion limit.
    """
    try:
        return _Expansion(most_states, still_wanted).count(family, 0)
    except _TooManyStatesError:
        return None


class _TooManyStatesError(Exception):
    pass


class _Expansion:
    def __init__(self, most_states: int, still_wanted: Callable[[], None]) -> None:
        self._most_states = most_states
        self._still_wanted = still_wanted
        self._known: dict[Family, Count] = {}
        self._n_states = 0

    def count(self, family: Family, depth: int) -> Count:
        if not family or 0 in family:
            return Count(len(family), 0)
        n_failing, union = 1, 0
        for mask in family:
            if mask & union:
                break
            union |= mask
            n_failing *= (1 << mask.bit_count()) - 1
        else:  # no two members share an element
            return Count((1 << union.bit_count()) - n_failing, union.bit_count())
        n_failing, n_elements = 1, 0
        for part in _independent(family):
            own = self._count_part(part, depth)
            n_failing *= (1 << own.n_elements) - own.n_sets
            n_elements += own.n_elements
        return Count((1 << n_elements) - n_failing, n_elements)

    def _count_part(self, part: Sequence[int], depth: int) -> Count:
        if len(part) <= _FEW:
            return _count_of_few(part)
        key = frozenset(part)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._expanded(part, depth)
        return known

    def _expanded(self, part: Sequence[int], depth: int) -> Count:
        self._n_states += 1
        if self._n_states > self._most_states or depth > _DEEPEST:
            raise _TooManyStatesError
        if self._n_states % _STATES_BETWEEN_LOOKS == 0:
            self._still_wanted()
        n_others = union_of(part).bit_count() - 1
        element = _commonest(part)
        there = self.count(absorbed(mask & ~element for mask in part), depth + 1)
        absent = self.count(frozenset(mask for mask in part if not mask & element), depth + 1)
        return Count(there.over(n_others) + absent.over(n_others), n_others + 1)


def _count_of_few(part: Sequence[int]) -> Count:
    """Counts up to three members by inclusion and exclusion."""
    if len(part) == 1:
        return Count(1, part[0].bit_count())
    n = union_of(part).bit_count()
    n_sets = sum([1 << n - mask.bit_count() for mask in part])
    if len(part) == 2:
        return Count(n_sets - 1, n)
    a, b, c = part
    n_twice = (1 << n - (a | b).bit_count()) + (1 << n - (a | c).bit_count())
    return Count(n_sets - n_twice - (1 << n - (b | c).bit_count()) + 1, n)


def _independent(family: Iterable[int]) -> list[list[int]]:
    """Groups the members into parts without common elements."""
    groups: list[tuple[int, list[int]]] = []
    for mask in family:
        union, members, apart = mask, [mask], []
        for group in groups:
            if group[0] & mask:
                union |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (union, members)]
    return [members for _, members in groups]


def _commonest(members: Sequence[int]) -> int:
    """Returns the element, as a bit, in most members; the lowest of equals."""
    best, most = 0, 0
    left = union_of(members)
    while left:
        element = left & -left
        left ^= element
        n = sum(1 for mask in members if mask & element)
        if n > most:
            best, most = element, n
    return best
