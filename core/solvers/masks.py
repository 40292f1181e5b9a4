"""Sets of small numbers as the bits of an int, and families of such sets."""

from collections.abc import Iterable


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
    """Returns the masks that hold no other one, ascending and each once."""
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
    """Returns whether whatever satisfies `need` satisfies `other`, which is gone through often."""
    for mask in need:
        for inner in other:
            if inner & mask == inner:
                break
        else:
            return False
    return True


def union_of(need: Iterable[int]) -> int:
    """Returns the items that any of the masks holds."""
    items = 0
    for mask in need:
        items |= mask
    return items
