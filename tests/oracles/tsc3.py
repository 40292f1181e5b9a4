"""TSC-3's scores straight from the paper's equations: sets, fractions, every subset tried.

Source: Hirao, Okumura, Fukushima, Nanba (2004), section 3. Nothing here comes from `core.metrics`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from statistics import mean

from awase.core.records.abstract import Abstract, AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Extract, Topic

Sets = list[set[SentenceRef]]


@dataclass(frozen=True, kw_only=True)
class Way:
    metric: str
    first: str = "h"
    strict: bool = False
    weights: Mapping[str, Fraction]
    annotator: str | None = None


@dataclass(frozen=True, kw_only=True)
class Counting:
    """An abstract sentence that counts: its rank r(i), and its sets A_i1, A_i2, ..."""

    rank: str | None
    sets: Sets


def scores(corpus: Corpus, way: Way) -> dict[tuple[str, str | None, str], Fraction | None]:
    """Returns (topic, length, system) to value; None = undefined."""
    found: dict[tuple[str, str | None, str], Fraction | None] = {}
    for topic in corpus.topics:
        for length in {abstract.length for abstract in topic.abstracts}:
            of_length = [abstract for abstract in topic.abstracts if abstract.length == length]
            for system in {output.system for output in topic.outputs}:
                extract = extract_of(topic, system, length)
                if extract is not None:
                    values = [
                        value(counting(abstract, way), extract, way) for abstract in of_length
                    ]
                    found[topic.id, length, system] = mean_of(values)
    return found


def means(corpus: Corpus, way: Way) -> dict[tuple[str | None, str], Fraction | None]:
    """Returns (length, system) to the mean over the topics in which the score is defined."""
    by_topic = scores(corpus, way)
    return {
        (length, system): (
            mean(defined)
            if (
                defined := [
                    value
                    for (_, of_length, of_system), value in by_topic.items()
                    if (of_length, of_system) == (length, system) and value is not None
                ]
            )
            else None
        )
        for _, length, system in by_topic
    }


def mean_of(values: Sequence[Fraction | None]) -> Fraction | None:
    return None if None in values else mean(value for value in values if value is not None)


def extract_of(topic: Topic, system: str, length: str | None) -> Sequence[SentenceRef] | None:
    """The extract of this length, or else the one for every length."""
    for wanted in (length, None):
        for output in topic.outputs:
            if isinstance(output, Extract) and (output.system, output.length) == (system, wanted):
                return output.sentences
    return None


def counting(abstract: Abstract, way: Way) -> list[Counting]:
    chosen = [
        alignment
        for alignment in abstract.alignments
        if way.annotator is None or alignment.annotator == way.annotator
    ]
    if not chosen:
        return []
    found = []
    for sentence in abstract.sentences:
        for entry in chosen[0].sentences:
            counts = entry.alternatives and entry.state is not AlignmentState.NO_SOURCE
            if entry.n == sentence.n and counts:
                sets = [set(alternative.members) for alternative in entry.alternatives]
                found.append(Counting(rank=sentence.rank, sets=sets))
    return found


def value(table: list[Counting], extract: Sequence[SentenceRef], way: Way) -> Fraction | None:
    if not table:
        return None
    if way.first == "all":
        output = set(extract)
        size = len(output)
    else:
        size = h(table) if way.first == "h" else int(way.first)
        output = set(extract[:size])
    if way.metric == "precision":
        return precision(table, output, size)
    shares = [e(sentence.sets, output, strict=way.strict) for sentence in table]
    if way.metric == "coverage":
        return sum(shares, Fraction(0)) / len(table)
    return weighted(table, shares, way.weights)


def h(table: list[Counting]) -> int:
    """Section 3.1: the fewest sentences from which the abstract can be written."""
    entered = sorted(set().union(*(a for sentence in table for a in sentence.sets)))
    for size in range(len(entered) + 1):
        for chosen in combinations(entered, size):
            if all(any(a <= set(chosen) for a in sentence.sets) for sentence in table):
                return size
    raise AssertionError("all sentences together are a cover")


def precision(table: list[Counting], output: set[SentenceRef], size: int) -> Fraction | None:
    """Eq. 1: m / h."""
    entered = set().union(*(a for sentence in table for a in sentence.sets))
    return Fraction(len(output & entered), size) if size else None


def e(sets: Sets, output: set[SentenceRef], *, strict: bool) -> Fraction:
    """Eq. 4 and 5."""
    shares = [Fraction(sum(1 for s in a if s in output), len(a)) for a in sets]
    return Fraction(int(1 in shares)) if strict else max(shares)


def weighted(
    table: list[Counting], shares: list[Fraction], weights: Mapping[str, Fraction]
) -> Fraction | None:
    """Eq. 7."""
    if any(sentence.rank not in weights for sentence in table):
        return None
    earned = sum(
        (weights[s.rank or ""] * share for s, share in zip(table, shares, strict=True)), Fraction(0)
    )
    possible = sum((weights[sentence.rank or ""] for sentence in table), Fraction(0))
    return earned / possible if possible else None
