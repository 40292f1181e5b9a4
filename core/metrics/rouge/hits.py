"""Matches of summaries with references: n-grams, skip-bigrams, and the paths of ROUGE-L and -W.

The compiled kernel counts them; where it is not there, or a text is too large for its tables, all
comparisons are counted here together, which also checks the kernel.
"""

import ctypes
from bisect import bisect, insort
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from awase.core.kernel.binding import RawTexts, kernel, passed
from awase.core.metrics.rouge.comparison import FOREIGN, Batch, Floats, Ids, Texts, different
from awase.core.metrics.rouge.tokens import starts_of
from awase.core.text.numbered_tokens import equal_keys

_PAIRS_AT_ONCE = 1 << 18  # skip-bigrams that are held at the same time, where one text has fewer
_WIDEST = 1 << 22  # table of units
_BITS = 64  # of a word
_SHIFTS = tuple(np.uint64(1 << power) for power in range(6))
_WORDS = 1 << 14  # of a row of tables that are filled together
_LANES = 1 << 17  # weighted tables that are sorted by size together
_TABLES = 1 << 14  # weighted tables that are filled together
_CELLS = 1 << 23  # of them


def ngram_hits(batch: Batch, longest: int) -> Floats:
    """Returns (longest, n_peers, n_slots) matches of 1-grams to `longest`-grams."""
    n_slots = batch.models.n_slots
    hits = np.zeros((longest, batch.peers.n_texts, n_slots))
    sides = batch.peers, batch.models
    if not _is_compiled("awase_ngrams", sides, batch, longest, n_slots, hits):
        peers, models = (_Units.of_tokens(side) for side in sides)
        for size in range(1, longest + 1):
            if size > 1:
                longer = (
                    units.followed(side, size - 1, batch.id_starts)
                    for units, side in zip((peers, models), sides, strict=True)
                )
                peers, models = _numbered(*longer)
            hits[size - 1] = _shared(batch, peers, models)
    return hits


def skip_bigram_hits(batch: Batch, gap: int | None) -> tuple[Floats, Floats]:
    """Returns (n_peers, n_slots) matches of skip-bigrams, and of all tokens but the last."""
    n_slots = batch.models.n_slots
    pairs = np.zeros((batch.peers.n_texts, n_slots))
    tokens = np.zeros_like(pairs)
    sides, most = (batch.peers, batch.models), -1 if gap is None else gap
    if not _is_compiled("awase_skip_bigrams", sides, batch, most, n_slots, pairs, tokens):
        portions = _portions(batch, gap)
        for portion in range(portions[-1] + 1 if len(portions) else 0):
            peers, models = (
                _Units.of_pairs(side, portions[side.comparisons] == portion, gap, batch.id_starts)
                for side in sides
            )
            pairs += _shared(batch, *_numbered(peers, models))
        tokens += _shared(batch, *(_Units.of_tokens(side).with_next(side, 1) for side in sides))
    return pairs, tokens


def path_hits(batch: Batch, powers: Floats | None) -> Floats:
    """Returns (n_peers, n_slots) tokens hit by ROUGE-L, or the weights of ROUGE-W's runs.

    `powers`, None = ROUGE-L, are k ** weight for k = 0 to one more than the longest reference
    sentence has tokens.
    """
    n_slots = batch.models.n_slots
    hits = np.zeros((batch.peers.n_texts, n_slots))
    table = np.zeros(0) if powers is None else powers
    sides = batch.peers, batch.models, batch.peers_apart, batch.models_apart
    if not _is_compiled("awase_paths", sides, batch, table, n_slots, hits):
        paths = _Paths(batch)
        if powers is None:
            paths.walk()
        else:
            paths.walk_weighted(powers)
        hits += paths.hits(powers)
    return hits


def _is_compiled(name: str, sides: Sequence[Texts], batch: Batch, *rest: Floats | int) -> bool:
    """Returns whether the kernel filled the arrays of `rest`."""
    library = kernel()
    if library is None:
        return False
    arrays = [
        [_int64(level) for level in (side.ids, side.sentence_starts, side.text_starts, side.starts)]
        for side in sides
    ]
    texts = [ctypes.byref(RawTexts(*(passed(one, "int64") for one in side))) for side in arrays]
    ids = _int64(batch.id_starts)
    others = [one if isinstance(one, int) else passed(one, "float64") for one in rest]
    return library.call(name, *texts, passed(ids, "int64"), *others)


def _int64(array: NDArray[np.integer]) -> Ids:
    return np.ascontiguousarray(array, np.int64)


def _portions(batch: Batch, gap: int | None) -> Ids:
    """Returns for each comparison the portion that it is counted in."""
    n_pairs = np.zeros(len(batch.models.starts) - 1)
    for side in (batch.peers, batch.models):
        farthest = side.lengths if gap is None else np.minimum(side.lengths, gap + 1)
        n_pairs += np.bincount(side.comparisons, side.lengths * farthest, minlength=len(n_pairs))
    return np.cumsum(n_pairs).astype(np.int64) // _PAIRS_AT_ONCE


Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class _Units:
    """Units of one side of a batch; those of different comparisons differ, but for `FOREIGN`."""

    codes: Ids
    texts: Ids  # the text that has each
    places: Ids  # of its first token

    @classmethod
    def of_tokens(cls, side: Texts) -> Self:
        texts = np.repeat(np.arange(side.n_texts), side.lengths)
        return cls(side.ids, texts, np.arange(len(texts)))

    @classmethod
    def of_pairs(
        cls, side: Texts, is_chosen: NDArray[np.bool_], gap: int | None, id_starts: Ids
    ) -> Self:
        """Returns the skip-bigrams of the chosen texts that may be in a reference."""
        tokens = cls.of_tokens(side)
        tokens = tokens.where((tokens.codes != FOREIGN) & is_chosen[tokens.texts])
        farthest = int(side.lengths.max(initial=0)) - 1
        if gap is not None:
            farthest = min(farthest, gap + 1)
        # Set apart so far that no two texts have tokens within reach of each other.
        apart = tokens.places + tokens.texts * farthest
        seconds = tokens.codes - id_starts[side.comparisons[tokens.texts]]
        before = tokens.codes * _base(id_starts)
        codes, firsts = [before[:0]], [before[:0]]
        for behind in range(1, min(farthest, len(apart) - 1) + 1):
            near = np.flatnonzero(apart[behind:] - apart[:-behind] <= farthest)
            if not len(near):
                break
            codes.append(before[near] + seconds[near + behind])
            firsts.append(near)
        first = np.concatenate(firsts)
        return cls(np.concatenate(codes), tokens.texts[first], tokens.places[first])

    def where(self, chosen: NDArray[np.bool_] | Ids) -> Self:
        return replace(
            self, codes=self.codes[chosen], texts=self.texts[chosen], places=self.places[chosen]
        )

    def with_next(self, side: Texts, behind: int) -> Self:
        """Returns the units whose text goes on so many tokens behind their first one."""
        return self.where(self.places + behind < side.token_starts[self.texts + 1])

    def followed(self, side: Texts, behind: int, id_starts: Ids) -> Self:
        """Returns the units that are followed by a token there, with it, if both may be matched."""
        places = self.places + behind
        is_within = places < side.token_starts[self.texts + 1]
        second = np.where(is_within, side.ids.take(places, mode="clip"), FOREIGN)
        chosen = np.flatnonzero((self.codes != FOREIGN) & (second != FOREIGN))
        units = self.where(chosen)
        second = second[chosen] - id_starts[side.comparisons[units.texts]]
        return replace(units, codes=units.codes * _base(id_starts) + second)

    def counted(self) -> tuple[Ids, Ids, Ids]:
        """Returns the different units by code and text, and how often the text has each."""
        base = int(self.texts.max(initial=0)) + 1
        chosen = np.flatnonzero(self.codes != FOREIGN)
        units = np.sort(self.codes[chosen] * base + self.texts[chosen])
        firsts = np.flatnonzero(np.diff(units, prepend=-1))
        return *np.divmod(units[firsts], base), np.diff(firsts, append=len(units))


def _base(id_starts: Ids) -> int:
    """Returns a number above all ids of a comparison, which begin at 1 for the second of a pair."""
    return int(np.diff(id_starts).max(initial=0)) + 1


def _numbered(peers: _Units, models: _Units) -> tuple[_Units, _Units]:
    """Returns the units with numbers from 1 as codes; `FOREIGN` = no reference has it."""
    sides, nothing = (peers, models), np.iinfo(np.int64).max
    low = min(int(side.codes.min(initial=nothing)) for side in sides)
    n_cells = max(0, *(int(side.codes.max(initial=FOREIGN)) - low + 1 for side in sides))
    # The last of equals stands for all: a reference's if one has it.
    if n_cells <= _WIDEST:
        number_of = np.zeros(n_cells, np.int32)
        number_of[models.codes - low] = np.arange(1, len(models.codes) + 1)
        of_peers, of_models = (number_of[side.codes - low].astype(np.int64) for side in sides)
    else:
        equal = equal_keys(np.concatenate([peers.codes, models.codes]).astype(np.uint64))
        numbers = np.maximum(equal - len(peers.codes) + 1, FOREIGN)
        of_peers, of_models = np.split(numbers, [len(peers.codes)])
    return replace(peers, codes=of_peers), replace(models, codes=of_models)


def _shared(batch: Batch, peers: _Units, models: _Units) -> Floats:
    """Returns (n_peers, n_slots) sums over units of the lesser count."""
    codes, rows, counts = peers.counted()
    n_units = max(int(side.codes.max(initial=FOREIGN)) for side in (peers, models)) + 1
    sums = np.empty((batch.peers.n_texts, batch.models.n_slots))
    slots = batch.models.slots[models.texts]
    for slot in range(batch.models.n_slots):
        of_models = np.bincount(models.codes[slots == slot], minlength=n_units)
        lesser = np.minimum(counts, of_models[codes])
        sums[:, slot] = np.bincount(rows, lesser, minlength=len(sums))
    return sums


@dataclass(frozen=True, slots=True)
class _Sentences:
    """The sentences of one side of a batch."""

    ids: Ids
    starts: Ids  # (n + 1,) offsets into `ids`
    texts: Ids  # (n,) the text of each
    comparisons: Ids  # (n,)
    lengths: Ids  # (n,)

    @classmethod
    def of(cls, side: Texts, ids: Ids, starts: Ids) -> Self:
        """Returns them with these tokens."""
        texts = np.repeat(np.arange(side.n_texts), np.diff(side.text_starts))
        return cls(ids, starts, texts, side.comparisons[texts], np.diff(starts))

    @classmethod
    def that_matter(cls, side: Texts) -> Self:
        """Returns them without foreign tokens that change no path."""
        chosen = np.flatnonzero(_matter(side.ids != FOREIGN, side.sentence_starts))
        return cls.of(side, side.ids[chosen], np.searchsorted(chosen, side.sentence_starts))

    def from_one(self, id_starts: Ids) -> Self:
        """Returns them with ids from 1 in each comparison."""
        firsts = np.repeat(id_starts[self.comparisons], self.lengths)
        return replace(self, ids=np.maximum(self.ids - firsts, FOREIGN).astype(np.int32))

    def beside(self, which: Ids, other: Self, others: Ids) -> tuple[Self, Ids]:
        """Returns some sentences, each without tokens that change no path through one of others.

        Also the place of each token that is left.
        """
        low, high = int(others.min(initial=0)), int(others.max(initial=-1)) + 1
        ids = other.ids[other.starts[low] : other.starts[high]]
        n_ids = int(max(self.ids.max(initial=FOREIGN), ids.max(initial=FOREIGN))) + 1
        is_in = np.zeros((high - low, n_ids), np.bool_)
        is_in[np.repeat(np.arange(high - low), other.lengths[low:high]), ids] = True
        is_in[:, FOREIGN] = False
        lengths = self.lengths[which]
        starts = starts_of(lengths)
        tokens = np.arange(starts[-1]) + np.repeat(self.starts[which] - starts[:-1], lengths)
        cells = np.repeat((others - low) * n_ids, lengths) + self.ids[tokens]
        chosen = np.flatnonzero(_matter(is_in.take(cells), starts))
        starts, tokens = np.searchsorted(chosen, starts), tokens[chosen]
        texts, comparisons = self.texts[which], self.comparisons[which]
        some = replace(self, ids=self.ids[tokens], starts=starts, lengths=np.diff(starts))
        return replace(some, texts=texts, comparisons=comparisons), tokens


def _matter(is_known: NDArray[np.bool_], starts: Ids) -> NDArray[np.bool_]:
    """Returns which tokens of sentences may change a path."""
    # One of a run of others is enough, and before the first match the path has ended anyway.
    matter = is_known.copy()
    matter[1:] |= is_known[:-1]
    firsts = starts[:-1][np.diff(starts) > 0]
    matter[firsts] = is_known[firsts]
    return matter


class _Paths:
    """Paths of longest common subsequences through the references' sentences, and their marks."""

    def __init__(self, batch: Batch) -> None:
        peers, models = batch.peers_apart, batch.models_apart
        self._batch = batch
        self._peers = _Sentences.that_matter(peers)
        self._models = _Sentences.of(models, models.ids, models.sentence_starts)
        bounds = models.token_starts[models.starts]
        # Marks of a summary are those of all tokens of its references; equal words stand together.
        texts = np.repeat(self._models.texts, self._models.lengths)
        self._tokens = np.lexsort((models.ids, texts))
        self._texts, self._words = texts[self._tokens], models.ids[self._tokens]
        self._places = np.argsort(self._tokens)
        n_tokens = np.diff(bounds)[peers.comparisons]
        # From a token's place among all references to that among the summary's marks.
        self._offsets = starts_of(n_tokens)[:-1] - bounds[peers.comparisons]
        self._owners = np.repeat(np.arange(peers.n_texts), n_tokens)
        self._marks = np.zeros(len(self._owners), np.bool_)

    def _mark(self, texts: Ids, tokens: Ids) -> None:
        """Marks tokens of references on the paths of summaries."""
        self._marks[self._places[tokens] + self._offsets[texts]] = True

    def walk(self) -> None:
        """Marks the paths of ROUGE-L.

        The references' sentences stand side by side in words of 64 bits, a bit apart; one that is
        longer has words of its own. Comparisons with as many words are counted together.
        """
        models = self._models
        n_words, firsts = _places(models, len(self._batch.id_starts) - 1)
        sentences = np.repeat(np.arange(len(models.lengths)), models.lengths)
        bits = np.arange(len(sentences)) + (firsts - models.starts[:-1])[sentences]
        for n in different(n_words[n_words > 0]).tolist():
            tokens = np.flatnonzero(n_words[models.comparisons[sentences]] == n)
            self._walk_words(n, n_words == n, tokens, sentences[tokens], bits[tokens])

    def _walk_words(
        self, n: int, is_chosen: NDArray[np.bool_], tokens: Ids, sentences: Ids, bits: Ids
    ) -> None:
        """Marks the paths through some comparisons' references, whose tokens have these bits."""
        peers, models, id_starts = self._peers, self._models, self._batch.id_starts
        place_of, n_places = np.cumsum(is_chosen) - 1, int(is_chosen.sum())
        is_known = np.repeat(is_chosen, np.diff(id_starts))
        row_of = np.concatenate(([FOREIGN], np.where(is_known, np.cumsum(is_known), FOREIGN)))
        table = _filled(
            row_of[models.ids[tokens]] * n * _BITS + bits, np.flatnonzero(is_known).size + 1, n
        )
        token_of = np.zeros(n_places * n * _BITS, np.int64)
        cells = place_of[models.comparisons[sentences]] * n * _BITS + bits
        token_of[cells] = tokens
        left = models.starts[sentences + 1] - tokens
        goes_on = (bits % _BITS == 0) & (tokens > models.starts[sentences])
        n_shifts = max((int(left.max(initial=0)) - 1).bit_length(), 1)
        chosen = [left > 0, *(left > shift for shift in _SHIFTS[:n_shifts]), goes_on]
        masks = [_filled(cells[some], n_places, n) for some in chosen]
        rows = np.flatnonzero(is_chosen[peers.comparisons] & (peers.lengths > 0))
        rows = rows[np.argsort(-peers.lengths[rows], kind="stable")]
        paths = []
        for some in np.split(rows, range(_WORDS // n + 1, len(rows), _WORDS // n + 1)):
            lengths, places = peers.lengths[some], place_of[peers.comparisons[some]]
            columns = row_of[_side_by_side(peers, some, int(lengths.max(initial=0)), FOREIGN)]
            counts = np.searchsorted(-lengths, -np.arange(len(columns))).tolist()
            steps = [column[:count] for column, count in zip(columns, counts, strict=True)]
            paths.append(_walked(table, steps, [mask[places] for mask in masks]))
        by_text = np.argsort(peers.texts[rows], kind="stable")
        texts = peers.texts[rows[by_text]]
        firsts = np.flatnonzero(np.diff(texts, prepend=-1))
        texts = texts[firsts]
        words = np.bitwise_or.reduceat(np.concatenate(paths)[by_text], firsts, axis=0)
        octets = words.astype("<u8").view(np.uint8)
        found = np.flatnonzero(np.unpackbits(octets, bitorder="little").view(np.bool_))
        idx, bits = np.divmod(found, n * _BITS)
        places = place_of[self._batch.peers_apart.comparisons[texts]]
        self._mark(texts[idx], token_of[places[idx] * n * _BITS + bits])

    def walk_weighted(self, powers: Floats) -> None:
        """Marks the paths of ROUGE-W, those of many pairs of sentences together."""
        sides = self._peers, self._models
        peers, models = (side.from_one(self._batch.id_starts) for side in sides)
        n_models = np.bincount(models.comparisons, minlength=len(self._batch.id_starts) - 1)
        n_lanes = n_models[peers.comparisons]
        portions = np.cumsum(n_lanes) // _LANES
        for rows in np.split(np.arange(len(n_lanes)), np.flatnonzero(np.diff(portions)) + 1):
            row = np.repeat(rows, n_lanes[rows])
            first = (np.cumsum(n_models) - n_models)[peers.comparisons[rows]]
            ahead = np.repeat(first - starts_of(n_lanes[rows])[:-1], n_lanes[rows])
            column = np.arange(len(row)) + ahead
            references, tokens = models.beside(column, peers, row)
            sentences, _ = peers.beside(row, models, column)
            wide, long = references.lengths, sentences.lengths
            order = np.lexsort((long, wide // 4))
            order = order[(wide * long)[order] > 0]
            while len(order):
                most = order[:_TABLES]
                cells = np.maximum.accumulate(wide[most]) * np.maximum.accumulate(long[most])
                cells *= np.arange(1, len(most) + 1)
                n = max(int(np.searchsorted(cells, _CELLS, side="right")), 1)
                lanes, places = _walked_lanes(references, sentences, order[:n], powers)
                self._mark(peers.texts[row[lanes]], tokens[places])
                order = order[n:]

    def hits(self, powers: Floats | None) -> Floats:
        """Returns (n_peers, n_slots) hits: unions of paths, clipped.

        A token on a path counts as often as its word is in both running texts. Under ROUGE-W a run
        ends at such a hit before an unmarked token or the sentence's end. A marked token that does
        not count neither lengthens a run nor ends it, and what is pending when the sentence ends on
        one is lost, as in ROUGE-1.5.5. The paper has no clipping; with it, ROUGE-L never exceeds
        ROUGE-1.
        """
        batch, models = self._batch, self._models
        shape = batch.peers.n_texts, batch.models.n_slots
        marks = np.flatnonzero(self._marks)
        peers = self._owners[marks]
        places = marks - self._offsets[peers]
        words = self._words[places]
        cells = peers * shape[1] + batch.models.slots[self._texts][places]
        is_first = (np.diff(cells, prepend=-1) != 0) | (np.diff(words, prepend=-1) != 0)
        firsts = np.flatnonzero(is_first)
        # If a text is read in one way only, the first of a word is always in both.
        is_hit = is_first & (batch.peers is batch.peers_apart)
        some = np.flatnonzero(~is_hit)
        of_sides = (batch.peers, peers[some]), (batch.models, self._texts[places[some]])
        n_both = np.minimum(*(_times(batch, side, words[some], texts) for side, texts in of_sides))
        n_before = some - firsts[np.searchsorted(firsts, some, side="right") - 1]
        is_hit[some] = n_before < n_both
        if powers is None:
            ends, weights = is_hit, None
        else:
            tokens = self._tokens[places]
            sentences = np.repeat(np.arange(len(models.lengths)), models.lengths)[tokens]
            read_at = tokens + marks - places
            as_read = np.argsort(read_at)
            marks = read_at[as_read]
            own = (peers * len(models.lengths) + sentences)[as_read]
            is_hit, cells = is_hit[as_read], cells[as_read]
            so_far = np.cumsum(is_hit)
            is_next = (np.diff(marks, append=-1) == 1) & (np.diff(own, append=-1) == 0)
            ends = np.flatnonzero(is_hit & ~is_next)
            begins = np.where(np.diff(own, prepend=-1) != 0, so_far - is_hit, 0)
            lasts = np.concatenate(([0], so_far[ends]))[:-1]
            weights = powers[so_far[ends] - np.maximum(np.maximum.accumulate(begins)[ends], lasts)]
        # Added in this order, which is the program's.
        sums = np.bincount(cells[ends], weights, minlength=shape[0] * shape[1])
        return sums.reshape(shape).astype(np.float64)


def _times(batch: Batch, side: Texts, words: Ids, texts: Ids) -> Ids:
    """Returns how often each text has a word."""
    n_words = np.diff(batch.id_starts)[side.comparisons]
    firsts = starts_of(n_words)[:-1] - batch.id_starts[side.comparisons] - 1
    cells = np.repeat(firsts, side.lengths) + side.ids
    counts: Ids = np.bincount(cells[side.ids != FOREIGN], minlength=int(n_words.sum()))
    found: Ids = counts[firsts[texts] + words]
    return found


def _side_by_side(
    sentences: _Sentences, which: Ids, longest: int, filler: int
) -> NDArray[np.int32]:
    """Returns (longest, n) tokens of some sentences, each in a column."""
    steps = np.arange(longest)[:, np.newaxis]
    tokens = sentences.ids.take(sentences.starts[which] + steps, mode="clip")
    return np.where(steps < sentences.lengths[which], tokens, filler).astype(np.int32)


def _walked_lanes(
    references: _Sentences, sentences: _Sentences, which: Ids, powers: Floats
) -> tuple[Ids, Ids]:
    """Fills the weighted tables of some pairs of sentences, and walks back through them.

    Returns the pairs and the tokens of references on the paths.

    Source: Lin (2004), section 4; the order of the additions is ROUGE-1.5.5's, because ties decide
        the path and depend on the last bit.
    """
    column, row = references.lengths[which], sentences.lengths[which]
    wide, long = int(column.max()), int(row.max())
    wide_ids = _side_by_side(references, which, wide, -1)
    # Backwards: a diagonal of a table is a slice of both.
    long_ids = _side_by_side(sentences, which, long, -2)[::-1]
    best, left, before = np.zeros((3, wide + 1, len(which)))
    runs, runs_left, runs_before = np.zeros((3, wide + 1, len(which)), np.int32)
    diagonals = np.arange(wide + long - 1)
    lows, highs = np.maximum(diagonals - long + 1, 0), np.minimum(diagonals + 1, wide)
    starts = starts_of(highs - lows)
    stops, matches = np.empty((2, int(starts[-1]), len(which)), np.bool_)
    bounds = [*zip(*(one.tolist() for one in (diagonals, lows, highs, starts)), strict=False)]
    for diagonal, low, high, start in bounds:
        cells, behind = slice(start, start + high - low), long - 1 - diagonal
        match = matches[cells]
        np.equal(wide_ids[low:high], long_ids[behind + low : behind + high], out=match)
        here, run = best[low + 1 : high + 1], runs[low + 1 : high + 1]
        above = left[low:high]
        np.maximum(above, left[low + 1 : high + 1], out=here)
        places = np.flatnonzero(match)
        n_before = runs_before[low:high].ravel()[places]
        weights = before[low:high].ravel()[places] + powers[n_before + 1]
        here.reshape(-1)[places] = weights - powers[n_before]
        run[:] = 0
        run.reshape(-1)[places] = n_before + 1
        # The program goes up on a tie, hence stops exactly where a row grows, or at a match.
        np.logical_or(match, here > above, out=stops[cells])
        best, left, before = before, best, left
        runs, runs_left, runs_before = runs_before, runs, runs_left
    is_on, is_next, is_second = np.zeros((3, wide + 1, len(which)), np.bool_)
    hits, ends = np.zeros((wide, len(which)), np.bool_), column + row - 2
    for diagonal, low, high, start in reversed(bounds):
        cells = slice(start, start + high - low)
        lanes = np.flatnonzero(ends == diagonal)
        is_on[column[lanes], lanes] = True
        path = is_on[low + 1 : high + 1]
        stop, hit = path & stops[cells], path & matches[cells]
        hits[low:high] |= hit
        is_second[low:high] |= hit
        is_next[low:high] |= path ^ stop
        is_next[low + 1 : high + 1] |= stop ^ hit
        is_on[:] = False
        is_on, is_next, is_second = is_next, is_second, is_on
    place, lanes = np.nonzero(hits)
    return which[lanes], references.starts[which[lanes]] + place


def _places(models: _Sentences, n_comparisons: int) -> tuple[Ids, Ids]:
    """Returns how many words each comparison needs, and where in them each sentence begins."""
    n_words = [0] * n_comparisons
    free: list[list[tuple[int, int]]] = [[] for _ in n_words]  # bits left in words, fewest first
    firsts = np.zeros(len(models.lengths), np.int64)
    # The longest first, each with a bit behind it.
    order = np.argsort(-models.lengths, kind="stable")
    comparisons, lengths = models.comparisons[order].tolist(), models.lengths[order].tolist()
    for sentence, comparison, length in zip(order.tolist(), comparisons, lengths, strict=True):
        words = free[comparison]
        fit = bisect(words, (length + 1,))
        if fit < len(words):
            left, word = words.pop(fit)
        else:
            left, word = _BITS, n_words[comparison]
            n_words[comparison] += length // _BITS + 1
        firsts[sentence] = (word + 1) * _BITS - left
        if left > length + 1:
            insort(words, (left - length - 1, word))
    return np.array(n_words, np.int64), firsts


def _filled(bits: Ids, n_rows: int, n_words: int) -> Words:
    """Returns (n_rows, n_words) words with these bits."""
    table = np.zeros(n_rows * n_words, np.uint64)
    np.add.at(table, bits // _BITS, np.left_shift(np.uint64(1), (bits % _BITS).astype(np.uint64)))
    return table.reshape(-1, n_words)


def _walked(table: Words, steps: Sequence[Ids], masks: Sequence[Words]) -> Words:
    """Returns (n_rows, n_words) bits of the tokens on the paths of some sentences of summaries.

    `table` has (n_ids + 1, n_words) bits that match a token; `steps` by place the tokens of the
    sentences that are so long, the longest first; `masks` bits of all tokens, those that still are
    of the same sentence when shifted down by each shift, and the lowest of words that go on with
    one.

    Source: Hyyro (2004), "Bit-parallel LCS-length computation revisited".
    """
    full, *stays, spans = masks
    is_wide = bool(spans.any())
    # The word behind the last one of each word's sentence, counted from the end.
    ends = np.where(spans == 0, np.arange(spans.shape[1]), spans.shape[1])[:, :0:-1]
    ends = np.minimum.accumulate(np.insert(ends, 0, spans.shape[1], axis=1), axis=1)[:, ::-1]
    ends = spans.shape[1] - ends
    below, found, flat, spare = full.copy(), np.zeros_like(full), full.copy(), full.copy()
    matches, stops = np.empty_like(full), []
    for tokens in steps:
        n = len(tokens)
        # Without a mode, take would fill a copy first, lest an index were wrong.
        match = table.take(tokens, axis=0, out=matches[:n], mode="clip")
        here = flat[:n]
        common = here & match
        total = here + common
        if is_wide:
            # A carry runs through words of ones; the last word of a row is never full.
            is_over = total < here
            lasts = np.where(total == ~np.uint64(0), -1, np.arange(total.shape[1]))
            lasts = np.maximum.accumulate(lasts, axis=1)
            total[:, 1:] += np.take_along_axis(is_over, lasts, axis=1)[:, :-1]
        here ^= common
        here |= total
        here &= full[:n]
        # The program goes up on a tie, hence stops exactly where the row grows, or at a match.
        stops.append((here ^ full[:n]) | match)
    for tokens, here in zip(reversed(steps), reversed(stops), strict=True):
        n = len(tokens)
        here &= below[:n]
        # Fills up what is below the highest bit of each sentence.
        for shift, stay in zip(_SHIFTS, stays, strict=False):
            np.right_shift(here, shift, out=spare[:n])
            spare[:n] &= stay[:n]
            here |= spare[:n]
        if is_wide:
            n_set = np.cumsum(np.insert(here[:, ::-1] != 0, 0, False, axis=1), axis=1)
            later = n_set[:, -2::-1] - np.take_along_axis(n_set, ends[:n], axis=1)
            here |= np.where(later > 0, ~np.uint64(0), 0)
        lower = here >> _SHIFTS[0] & stays[0][:n]
        if is_wide:
            lower[:, :-1] |= (here[:, 1:] & spans[:n, 1:]) << np.uint64(_BITS - 1)
        hit = (here ^ lower) & table.take(tokens, axis=0, out=matches[:n], mode="clip")
        found[:n] |= hit
        below[:n] = here ^ hit
    return found
