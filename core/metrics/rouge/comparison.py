"""Comparisons of summaries with references: counts, and their sums over references.

Kept for every summary and reference, so that another formula, another alpha or a thousand resamples
never look at text again. Averages and confidence intervals are as ROUGE-1.5.5 prints them: of
bootstrap resamples.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import InputError
from awase.core.metrics.rouge.tokens import (
    DROPPED,
    END,
    Lexicon,
    Offsets,
    Summary,
    TokenizedTexts,
    compiled_numbers,
    starts_of,
)

Floats = NDArray[np.float64]


class Formula(Enum):
    """Combination of several references (`-f`)."""

    ALL = "A"  # sums of matches and of units over the references: the program's "model average"
    BEST = "B"  # the reference with the best recall; the first of equals


def scores_of(totals: Floats, alpha: float = 0.5, root: float = 1.0) -> Floats:
    """Returns (n, 3) recall, precision and F, each rounded to five decimals as the program does.

    Args:
        totals: (n, 3) from `Counts.totals`.
        alpha: Towards 1, F favours precision (`-p`).

    Source: ROUGE-1.5.5. F is made of the rounded recall and precision; a ratio without units is 0.
    """
    models, peers, hits = totals.T
    recall = rounded(_raised(_ratio(hits, models), root))
    precision = rounded(_raised(_ratio(hits, peers), root))
    return np.stack((recall, precision, rounded(f_measure(recall, precision, alpha))), axis=-1)


def f_measure(recall: Floats, precision: Floats, alpha: float) -> Floats:
    """Returns the weighted harmonic mean, 0..1 of any shape, 0 where both are 0.

    `alpha` 1 = precision alone, 0 = recall alone.
    """
    return _ratio(precision * recall, (1 - alpha) * precision + alpha * recall)


def ratios_of(totals: Floats, alpha: float) -> Floats:
    """Returns (..., 3) unrounded recall, precision and F of summed counts (`-t 1`).

    `totals` are (..., 3) units of references, of summaries, and shared.

    Differs: for ROUGE-W no root is taken, as in the program.
    """
    models, peers, hits = totals[..., 0], totals[..., 1], totals[..., 2]
    recall, precision = _ratio(hits, models), _ratio(hits, peers)
    return np.stack((recall, precision, f_measure(recall, precision, alpha)), axis=-1)


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _raised(values: Floats, root: float) -> Floats:
    if root == 1.0:
        return values
    # numpy's power differs from the C library's, and so from the program's, in the last bit.
    return np.array([math.pow(value, root) for value in values.tolist()])


_SCALE = 1e5
_NEAR_A_TIE = 1e-6


def rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the values as `%.5f` prints them."""
    # `numpy.round` scales first, which moves values across a tie.
    scaled = values * _SCALE
    result = np.rint(scaled) / _SCALE
    doubtful = np.abs(scaled - np.floor(scaled) - 0.5) < _NEAR_A_TIE
    if doubtful.any():
        result[doubtful] = [float(f"{value:.5f}") for value in values[doubtful].tolist()]
    return result


Ids = NDArray[np.int64]

FOREIGN = 0  # id of every token that no reference of the topic has


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeComparison:
    """Summaries to compare, each a sequence of sentences; a plain string is one sentence."""

    peers: Sequence[Summary]
    # The references; order matters to `-f B`, where the first of equals wins.
    models: Sequence[Summary]

    def __post_init__(self) -> None:
        for name, texts in (("peers", self.peers), ("models", self.models)):
            if isinstance(texts, str | bytes):
                raise TypeError(f"{name} is a single text; give a list of texts.")


@dataclass(frozen=True, kw_only=True)
class Texts:
    """Token ids of one side of several comparisons, one comparison after the other."""

    ids: Ids  # (n_tokens,) `FOREIGN`, or an id that no other comparison has
    sentence_starts: Offsets  # (n_sentences + 1,) offsets into `ids`
    text_starts: Offsets  # (n_texts + 1,) offsets into `sentence_starts`
    starts: Offsets  # (n_comparisons + 1,) offsets of the comparisons into the texts
    token_starts: Offsets  # (n_texts + 1,) offsets of the texts into `ids`
    lengths: Offsets
    comparisons: Ids  # (n_texts,) the comparison that each text belongs to
    slots: Ids  # (n_texts,) the place of each text in its comparison

    @property
    def n_texts(self) -> int:
        """Returns the number of texts."""
        return len(self.lengths)

    @property
    def n_slots(self) -> int:
        """Returns the number of texts of the largest comparison."""
        return int(np.diff(self.starts).max(initial=0))


def _cut(ids: Ids, sentence_starts: Offsets, text_starts: Offsets, starts: Offsets) -> Texts:
    text_starts = text_starts[starts[0] : starts[-1] + 1]
    sentence_starts = sentence_starts[text_starts[0] : text_starts[-1] + 1]
    ids = ids[sentence_starts[0] : sentence_starts[-1]]
    starts, text_starts, sentence_starts = (
        offsets - offsets[0] for offsets in (starts, text_starts, sentence_starts)
    )
    token_starts = sentence_starts[text_starts]
    lengths = np.diff(token_starts)
    comparisons = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return Texts(
        ids=ids,
        sentence_starts=sentence_starts,
        text_starts=text_starts,
        starts=starts,
        token_starts=token_starts,
        lengths=lengths,
        comparisons=comparisons,
        slots=np.arange(len(lengths)) - starts[comparisons],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Comparisons side by side; `running` and `apart` are the program's two readings of a text."""

    peers: Texts
    models: Texts
    peers_apart: Texts
    models_apart: Texts
    # (n_comparisons + 1,) the ids of comparison c are `id_starts[c] + 1` to `id_starts[c + 1]`.
    id_starts: Offsets


def numbered(comparisons: Sequence[RougeComparison], lexicon: Lexicon) -> Batch:
    """Returns the comparisons as ids."""
    models = [summary for comparison in comparisons for summary in comparison.models]
    peers = [summary for comparison in comparisons for summary in comparison.peers]
    starts_of_models = np.cumsum([0, *(len(comparison.models) for comparison in comparisons)])
    starts_of_peers = np.cumsum([0, *(len(comparison.peers) for comparison in comparisons)])
    starts_of_peers += len(models)
    reading = lexicon.read([*models, *peers])
    ids, sentence_starts, id_starts = compiled_numbers(
        reading, starts_of_models, starts_of_peers
    ) or _numbers(reading, starts_of_models, starts_of_peers)
    n_texts = len(models) + len(peers)
    sides = [
        [
            _cut(ids, sentence_starts, reading.text_starts, starts + reading_idx * n_texts)
            for starts in (starts_of_models, starts_of_peers)
        ]
        for reading_idx in range(reading.n_readings)
    ]
    return Batch(
        models=sides[0][0],
        peers=sides[0][1],
        models_apart=sides[-1][0],
        peers_apart=sides[-1][1],
        id_starts=id_starts,
    )


def _numbers(
    reading: TokenizedTexts, starts_of_models: Offsets, starts_of_peers: Offsets
) -> tuple[Ids, Offsets, Offsets]:
    """Returns `compiled_numbers` with ids in another order."""
    marks = reading.words[reading.kinds]
    marks = marks[marks != DROPPED]
    lengths = np.diff(np.flatnonzero(marks == END), prepend=-1) - 1
    words, sentence_starts = marks[marks != END], starts_of(lengths)
    n_comparisons, n_words = len(starts_of_models) - 1, int(reading.words.max(initial=0)) + 1
    comparison_of = np.repeat(
        np.tile(np.arange(n_comparisons), 2),
        np.concatenate([np.diff(starts_of_models), np.diff(starts_of_peers)]),
    )
    is_model = np.arange(len(comparison_of)) < starts_of_models[-1]
    lengths = np.diff(sentence_starts[reading.text_starts])
    # One table for all of them: a row for each comparison, a column for each word.
    cells = words + np.repeat(np.tile(comparison_of * n_words, reading.n_readings), lengths)
    id_of = np.zeros(n_comparisons * n_words, np.int64)
    id_of[cells[np.repeat(np.tile(is_model, reading.n_readings), lengths)]] = 1
    known = np.flatnonzero(id_of)
    id_of[known] = np.arange(1, len(known) + 1)
    id_starts = np.searchsorted(known, np.arange(n_comparisons + 1) * n_words)
    return id_of[cells], sentence_starts, id_starts


def batch_of_units(peers: Sequence[Ids], models: Sequence[Ids]) -> Batch:
    """Returns one comparison of texts given as units' numbers, whatever these are."""
    nothing = np.empty(0, np.int64)
    known = different(np.concatenate([*models, nothing]))
    sides: list[Texts] = []
    for texts in (models, peers):
        ids = numbers_among(known, np.concatenate([*texts, nothing]))
        starts = starts_of(np.array([*map(len, texts)], np.int64))
        sides.append(_cut(ids, starts, np.arange(len(texts) + 1), np.array([0, len(texts)])))
    id_starts = np.array([0, len(known)])
    return Batch(peers=sides[1], models=sides[0], peers_apart=sides[1], models_apart=sides[0],
                 id_starts=id_starts)  # fmt: skip


def different(units: Ids) -> Ids:
    """Returns the different units, which are from 0 on, in order."""
    in_order = np.sort(units)  # `numpy.unique` hashes, which takes ten times as long for millions
    found: Ids = in_order[np.diff(in_order, prepend=-1) != 0]
    return found


def numbers_among(known: Ids, units: Ids) -> Ids:
    """Returns the place of each unit among sorted ones, from 1; `FOREIGN` = it is not there."""
    places = np.searchsorted(known, units)
    is_known = known.take(places, mode="clip") == units if len(known) else places > 0
    return np.where(is_known, places + 1, FOREIGN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """One measure's counts in one comparison, or in several side by side.

    A row for each summary, a column for each place among the references of its comparison.
    """

    hits: Floats  # (n_peers, n_slots) matched units; 0 where the comparison has fewer references
    models: Floats  # (n_models,) units of each reference: what recall divides by
    peers: Floats  # (n_peers,) units of each summary: what precision divides by
    selection: Floats  # (n_peers, n_slots) recall by which `Formula.BEST` chooses
    model_starts: Offsets  # (n_comparisons + 1,) offsets of the comparisons into the references
    peer_starts: Offsets  # (n_comparisons + 1,) offsets of the comparisons into the summaries
    # Exponent of ratios: 1, or 1 / weight for ROUGE-W.
    root: float = 1.0

    def by_comparison(self) -> Iterator["Counts"]:
        """Yields the counts of each comparison."""
        model_starts, peer_starts = self.model_starts.tolist(), self.peer_starts.tolist()
        for index in range(len(model_starts) - 1):
            models = slice(model_starts[index], model_starts[index + 1])
            peers = slice(peer_starts[index], peer_starts[index + 1])
            n_models = models.stop - models.start
            yield Counts(
                hits=self.hits[peers, :n_models],
                models=self.models[models],
                peers=self.peers[peers],
                selection=self.selection[peers, :n_models],
                model_starts=np.array([0, n_models]),
                peer_starts=np.array([0, peers.stop - peers.start]),
                root=self.root,
            )

    def totals(self, formula: Formula) -> Floats:
        """Returns (n_peers, 3): units of references and of the summary, and matches.

        Every comparison has a reference.
        """
        n_peers, n_slots = self.hits.shape
        n_models = np.diff(self.model_starts)
        comparisons = np.repeat(np.arange(len(n_models)), np.diff(self.peer_starts))
        first, n_models = self.model_starts[comparisons], n_models[comparisons]
        totals = np.zeros((n_peers, 3))
        if formula is Formula.BEST:
            # Where a comparison has fewer references nothing is better than the first.
            best = np.argmax(self.selection, axis=1)
            totals[:, 0], totals[:, 1] = self.models[first + best], self.peers
            totals[:, 2] = self.hits[np.arange(n_peers), best]
            return totals
        # As the program adds, one reference after the other.
        for slot in range(n_slots):
            has_it = np.flatnonzero(n_models > slot)
            totals[has_it, 0] += self.models[first[has_it] + slot]
            totals[has_it, 1] += self.peers[has_it]
            totals[has_it, 2] += self.hits[has_it, slot]
        return totals


def ratios(hits: Floats, models: Floats, batch: Batch) -> Floats:
    """Returns (n_peers, n_slots) shares of the references' units, 0 for empty ones."""
    texts = batch.models
    below = np.zeros((len(texts.starts) - 1, texts.n_slots))  # 0 where there is no text
    below[texts.comparisons, texts.slots] = models
    return _ratio(hits, below[batch.peers.comparisons])


@dataclass(frozen=True, slots=True)
class References:
    """A way to make one score of several references."""

    formula: Formula
    jackknifed: bool = False  # whether each is left out in turn

    def scores(self, counts: Counts, alpha: float) -> Floats:
        """Returns (n_peers, 3) recall, precision and F; each comparison has a reference."""
        if self.jackknifed:
            each = counts.by_comparison()
            return np.concatenate([jackknifed(one, self.formula, alpha) for one in each])
        return scores_of(counts.totals(self.formula), alpha, counts.root)


# By the value of the option `refs`, the default first.
REFERENCES: Final[Mapping[str, References]] = MappingProxyType(
    {
        "a": References(Formula.ALL),
        "b": References(Formula.BEST),
        "a-jackknife": References(Formula.ALL, jackknifed=True),
        "b-jackknife": References(Formula.BEST, jackknifed=True),
    }
)


def jackknifed(counts: Counts, formula: Formula, alpha: float = 0.5) -> Floats:
    """Returns (n_peers, 3) means over all leave-one-out sets of references, unrounded.

    A person's summary, when scored, has one reference fewer than a system's; leaving one out for
    the systems too makes the numbers comparable. With a single reference nothing is left out.

    Source: Lin (2004), section 2.1.
    Differs: from ROUGE-1.5.5, which dropped it; it agrees with the program's average over settings
        in which each set is an evaluation of its own.
    """
    n_models = len(counts.models)
    if n_models < 2:
        return scores_of(counts.totals(formula), alpha, counts.root)
    scores = [
        scores_of(_without(counts, model).totals(formula), alpha, counts.root)
        for model in range(n_models)
    ]
    # Sorted: the order in which references were brought changes no digit.
    return np.asarray(np.mean(np.sort(scores, axis=0), axis=0))


def _without(counts: Counts, model: int) -> Counts:
    return replace(
        counts,
        model_starts=np.array([0, len(counts.models) - 1]),
        hits=np.delete(counts.hits, model, axis=1),
        models=np.delete(counts.models, model),
        selection=np.delete(counts.selection, model, axis=1),
    )


_MOST_SUMS = 1 << 15


class Averaging(Enum):
    """Kinds of averages (`-t`)."""

    BY_SUMMARY = "0"  # the rounded scores of the summaries
    BY_TOKEN = "1"  # counts are summed first, so long summaries weigh more


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeResampling:
    """Settings of averages and intervals."""

    n_resamples: int = 1000  # number of bootstrap resamples (`-r`), at least 1
    confidence: float = 95.0  # of the interval in percent (`-c`), 0 to 100
    averaging: Averaging = Averaging.BY_SUMMARY
    # Towards 1, F favours precision (`-p`); matters for `Averaging.BY_TOKEN` alone.
    alpha: float = 0.5

    def __post_init__(self) -> None:
        if self.n_resamples < 1:
            raise InputError.of("{n} resamples are too few.", "At least 1.", n=self.n_resamples)
        if not 0 <= self.confidence <= 100:
            raise InputError.of(
                "A confidence of {confidence} % is impossible.",
                "Choose 0 to 100.",
                confidence=self.confidence,
            )
        if not 0 <= self.alpha <= 1:
            raise InputError.of("Alpha is {alpha}.", "Choose 0 to 1.", alpha=self.alpha)


DEFAULT = RougeResampling()


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """Recall, precision and F over summaries, rounded to five decimals."""

    mean: Floats  # (..., 3) means of the resamples: what ROUGE-1.5.5 calls the average
    low: Floats  # (..., 3) lower ends of the confidence intervals
    high: Floats  # (..., 3) upper ends


def bootstrap(values: Floats, resampling: RougeResampling = DEFAULT) -> Averages:
    """Returns averages and intervals over summaries of their scores, (n_summaries, ..., 3).

    Under `Averaging.BY_TOKEN` of totals as `Counts.totals` gives them. ROUGE-1.5.5 orders summaries
    by their ids as strings, and the order decides which are drawn.

    Source: ROUGE-1.5.5. The average is over resamples, so that it differs from the plain mean in
        the fourth decimal for few summaries.
    """
    samples = _sums(values, resampling.n_resamples)
    if resampling.averaging is Averaging.BY_TOKEN:
        samples = ratios_of(samples, resampling.alpha)
    else:
        samples /= max(len(values), 1)
    samples.sort(axis=0)
    mean = np.zeros(samples.shape[1:])
    for sample in samples:  # one after the other, as the program adds
        mean += sample
    low, high = _ends(samples, resampling)
    return Averages(
        mean=rounded(mean / resampling.n_resamples), low=rounded(low), high=rounded(high)
    )


def _sums(values: Floats, n_resamples: int) -> Floats:
    """Returns (n_resamples, ..., 3) sums of the summaries drawn, added in the order drawn."""
    sums = np.zeros((n_resamples, *values.shape[1:]))
    drawn = resample_indices(len(values), n_resamples)
    # Some resamples at a time, so that their sums stay in the processor's cache.
    at_once = max(1, _MOST_SUMS // max(1, sums[:1].size))
    for first in range(0, n_resamples, at_once):
        some = sums[first : first + at_once]
        for items in drawn[:, first : first + at_once]:
            some += values.take(items, axis=0)
    return sums


def _ends(samples: Floats, resampling: RougeResampling) -> tuple[Floats, Floats]:
    n_samples = len(samples)
    outside = n_samples * ((100 - resampling.confidence) / 2.0) / 100.0
    upper = int(n_samples - outside - 1)
    share = n_samples - outside - 1 - upper

    def between(index: int) -> Floats:
        here, behind = _sample(samples, index), _sample(samples, index + 1)
        return here + (behind - here) * share

    # The program interpolates the lower end with the upper end's share, too.
    return between(int(outside)), between(upper)


def _sample(samples: Floats, index: int) -> Floats:
    """Returns one sorted sample; a missing one is 0, as in Perl."""
    n_samples = len(samples)
    if -n_samples <= index < n_samples:
        return np.asarray(samples[index])
    return np.zeros(samples.shape[1:])


def perl_mean(values: Floats) -> Floats:
    """Returns (..., 3) means of the program's resamples of `values`, rounded to five decimals.

    Source: ROUGE-1.5.5.
    """
    return bootstrap(values).mean


_MULTIPLIER = 0x5DEECE66D
_INCREMENT = 0xB
_LOW_BITS_OF_SEED = 0x330E
_MASK = np.uint64((1 << 48) - 1)


@lru_cache(maxsize=8)
def resample_indices(n_items: int, n_resamples: int) -> NDArray[np.int64]:
    """Returns (n_items, n_resamples) the items drawn: column s with the generator seeded by s.

    Source: perl's `srand` and `rand` (perlfunc; POSIX drand48). ROUGE-1.5.5 draws as many items
        as there are, with `int(rand(n))`.
    Differs: Perl before 5.20 used the C library's generator, so intervals printed by it may differ
        in their last digits.
    """
    state = (np.arange(n_resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(
        _LOW_BITS_OF_SEED
    )
    drawn = np.empty((n_items, n_resamples), np.int64)
    for draw in range(n_items):
        # uint64 wraps modulo 2 ** 64, of which 2 ** 48 is a divisor.
        state = (state * np.uint64(_MULTIPLIER) + np.uint64(_INCREMENT)) & _MASK
        drawn[draw] = state.astype(np.float64) / 2.0**48 * n_items
    drawn.flags.writeable = False
    return drawn
