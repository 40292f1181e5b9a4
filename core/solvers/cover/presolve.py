"""Makes a cover problem smaller without losing or gaining a minimal cover.

Items are bits of an int here. What is done, and why every tie survives:

- An alternative that holds another of the same need is dropped: the same sets satisfy the need.
- Items in every alternative of some need are forced. They are in every cover, so they are taken
  out of all alternatives, and needs that they satisfy are dropped. One pass is enough: taking
  them out leaves the other common items of each need as they were.
- A need is implied, and dropped, when each alternative of some other need holds one of its own.
- What is left falls into components that share no item. A minimal cover of the whole is a free
  choice of one minimal cover of each.

Not done, as it would lose ties: dropping an item because another serves the same needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from awase.core.solvers.cover.problem import Need
from awase.core.solvers.masks import mask_of, minimal_masks, union_of

MaskedNeed = tuple[int, ...]
"""Alternatives as bit masks, ascending, none holding another."""

Component = tuple[MaskedNeed, ...]
"""Needs, ascending, that are connected through shared items."""


@dataclass(frozen=True, slots=True)
class NeedMasks:
    """One need as bits.

    Attributes:
        alternatives: Those that hold no other.
        common: Items in all of them.
        union: Items in any of them.
        mentioned: Items in any alternative, also in dropped ones.
    """

    alternatives: MaskedNeed
    common: int
    union: int
    mentioned: int


@dataclass(frozen=True, slots=True)
class Presolved:
    """What is left of a problem.

    Attributes:
        forced: Items in every cover.
        mentioned: All items of the problem's alternatives.
        components: The independent parts that remain.
        origin: Index in the problem of each remaining need.
        conflict: Indices of the needs that cannot be satisfied.
    """

    forced: int
    mentioned: int
    components: tuple[Component, ...]
    origin: dict[MaskedNeed, int]
    conflict: tuple[int, ...]


def mask_need(need: Need, forbidden: int = 0) -> NeedMasks:
    """Returns `need` as bits, without the alternatives that hold a forbidden item."""
    masks = [mask_of(alternative) for alternative in need]
    mentioned = 0
    for mask in masks:
        mentioned |= mask
    if mentioned & forbidden:
        masks = [mask for mask in masks if not mask & forbidden]
    return need_of_masks(masks, mentioned)


def need_of_masks(masks: Sequence[int], mentioned: int) -> NeedMasks:
    """Returns a need with alternatives that are bits already.

    Args:
        masks: The alternatives.
        mentioned: Items in any alternative, also in ones that were left out.
    """
    alternatives = minimal_masks(masks)
    common, union = (-1 if alternatives else 0), 0
    for mask in alternatives:
        common &= mask
        union |= mask
    return NeedMasks(alternatives, common, union, mentioned)


def presolve(needs: Sequence[NeedMasks]) -> Presolved:
    """Returns what is left of a problem once forced items are taken out of `needs`."""
    forced = mentioned = 0
    for need in needs:
        forced |= need.common
        mentioned |= need.mentioned
    origin: dict[MaskedNeed, int] = {}
    unions: dict[MaskedNeed, int] = {}
    for need_idx, need in enumerate(needs):
        alternatives = need.alternatives
        if need.union & forced:
            alternatives = tuple([mask & ~forced for mask in alternatives])
            if 0 in alternatives:
                continue
            alternatives = minimal_masks(alternatives)
        if alternatives not in origin:
            origin[alternatives] = need_idx
            unions[alternatives] = union_of(alternatives)
    conflict = tuple([idx for idx, need in enumerate(needs) if not need.alternatives])
    components = () if conflict else _split(unions)
    return Presolved(forced, mentioned, components, origin, conflict)


def _split(unions: dict[MaskedNeed, int]) -> tuple[Component, ...]:
    parts: list[tuple[int, list[MaskedNeed]]] = []
    for need, items in unions.items():
        members = [need]
        apart = []
        for part in parts:
            if part[0] & items:
                items |= part[0]
                # The longer list grows, or a component of thousands of needs is copied for each.
                if len(part[1]) > len(members):
                    members, shorter = part[1], members
                else:
                    shorter = part[1]
                members += shorter
            else:
                apart.append(part)
        apart.append((items, members))
        parts = apart
    return tuple([tuple(sorted(members)) for _, members in parts])


def without_implied(component: Component) -> tuple[Component, ...]:
    """Returns what remains of `component` once implied needs are dropped, split again."""
    index: dict[int, list[tuple[int, int]]] = {}
    for need_idx, need in enumerate(component):
        for mask in need:
            index.setdefault(mask & -mask, []).append((mask, need_idx))
    inside: dict[int, set[int]] = {}
    implied: set[int] = set()
    for need_idx, need in enumerate(component):
        smallest = min(need, key=int.bit_count)
        found = inside.get(smallest) or _met_by(smallest, index, inside)
        for mask in need:
            if len(found) == 1:  # the need itself
                break
            found = found & (inside.get(mask) or _met_by(mask, index, inside))
        if len(found) > 1:
            implied |= found - {need_idx}
    if not implied:
        return (component,)
    return _split(
        {need: union_of(need) for need_idx, need in enumerate(component) if need_idx not in implied}
    )


def _met_by(
    items: int, index: dict[int, list[tuple[int, int]]], inside: dict[int, set[int]]
) -> set[int]:
    """Returns the needs with an alternative inside `items`, and remembers them in `inside`."""
    found = set()
    rest = items
    while rest:
        low = rest & -rest
        rest ^= low
        for mask, need_idx in index.get(low, ()):
            if mask & items == mask:
                found.add(need_idx)
    inside[items] = found
    return found
