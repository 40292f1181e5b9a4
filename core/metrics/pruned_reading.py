"""Texts as units of words for pruned ROUGE and BE: readings, clusters, formulas.

Source: Honda, Hirao and Nagata, "pruned ROUGE and pruned BE", equations 1 to 3. Clusters
    of near-synonyms are by complete linkage (sections 3.3 and 4, which give the linkage and the
    share of clusters; distance, rounding and ties are our choice).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import islice
from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.language.basic_elements import BasicElementOptions, basic_elements
from awase.core.language.conllu import parse_of
from awase.core.language.stored_parses import WordVectors
from awase.core.language.vector_file import Spellings, Vector, looked_up, spellings_of
from awase.core.metrics.kit.metric import (
    LIMIT,
    NO_LIMIT,
    STOP,
    TOKENS,
    Chosen,
    LengthLimit,
    as_bytes,
    limit_with,
    running_text,
)
from awase.core.metrics.rouge.tokens import stop_list
from awase.core.text.tokenisers import Tokeniser, tokeniser_called

Unit = tuple[str, ...]  # an n-gram, or head, modifier and relation


def recall(
    references: Sequence[Sequence[Unit]], summary: Sequence[Unit], *, by_type: bool
) -> Fraction | None:
    """Returns the share of the references' units that the summary has, 0 to 1.

    One ratio over all references: a unit in two of them counts twice, in numerator and denominator.
    In a text it counts as often as it occurs (equation 1), or once if `by_type` (equation 2). None
    without units in the references.
    """
    of_summary = _counts(summary, by_type=by_type)
    hits = n_units = 0
    for reference in references:
        of_reference = _counts(reference, by_type=by_type)
        hits += (of_reference & of_summary).total()
        n_units += of_reference.total()
    return Fraction(hits, n_units) if n_units else None


def _counts(units: Iterable[Unit], *, by_type: bool) -> Counter[Unit]:
    return Counter(set(units) if by_type else units)


def replaced(units: Iterable[Unit], n_words: int, of: Callable[[str], str]) -> list[Unit]:
    """Returns the units with their words mapped by `of`; the first `n_words` parts are words."""
    return [(*map(of, unit[:n_words]), *unit[n_words:]) for unit in units]


Text = tuple[str, ...]  # sentences of a system's summary or of a reference


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitText:
    """A text as units."""

    units: tuple[Unit, ...]  # in reading order, with repetitions
    # Each word of the units to its forms in the text.
    surfaces: Mapping[str, frozenset[str]]
    # A word to a last spelling to look it up by; words without one are left out.
    lemmas: Mapping[str, str] = field(default_factory=dict)


Read = Callable[[Text], UnitText]  # a text to its units


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRules:
    """How text becomes words: the same for equal rules."""

    tokeniser: Tokeniser
    # Whether words of ROUGE's list are dropped before units are formed.
    drops_stop_words: bool = False
    limit: LengthLimit = NO_LIMIT  # how much of each text counts

    def words(self, text: Text) -> list[str]:
        """Returns the words of a text as they are written, across sentence ends."""
        dropped = frozenset(stop_list()) if self.drops_stop_words else frozenset()
        if self.limit.tokens:
            cut_words = (word for line in text for word in self.tokeniser.for_limits.words(line))
            return [word for word in islice(cut_words, self.limit.tokens) if word]
        sentences: Iterable[str] = text
        if self.limit != NO_LIMIT:
            cut = running_text([as_bytes(sentence) for sentence in text], self.limit)
            # A byte limit may have cut a character in the middle.
            sentences = (sentence.decode("utf-8", "ignore") for sentence in cut)
        words = (word for sentence in sentences for word in self.tokeniser.words(sentence))
        return [word for word in words if word.casefold() not in dropped]


def word_rules(chosen: Chosen) -> WordRules:
    """Returns the word rules of these options."""
    tokeniser = tokeniser_called(chosen[TOKENS], stop=chosen[STOP])
    return WordRules(
        tokeniser=tokeniser,
        drops_stop_words=chosen[STOP] and not tokeniser.drops_function_words,
        limit=limit_with(chosen[LIMIT], tokeniser),
    )


def surfaces_of(words: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Returns each word with all the ways in which it is written."""
    surfaces: dict[str, set[str]] = {}
    for word, surface in words:
        surfaces.setdefault(word, set()).add(surface)
    return {word: frozenset(written) for word, written in surfaces.items()}


def ngram_reading(rules: WordRules, size: int) -> Read:
    """Returns a cached reader of n-grams, which cross sentences as in ROUGE-1.5.5."""

    @cache
    def read(text: Text) -> UnitText:
        written = rules.words(text)
        words = [word.casefold() for word in written]
        shifted = (words[shift:] for shift in range(size))
        return UnitText(
            units=tuple(zip(*shifted, strict=False)),
            surfaces=surfaces_of(zip(words, written, strict=True)),
        )

    return read


def spellings(readings: Sequence[UnitText]) -> dict[str, Spellings]:
    """Returns the words of texts, each with its spellings for lookup."""
    # They depend on these texts alone, so that no score changes with other texts.
    surfaces: dict[str, set[str]] = {}
    lemmas: dict[str, str] = {}
    for reading in readings:
        for word, written in reading.surfaces.items():
            surfaces.setdefault(word, set()).update(written)
        for word, lemma in reading.lemmas.items():
            lemmas[word] = min(lemma, lemmas.get(word, lemma))
    return {
        word: spellings_of(word, written, lemmas.get(word, ""))
        for word, written in sorted(surfaces.items())
    }


def every_spelling(readings: Iterable[UnitText]) -> Iterator[str]:
    """Yields all spellings in the texts, duplicates included."""
    for reading in readings:
        for word, written in reading.surfaces.items():
            yield word
            yield from written
        yield from reading.lemmas.values()


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementRules:
    """Rules of basic elements; compared by value."""

    elements: BasicElementOptions
    tries_lemmas: bool = False


def element_reading(rules: ElementRules, parses: Mapping[str, str]) -> Read:
    """Returns a cached reader of elements; sentences without parse in `parses` have none."""

    @cache
    def of_sentence(text: str) -> UnitText:
        return _reading(parses.get(text, ""), rules)

    @cache
    def read(text: Text) -> UnitText:
        readings = [of_sentence(sentence) for sentence in text]
        written = ((w, s) for one in readings for w, all_ in one.surfaces.items() for s in all_)
        return UnitText(
            units=tuple(unit for one in readings for unit in one.units),
            surfaces=surfaces_of(written),
            lemmas={
                word: lemma for one in reversed(readings) for word, lemma in one.lemmas.items()
            },
        )

    return read


def _reading(conllu: str, rules: ElementRules) -> UnitText:
    units: list[Unit] = []
    written: list[tuple[str, str]] = []
    lemmas: dict[str, str] = {}
    for sentence in parse_of(conllu) if conllu else ():
        units += basic_elements(sentence, options=rules.elements)
        nodes = [(word.form, word.lemma) for word in sentence.words]
        nodes += [(node.form, node.lemma) for node in sentence.empty_nodes]
        for form, lemma in nodes:
            surface = (lemma or form) if rules.elements.lemma else (form or lemma)
            written.append((surface.lower(), surface))
            if rules.tries_lemmas and lemma:
                lemmas.setdefault(surface.lower(), lemma)
    of_elements = {word for unit in units for word in unit[:2]}
    return UnitText(
        units=tuple(units),
        surfaces=surfaces_of(pair for pair in written if pair[0] in of_elements),
        lemmas={word: lemma for word, lemma in lemmas.items() if word in of_elements},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRules:
    """How words are merged: the same for equal rules."""

    ratio: Fraction
    distance: str
    # Whether one clustering serves all systems of a topic and length class, instead of one for each
    # system with its references.
    of_topic: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words of what is compared, and which of them count as one."""

    n_words: int  # all words, those without a vector, too
    clustering: "Clustering"


def vocabulary(
    readings: Sequence[UnitText], vectors: WordVectors, rules: ClusterRules
) -> Vocabulary:
    """Returns the words of some texts, clustered."""
    words: Mapping[str, Spellings] = spellings(readings)
    found = looked_up(words, vectors)
    return Vocabulary(
        n_words=len(words),
        clustering=clustered(found, rules.ratio, Distance(rules.distance)),
    )


_HALF = Fraction(1, 2)


class Distance(Enum):
    """Distances of word vectors."""

    COSINE = "cosine"  # The angle between the vectors. Reported as 1 - cosine.
    EUCLIDEAN = "euclidean"  # the length of their difference


class Cluster(NamedTuple):
    """Words that count as one."""

    words: tuple[str, ...]  # at least two, in code point order; the first is the representative
    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """Which words of a vocabulary count as one."""

    n_words: int = 0
    n_clusters: int = 0
    merged: tuple[Cluster, ...] = ()  # clusters of more than one word, the closest first
    # Merged word to its cluster's representative: a member, so that it cannot collide with another
    # word.
    representatives: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_merges(self) -> int:
        """Returns the number of merges."""
        return self.n_words - self.n_clusters

    def representative_of(self, word: str) -> str:
        """Returns the representative that is counted instead of a word."""
        return self.representatives.get(word, word)


def n_clusters(n_words: int, ratio: Fraction) -> int:
    """Returns `ratio` * `n_words`, a half rounded up.

    >>> n_clusters(10, Fraction("0.95")), n_clusters(20, Fraction("0.975"))
    (10, 20)
    """
    return max(floor(ratio * n_words + _HALF), min(n_words, 1))


def clustered(
    vectors: Mapping[str, Vector], ratio: Fraction, distance: Distance = Distance.COSINE
) -> Clustering:
    """Returns the clusters after the first merges of complete linkage.

    `ratio` is how many are left, as a share of the words; no vector is zero.

    Source: the paper; N clusters of Q words are those after the first Q - N merges. Cutting at a
        height would leave fewer where heights are equal.
    """
    words = sorted(vectors)
    n_left = n_clusters(len(words), ratio)
    if n_left == len(words):
        return Clustering(n_words=len(words), n_clusters=n_left)
    from scipy.cluster.hierarchy import linkage

    points = np.array([vectors[word] for word in words], dtype=np.float64)
    if distance is Distance.COSINE:
        # Complete linkage sees only the order of distances, which is that of the chords; and
        # equal directions are exactly 0 apart.
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    merges = linkage(points, method="complete", metric="euclidean")[: len(words) - n_left]
    merged = sorted(
        (
            Cluster(
                tuple(words[member] for member in sorted(members)),
                height**2 / 2 if distance is Distance.COSINE else height,
            )
            for members, height in _groups(merges, len(words))
        ),
        key=lambda cluster: (cluster.distance, cluster.words),
    )
    return Clustering(
        n_words=len(words),
        n_clusters=n_left,
        merged=tuple(merged),
        representatives={word: one.words[0] for one in merged for word in one.words},
    )


def _groups(merges: NDArray[np.float64], n_words: int) -> list[tuple[list[int], float]]:
    """Returns the words of each cluster of more than one, and its height, from scipy's linkage."""
    groups: dict[int, tuple[list[int], float]] = {}
    for made, (one, other, height, _) in enumerate(merges.tolist(), start=n_words):
        members: list[int] = []
        for part in (int(one), int(other)):
            members += groups.pop(part)[0] if part >= n_words else [part]
        groups[made] = members, height
    return [*groups.values()]
