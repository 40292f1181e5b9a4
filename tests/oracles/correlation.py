"""Correlations as the textbook defines them: loops over written-out samples, no shared code."""

from itertools import combinations, product
from math import fsum, isnan, nan, sqrt


def pearson(x, y):
    if len(x) < 3:
        return nan
    mean_x, mean_y = fsum(x) / len(x), fsum(y) / len(y)
    above = fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    below = fsum((a - mean_x) ** 2 for a in x) * fsum((b - mean_y) ** 2 for b in y)
    return above / sqrt(below) if len(set(x)) > 1 and len(set(y)) > 1 else nan


def ranks(x):
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def spearman(x, y):
    return pearson(ranks(x), ranks(y))


def sign(a, b):
    return (a > b) - (a < b)


def tau_b(x, y):
    pairs = [(sign(x[i], x[j]), sign(y[i], y[j])) for i, j in combinations(range(len(x)), 2)]
    below = sum(a != 0 for a, _ in pairs) * sum(b != 0 for _, b in pairs)
    return sum(a * b for a, b in pairs) / sqrt(below) if len(x) > 2 and below else nan


def accuracy(x, y, items=None):
    """`items` says what each value is of: copies of one item are no pair."""
    items = items or range(len(x))
    if len(x) < 3:
        return nan
    pairs = [(i, j) for i, j in combinations(range(len(x)), 2) if items[i] != items[j]]
    right = sum(sign(x[i], x[j]) == sign(y[i], y[j]) for i, j in pairs)
    return right / len(pairs) if pairs else nan


COEFFICIENTS = {"r": pearson, "rho": spearman, "tau-b": tau_b}


def mean(values):
    return fsum(values) / len(values) if values else nan


def at_level(x, y, level, coefficient):
    """x[s][t] and y[s][t]; None = missing on both sides."""
    if level == "system":
        rows = [
            (mean([a for a, b in zip(u, v, strict=True) if a is not None]),
             mean([b for a, b in zip(u, v, strict=True) if a is not None]))
            for u, v in zip(x, y, strict=True)
            if any(a is not None for a in u)
        ]  # fmt: skip
        return coefficient([round(a, 10) for a, _ in rows], [round(b, 10) for _, b in rows])
    if level == "global":
        cells = [
            (a, b) for u, v in zip(x, y, strict=True) for a, b in zip(u, v, strict=True)
            if a is not None
        ]  # fmt: skip
        return coefficient([a for a, _ in cells], [b for _, b in cells])
    values = []
    for topic in range(len(x[0])):
        cells = [(u[topic], v[topic]) for u, v in zip(x, y, strict=True) if u[topic] is not None]
        value = coefficient([a for a, _ in cells], [b for _, b in cells])
        if not isnan(value):
            values.append(value)
    return mean(values)


def swapped(first, second, systems, topics):
    """Returns both metrics after the swaps."""
    shape = [(s, t) for s in range(len(first)) for t in range(len(first[0]))]
    new_first, new_second = [list(row) for row in first], [list(row) for row in second]
    for s, t in shape:
        if bool(systems[s]) != bool(topics[t]):
            new_first[s][t], new_second[s][t] = second[s][t], first[s][t]
    return new_first, new_second


def all_swaps(n_systems, n_topics, unit):
    """Returns every (systems, topics) that the unit allows."""
    of_systems = [*product([False, True], repeat=n_systems)]
    of_topics = [*product([False, True], repeat=n_topics)]
    if unit == "systems":
        return [(s, (False,) * n_topics) for s in of_systems]
    if unit == "topics":
        return [((False,) * n_systems, t) for t in of_topics]
    return [*product(of_systems, of_topics)]
