"""Pruned ROUGE and BE, and the best-match variant of ROUGE-WE, as their formulas stand on paper."""

from math import prod, sqrt


def occurrences(unit, units):
    return sum(other == unit for other in units)


def equation_1(references, summary):
    """Sums over references and their different units of the lesser count, over sums of counts."""
    above = below = 0
    for reference in references:
        for unit in dict.fromkeys(reference):
            above += min(occurrences(unit, reference), occurrences(unit, summary))
            below += occurrences(unit, reference)
    return above / below if below else None


def equation_2(references, summary):
    """The same with 1 for every count that is not 0."""
    above = below = 0
    for reference in references:
        for unit in dict.fromkeys(reference):
            above += unit in summary
            below += 1
    return above / below if below else None


def renamed(units, n_words, clusters):
    """Units with the number of its cluster in the place of each word that is in one."""
    number_of = {word: number for number, words in enumerate(clusters) for word in words}
    return [
        tuple(number_of.get(part, part) if place < n_words else part
              for place, part in enumerate(unit))
        for unit in units
    ]  # fmt: skip


def ngrams(words, n):
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def skip_units(words, gap):
    """Ordered pairs with at most `gap` words between, and every word but the last."""
    pairs = [
        (words[i], words[j])
        for i in range(len(words))
        for j in range(i + 1, len(words))
        if j - i - 1 <= gap
    ]
    return pairs + [(word,) for word in words[:-1]]


def likeness(one, other, vectors):
    if one == other:
        return 1.0
    if len(one) != len(other) or any(word not in vectors for word in one + other):
        return 0.0
    v, w = ([prod(x) for x in zip(*(vectors[u] for u in unit), strict=True)]
            for unit in (one, other))  # fmt: skip
    lengths = sqrt(sum(x * x for x in v)) * sqrt(sum(x * x for x in w))
    cosine = sum(x * y for x, y in zip(v, w, strict=True)) / lengths if lengths else 0.0
    return max(0.0, cosine)


def best_match(references, summary, vectors):
    """Greedily the most alike pair of tokens not yet used, until none is left."""
    total = n_units = 0
    for reference in references:
        pairs = sorted(
            (-likeness(unit, other, vectors), unit != other, unit, other, i, j)
            for i, unit in enumerate(reference)
            for j, other in enumerate(summary)
        )
        used_i, used_j = set(), set()
        for minus, _, _, _, i, j in pairs:
            if i not in used_i and j not in used_j:
                used_i.add(i)
                used_j.add(j)
                total -= minus
        n_units += len(reference)
    return total / n_units if n_units else None
