"""Slow textbook versions of agreement, from the definitions, in exact fractions.

A family is a collection of sets of any hashable members.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations


def subsets(elements):
    listed = sorted(elements)
    return [frozenset(c) for size in range(len(listed) + 1) for c in combinations(listed, size)]


def holds(family, extract):
    return any(set(members) <= extract for members in family)


def absorbed(family):
    sets = {frozenset(members) for members in family}
    return frozenset(one for one in sets if not any(other < one for other in sets))


def probability(family):
    union = frozenset().union(*family)
    worlds = subsets(union)
    return Fraction(sum(holds(family, world) for world in worlds), len(worlds))


def function_distance(first, second):
    if not first and not second:
        return Fraction(0)
    worlds = subsets(frozenset().union(*first, *second))
    both = sum(holds(first, world) and holds(second, world) for world in worlds)
    either = sum(holds(first, world) or holds(second, world) for world in worlds)
    return 1 - Fraction(both, either)


def jaccard(one, other):
    return Fraction(len(one & other), len(one | other))


def alternatives_distance(first, second):
    """By every one-to-one matching there is."""
    first, second = sorted(map(frozenset, absorbed(first)), key=sorted), list(absorbed(second))
    if not first and not second:
        return Fraction(0)
    if not first or not second:
        return Fraction(1)
    if len(first) > len(second):
        first, second = second, first
    best = max(
        sum(jaccard(one, other) for one, other in zip(first, chosen, strict=True))
        for chosen in permutations(second, len(first))
    )
    return 1 - 2 * best / (len(first) + len(second))


def masi_distance(one, other):
    """As nltk.metrics.distance.masi_distance, in exact fractions, with both empty = the same."""
    if not one and not other:
        return Fraction(0)
    if one == other:
        weight = Fraction(1)
    elif one <= other or other <= one:
        weight = Fraction(2, 3)
    elif one & other:
        weight = Fraction(1, 3)
    else:
        weight = Fraction(0)
    return 1 - jaccard(one, other) * weight


def support_distance(first, second):
    return masi_distance(frozenset().union(*absorbed(first)), frozenset().union(*absorbed(second)))


def equal_distance(first, second):
    return Fraction(absorbed(first) != absorbed(second))


def alpha(topics, distance):
    """Krippendorff's alpha within topics.

    Args:
        topics: For each topic its items, each a list of values with None for a missing one.
        distance: Of two values.
    """
    observed = expected = Fraction(0)
    for items in topics:
        pairable = [[v for v in item if v is not None] for item in items]
        pairable = [values for values in pairable if len(values) > 1]
        for values in pairable:
            pairs = permutations(values, 2)
            observed += Fraction(sum(distance(*pair) for pair in pairs)) / (len(values) - 1)
        pooled = [value for values in pairable for value in values]
        if len(pooled) > 1:
            expected += Fraction(sum(distance(*pair) for pair in permutations(pooled, 2))) / (
                len(pooled) - 1
            )
    return None if expected == 0 else 1 - observed / expected


def cohen_kappa(first, second):
    """Of two lists of yes and no."""
    n = len(first)
    agreed = Fraction(sum(a == b for a, b in zip(first, second, strict=True)), n)
    one, other = Counter(first), Counter(second)
    chance = sum(Fraction(one[value], n) * Fraction(other[value], n) for value in (True, False))
    return None if chance == 1 else (agreed - chance) / (1 - chance)
