"""Similarity of two texts by their subtrees: trees with vectors, partners, scores.

Source: Chousa and Hirao, "Automatic evaluation of language generation based on the similarity of
    subtrees", section 3, equations 2 to 8.
Differs: cosines below 0 count 0, so that no partner is never better than one. Equation 4 prints the
    similarity of the heads above the lengths of the subtrees' vectors; it is read as the cosine of
    these vectors. A text of several sentences is the forest of their trees.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import Problem
from awase.core.language.basic_elements import Subtree, punctuation_of, subtrees_of
from awase.core.language.conllu import parse_of
from awase.core.language.models import Floats32, Step, WordEncoder, spanned
from awase.core.records.parse import ParsedSentence

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class HeadKey(Enum):
    """Condition on two head words."""

    SURFACE = "surface"  # the form
    LEMMA = "lemma"  # the lemma; the form of a word that has none
    LEMMA_UPOS = "lemma+upos"  # the lemma and the universal part of speech

    def key_of(self, sentence: ParsedSentence, place: int) -> str:
        """Returns the case-folded key of the word at a position, from 0."""
        word = sentence.words[place]
        if self is HeadKey.SURFACE:
            return word.form.lower()
        lemma = (word.lemma or word.form).lower()
        return f"{lemma}/{word.upos}" if self is HeadKey.LEMMA_UPOS else lemma


class SubtreeVector(Enum):
    """Vector of a subtree."""

    MEAN = "mean"  # the mean of its words' vectors (equation 1)
    HEAD = "head"  # the vector of its head word: equation 4 to the letter


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestOptions:
    """How texts become subtrees."""

    key: HeadKey = HeadKey.SURFACE  # what the heads of two subtrees must share
    drops_punctuation: bool = False  # whether punctuation is removed from the tree first
    distinct: bool = True
    vector: SubtreeVector = SubtreeVector.MEAN


DEFAULT = ForestOptions()


class PlacedTree(NamedTuple):
    """A subtree of a text."""

    sentence_idx: int
    subtree: Subtree


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Forest:
    """The subtrees of a text by length, then position."""

    subtrees: tuple[PlacedTree, ...]
    lengths: Numbers  # (n_subtrees,) words of each, ascending
    keys: tuple[str, ...]  # each head's key
    # (n_subtrees, dimension) their vectors, of length 1 or, where there is none, 0.
    directions: Floats


def forest_of(
    sentence: ParsedSentence,
    vectors: NDArray[np.floating],
    options: ForestOptions = DEFAULT,
) -> Forest:
    """Returns the subtrees of one sentence; `vectors` has a row a word, else `ValueError`."""
    if vectors.ndim != 2 or len(vectors) != len(sentence.words):
        raise ValueError(f"{len(sentence.words)} words, vectors of the shape {vectors.shape}")
    left_out = punctuation_of(sentence) if options.drops_punctuation else frozenset()
    heads = [word.head for word in sentence.words]
    found = subtrees_of(heads, left_out, distinct=options.distinct)
    subtrees = sorted(found, key=lambda subtree: len(subtree.words))
    lengths = np.array([len(subtree.words) for subtree in subtrees], np.int64)
    return Forest(
        subtrees=tuple(PlacedTree(0, subtree) for subtree in subtrees),
        lengths=lengths,
        keys=tuple(options.key.key_of(sentence, subtree.head) for subtree in subtrees),
        directions=_directions(subtrees, lengths, vectors, options.vector),
    )


def _directions(
    subtrees: Sequence[Subtree],
    lengths: Numbers,
    vectors: NDArray[np.floating],
    kind: SubtreeVector,
) -> Floats:
    words: Floats = vectors.astype(np.float64)
    if kind is SubtreeVector.HEAD:
        means: Floats = words[[subtree.head for subtree in subtrees]]
    else:
        membership = np.zeros((len(subtrees), len(words)))
        rows = np.repeat(np.arange(len(subtrees)), lengths)
        membership[rows, [place for subtree in subtrees for place in subtree.words]] = 1
        # The length of a vector does not matter to its direction, so that the sum will do.
        means = membership @ words
    norms = np.linalg.norm(means, axis=1, keepdims=True)
    directions: Floats = np.divide(means, norms, out=np.zeros_like(means), where=norms > 0)
    return directions


def joined(forests: Iterable[Forest]) -> Forest:
    """Concatenates the forests of a text's sentences.

    Subtrees never cross a sentence, and equal ones of two sentences are two.
    """
    forests = [*forests]
    filled = [forest for forest in forests if forest.subtrees]
    if not filled:
        return EMPTY
    subtrees = [
        PlacedTree(sentence_idx, placed.subtree)
        for sentence_idx, forest in enumerate(forests)
        for placed in forest.subtrees
    ]
    keys = [key for forest in filled for key in forest.keys]
    lengths = np.concatenate([forest.lengths for forest in filled])
    order = np.argsort(lengths, kind="stable")
    return Forest(
        subtrees=tuple(subtrees[idx] for idx in order.tolist()),
        lengths=lengths[order],
        keys=tuple(keys[idx] for idx in order.tolist()),
        directions=np.concatenate([forest.directions for forest in filled])[order],
    )


# Of a text without a word.
EMPTY = Forest(subtrees=(), lengths=np.empty(0, np.int64), keys=(), directions=np.empty((0, 0)))


class ReadSentence(NamedTuple):
    """A parsed sentence and (n_words, dimension) vectors of its words."""

    sentence: ParsedSentence
    vectors: Floats32


ReadTexts = Mapping[str, tuple[ReadSentence, ...]]  # by text; mostly one sentence each


def read_texts(
    texts: Iterable[str], parses: Mapping[str, str], encoder: WordEncoder, step: Step
) -> ReadTexts:
    """Returns each text with its trees and vectors; white space has no parse, and no tree."""
    parsed = {
        text: parse_of(parses[text]) if text in parses else () for text in dict.fromkeys(texts)
    }
    sentences = [sentence for parse in parsed.values() for sentence in parse]
    vectors = iter(encoder.encode([spanned(sentence) for sentence in sentences], step))
    return {
        text: tuple(ReadSentence(sentence, next(vectors)) for sentence in parse)
        for text, parse in parsed.items()
    }


def forest_reader(read: ReadTexts, options: ForestOptions) -> Callable[[tuple[str, ...]], Forest]:
    """Returns a function giving the forest of a text, as sentences; cached."""

    @cache
    def of_sentence(sentence: str) -> list[Forest]:
        return [forest_of(tree, vectors, options) for tree, vectors in read[sentence]]

    @cache
    def of_text(text: tuple[str, ...]) -> Forest:
        return joined(one for sentence in text for one in of_sentence(sentence))

    return of_text


NO_PARTNER = -1
_DECIMALS = 9


class Partners(NamedTuple):
    """The best partner of each subtree of one text among those of the other."""

    similarity: Floats  # (n_subtrees,) 0 to 1
    # (n_subtrees,) index in the other text's forest; `NO_PARTNER` = nothing is similar.
    partner: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthScore:
    """Score of subtrees of one length."""

    length: int
    n_system: int
    n_reference: int
    precision: float  # mean similarity of the system's subtrees to their partners; 0 without any
    recall: float  # mean similarity of the reference's subtrees to their partners; 0 without any

    @property
    def f(self) -> float:
        """Returns the harmonic mean of both; 0 when both are 0."""
        return _harmonic(self.precision, self.recall)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtreeScore:
    """Score of a text against a reference."""

    lengths: tuple[LengthScore, ...]

    @property
    def precision(self) -> float:
        """Returns the sum of F by length over the number of lengths in the system's text: 0..1."""
        return self._mean_f(sum(one.n_system > 0 for one in self.lengths))

    @property
    def recall(self) -> float:
        """Returns the sum of F by length over the number of lengths in the reference: 0..1."""
        return self._mean_f(sum(one.n_reference > 0 for one in self.lengths))

    @property
    def f(self) -> float:
        """Returns the harmonic mean of both; 0 when both are 0."""
        return _harmonic(self.precision, self.recall)

    def _mean_f(self, n_lengths: int) -> float:
        return sum(one.f for one in self.lengths) / n_lengths if n_lengths else 0.0


def _harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


def pair_score(system: Forest, reference: Forest, *, by_head: bool = True) -> SubtreeScore | None:
    """Returns the score against a reference, None when neither has a word.

    `by_head` restricts partners to heads with the same key.
    """
    if not system.subtrees and not reference.subtrees:
        return None
    return score_of(system, reference, *partners(system, reference, by_head=by_head))


def score_of(
    system: Forest, reference: Forest, of_system: Partners, of_reference: Partners
) -> SubtreeScore:
    """Returns the scores from the results of `partners`."""
    n_lengths = 1 + max(_longest(system), _longest(reference))
    counts = [np.bincount(one.lengths, minlength=n_lengths) for one in (system, reference)]
    sums = [
        np.bincount(forest.lengths, weights=found.similarity, minlength=n_lengths)
        for forest, found in ((system, of_system), (reference, of_reference))
    ]
    means = [total / np.maximum(count, 1) for total, count in zip(sums, counts, strict=True)]
    occurring = np.flatnonzero(counts[0] + counts[1]).tolist()
    return SubtreeScore(
        lengths=tuple(
            LengthScore(
                length=length,
                n_system=int(counts[0][length]),
                n_reference=int(counts[1][length]),
                precision=float(means[0][length]),
                recall=float(means[1][length]),
            )
            for length in occurring
        )
    )


def _longest(forest: Forest) -> int:
    return int(forest.lengths[-1]) if len(forest.lengths) else 0


def partners(
    system: Forest, reference: Forest, *, by_head: bool = True
) -> tuple[Partners, Partners]:
    """Returns the partners of the system's subtrees, and those of the reference's.

    A partner has the same length and, with `by_head`, head key; the first of equally similar ones.
    Several subtrees may have the same partner, as in BERTScore.
    """
    found = _nobody(system), _nobody(reference)
    codes = {key: code for code, key in enumerate(dict.fromkeys(reference.keys))}
    keys = [
        np.array([codes.get(key, len(codes)) for key in forest.keys], np.int64)
        for forest in (system, reference)
    ]
    for length in np.intersect1d(system.lengths, reference.lengths).tolist():
        of_system, of_reference = (
            slice(*np.searchsorted(forest.lengths, (length, length + 1)))
            for forest in (system, reference)
        )
        cosines = system.directions[of_system] @ reference.directions[of_reference].T
        similarity = np.clip(cosines, 0.0, 1.0)
        if by_head:
            similarity *= keys[0][of_system, None] == keys[1][None, of_reference]
        _take_best(found[0], of_system, similarity, of_reference.start)
        _take_best(found[1], of_reference, similarity.T, of_system.start)
    return found


def _nobody(forest: Forest) -> Partners:
    n_subtrees = len(forest.subtrees)
    return Partners(np.zeros(n_subtrees), np.full(n_subtrees, NO_PARTNER, np.int64))


def _take_best(found: Partners, rows: slice, similarity: Floats, first: int) -> None:
    # Equal similarity stays equal whatever order a machine adds in: ties break alike, and the
    # values are the same on all.
    similarity = np.round(similarity, _DECIMALS)
    best = similarity.argmax(axis=1)
    values = similarity[np.arange(len(best)), best]
    found.similarity[rows] = values
    found.partner[rows] = np.where(values > 0, best + first, NO_PARTNER)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtreeMatch:
    """A subtree of one text, and the one of the other text that is most like it."""

    subtree: PlacedTree
    # Of the other text; None = it has none of as many words that is similar at all.
    partner: PlacedTree | None
    similarity: float

    @property
    def length(self) -> int:
        """Returns the number of words."""
        return len(self.subtree.subtree.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtreeComparison:
    """Details of the similarity of two texts."""

    system: tuple[ParsedSentence, ...]
    reference: tuple[ParsedSentence, ...]
    # Its subtrees with their partners in the reference, the shortest first.
    of_system: tuple[SubtreeMatch, ...]
    of_reference: tuple[SubtreeMatch, ...]
    score: SubtreeScore | None  # what follows from them; None = neither text has a word


def compared(
    system: Sequence[ReadSentence],
    reference: Sequence[ReadSentence],
    options: ForestOptions,
    *,
    by_head: bool = True,
) -> SubtreeComparison:
    """Returns the matches of two texts."""
    one, other = (
        joined(forest_of(tree, vectors, options) for tree, vectors in text)
        for text in (system, reference)
    )
    of_one, of_other = partners(one, other, by_head=by_head)
    has_words = bool(one.subtrees or other.subtrees)
    return SubtreeComparison(
        system=tuple(read.sentence for read in system),
        reference=tuple(read.sentence for read in reference),
        of_system=_matches(one, other, of_one),
        of_reference=_matches(other, one, of_other),
        score=score_of(one, other, of_one, of_other) if has_words else None,
    )


def _matches(one: Forest, other: Forest, found: Partners) -> tuple[SubtreeMatch, ...]:
    return tuple(
        SubtreeMatch(
            subtree=subtree,
            partner=None if partner == NO_PARTNER else other.subtrees[partner],
            similarity=similarity,
        )
        for subtree, partner, similarity in zip(
            one.subtrees, found.partner.tolist(), found.similarity.tolist(), strict=True
        )
    )


def words_of(placed: PlacedTree, text: Sequence[ParsedSentence]) -> str:
    """Returns the words of a subtree, with `…` for gaps."""
    words = text[placed.sentence_idx].words
    spelled: list[str] = []
    before = None
    for place in placed.subtree.words:
        if before is not None and place > before + 1:
            spelled.append("…")
        spelled.append(words[place].form)
        before = place
    return " ".join(spelled)


_MANY: Final = 0.02

_UNKNOWN = Problem(
    what="{percent} % of the words are unknown to the model “{model}”; they are like nothing.",
    hint="Check that the model is of the corpus's language.",
)


class UnknownWords:
    """Counts the words without a vector."""

    def __init__(self) -> None:
        self._words: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])

    def note(self, model: str, read: ReadTexts) -> None:
        """Records texts read by a model."""
        counts = self._words[model]
        for sentences in read.values():
            for _, vectors in sentences:
                counts[0] += len(vectors)
                counts[1] += int((~vectors.any(axis=1)).sum())

    def problems(self) -> Iterator[Problem]:
        """Yields a warning for each model with many unknown words."""
        for model, (n_words, n_unknown) in self._words.items():
            if n_unknown > _MANY * n_words:
                percent = f"{100 * n_unknown / n_words:.0f}"
                yield replace(_UNKNOWN, fields={"percent": percent, "model": model})
