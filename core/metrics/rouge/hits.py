"""Matches of summaries with references: n-grams, skip-bigrams, and the paths of ROUGE-L and -W.

The compiled kernel counts them; where it is not there, or a text is too large for its tables, each
comparison is counted here, which also checks the kernel.
"""

import ctypes
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from awase.core.kernel.binding import RawTexts, kernel, passed
from awase.core.metrics.rouge.comparison import (
    FOREIGN,
    Batch,
    Floats,
    Ids,
    Texts,
    different,
    numbers_among,
)

_PAIRS_AT_ONCE = 1 << 21  # skip-bigrams that are held at the same time, where one text has fewer


def ngram_hits(batch: Batch, longest: int) -> Floats:
    """Returns (longest, n_peers, n_slots) matches of 1-grams to `longest`-grams."""
    n_slots = batch.models.n_slots
    hits = np.zeros((longest, batch.peers.n_texts, n_slots))
    sides = batch.peers, batch.models
    if not _is_compiled("awase_ngrams", sides, batch, longest, n_slots, hits):
        peers, models = (_Units.of_tokens(side) for side in sides)
        for size in range(1, longest + 1):
            if size > 1:
                peers, models = (
                    units.followed(side, size - 1, batch.n_ids)
                    for units, side in zip((peers, models), sides, strict=True)
                )
            known = different(models.codes)
            peers, models = (units.numbered(known) for units in (peers, models))
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
                _Units.of_pairs(side, portions[side.comparisons] == portion, gap, batch.n_ids)
                for side in sides
            )
            known = different(models.codes)
            pairs += _shared(batch, peers.numbered(known), models.numbered(known))
        tokens += _shared(batch, *(_Units.of_tokens(side).with_next(side, 1) for side in sides))
    return pairs, tokens


def path_hits(batch: Batch, powers: Floats | None) -> Floats:
    """Returns (n_peers, n_slots) tokens hit by ROUGE-L, or the weights of ROUGE-W's runs.

    Args:
        powers: k ** weight for k = 0 to one more than the longest reference sentence has tokens;
            None = ROUGE-L.
    """
    n_slots = batch.models.n_slots
    hits = np.zeros((batch.peers.n_texts, n_slots))
    table = np.zeros(0) if powers is None else powers
    sides = batch.peers, batch.models, batch.peers_apart, batch.models_apart
    if not _is_compiled("awase_paths", sides, batch, table, n_slots, hits):
        texts, references = map(_sentences, sides[2:])
        for (rows, columns), peers, models in _comparisons(batch):
            first = batch.models.starts[batch.peers.comparisons[rows][0]]
            paths = _Paths(references[first : first + columns.stop], powers)
            counts = [Counter(text.tolist()) for text in models]
            for row, peer in zip(range(rows.start, rows.stop), peers, strict=True):
                own = Counter(peer.tolist())
                hits[row, columns] = paths.hits(texts[row], own, counts)
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


def _comparisons(batch: Batch) -> Iterator[tuple[tuple[slice, slice], list[Ids], list[Ids]]]:
    """Yields the cells of each comparison with both in it, and the tokens of its texts."""
    peers, models = (
        [side.ids[begin:end] for begin, end in pairwise(side.token_starts.tolist())]
        for side in (batch.peers, batch.models)
    )
    rows, columns = (pairwise(side.starts.tolist()) for side in (batch.peers, batch.models))
    for (first, last), (begin, end) in zip(rows, columns, strict=True):
        if first < last and begin < end:
            cells = slice(first, last), slice(0, end - begin)
            yield cells, peers[first:last], models[begin:end]


def _portions(batch: Batch, gap: int | None) -> Ids:
    """Returns for each comparison the portion that it is counted in."""
    n_pairs = np.zeros(len(batch.models.starts) - 1)
    for side in (batch.peers, batch.models):
        farthest = side.lengths if gap is None else np.minimum(side.lengths, gap + 1)
        n_pairs += np.bincount(side.comparisons, side.lengths * farthest, minlength=len(n_pairs))
    return np.cumsum(n_pairs).astype(np.int64) // _PAIRS_AT_ONCE


@dataclass(frozen=True, slots=True)
class _Units:
    """Units of one side of a batch; those of different comparisons differ, but for `FOREIGN`."""

    codes: Ids
    texts: Ids  # the text that has each
    places: Ids  # of its first token

    @classmethod
    def of_tokens(cls, side: Texts) -> Self:
        """Returns all tokens."""
        texts = np.repeat(np.arange(side.n_texts), side.lengths)
        return cls(side.ids, texts, np.arange(len(texts)))

    @classmethod
    def of_pairs(
        cls, side: Texts, is_chosen: NDArray[np.bool_], gap: int | None, n_ids: int
    ) -> Self:
        """Returns the skip-bigrams of the chosen texts that may be in a reference."""
        tokens = cls.of_tokens(side)
        tokens = tokens.where((tokens.codes != FOREIGN) & is_chosen[tokens.texts])
        longest = int(side.lengths.max(initial=0)) - 1
        farthest = longest if gap is None else min(longest, gap + 1)
        levels = [cls(*np.empty((3, 0), np.int64))]
        for behind in range(1, farthest + 1):
            level = tokens.followed(side, behind, n_ids)
            levels.append(level.where(side.ids[level.places + behind] != FOREIGN))
        parts = ([getattr(one, name) for one in levels] for name in ("codes", "texts", "places"))
        return cls(*map(np.concatenate, parts))

    def where(self, chosen: NDArray[np.bool_]) -> Self:
        """Returns some of the units."""
        return replace(
            self, codes=self.codes[chosen], texts=self.texts[chosen], places=self.places[chosen]
        )

    def with_next(self, side: Texts, behind: int) -> Self:
        """Returns the units whose text goes on so many tokens behind their first one."""
        return self.where(self.places + behind < side.token_starts[self.texts + 1])

    def followed(self, side: Texts, behind: int, n_ids: int) -> Self:
        """Returns the units that are followed by a token there, with it."""
        units = self.with_next(side, behind)
        second = side.ids[units.places + behind]
        return replace(units, codes=units.codes * (n_ids + 1) + second)

    def numbered(self, known: Ids) -> Self:
        """Returns the units with numbers from 1 as codes; `FOREIGN` = not among `known`."""
        return replace(self, codes=numbers_among(known, self.codes))

    def counted(self) -> tuple[Ids, Ids, Ids]:
        """Returns the different units by code and text, and how often the text has each."""
        base = int(self.texts.max(initial=0)) + 1
        units = np.sort((self.codes * base + self.texts)[self.codes != FOREIGN])
        firsts = np.flatnonzero(np.diff(units, prepend=-1))
        return *np.divmod(units[firsts], base), np.diff(firsts, append=len(units))


def _shared(batch: Batch, peers: _Units, models: _Units) -> Floats:
    """Returns (n_peers, n_slots) sums over units of the lesser count."""
    codes, rows, counts = peers.counted()
    model_codes, texts, model_counts = models.counted()
    first = np.searchsorted(model_codes, codes)
    n_equal = np.searchsorted(model_codes, codes, side="right") - first
    # Each unit of a summary beside each reference of its comparison that has it.
    own = np.repeat(np.arange(len(codes)), n_equal)
    other = np.arange(len(own)) + np.repeat(first - np.cumsum(n_equal) + n_equal, n_equal)
    cells = rows[own] * batch.models.n_slots + batch.models.slots[texts[other]]
    lesser = np.minimum(counts[own], model_counts[other])
    shape = batch.peers.n_texts, batch.models.n_slots
    sums = np.bincount(cells, lesser, minlength=shape[0] * shape[1])
    return sums.astype(np.float64).reshape(shape)


def _sentences(texts: Texts) -> list[list[list[int]]]:
    ids, starts = texts.ids.tolist(), texts.sentence_starts.tolist()
    sentences = [ids[begin:end] for begin, end in pairwise(starts)]
    return [sentences[first:last] for first, last in pairwise(texts.text_starts.tolist())]


class _Paths:
    """The references of a comparison, and paths of longest common subsequences through them.

    Their sentences stand side by side in the bits of one integer, a bit apart.
    """

    def __init__(self, references: Sequence[Sequence[list[int]]], powers: Floats | None) -> None:
        self._references = references
        self._powers = powers
        self._places: defaultdict[int, int] = defaultdict(int)
        sentences = [*chain.from_iterable(references)]
        starts = [0]
        for sentence in sentences:
            for at, token in enumerate(sentence, start=starts[-1]):
                self._places[token] |= 1 << at
            starts.append(starts[-1] + len(sentence) + 1)
        self._starts = np.array(starts)
        longest = max(map(len, sentences), default=0)
        shifts = [0, *(1 << power for power in range(longest.bit_length()))]
        # The bits that are still of their sentence when shifted down so far; first, all of them.
        self._full, *stays = (
            sum(
                (1 << max(len(sentence) - shift, 0)) - 1 << start
                for sentence, start in zip(sentences, starts, strict=False)
            )
            for shift in shifts
        )
        self._stays = [*zip(shifts[1:], stays, strict=True)]

    def hits(
        self, text: Sequence[list[int]], of_text: Counter[int], counts: Sequence[Counter[int]]
    ) -> list[float]:
        """Returns the hits of one summary in each reference: union of paths, clipped.

        A token on a path counts as often as its word is in both running texts. Under ROUGE-W a run
        ends at such a hit before an unmarked token or the sentence's end. A marked token that does
        not count neither lengthens a run nor ends it, and what is pending when the sentence ends on
        one is lost, as in ROUGE-1.5.5. The paper has no clipping; with it, ROUGE-L never exceeds
        ROUGE-1.

        Args:
            of_text: Words of the running summary.
            counts: Words of each running reference.
        """
        marks = 0
        for sentence in text:
            marks |= self._path(sentence)
        bits = iter(f"{marks:b}".rjust(self._starts[-1], "0")[::-1])
        found: list[float] = []
        for reference, of_reference in zip(self._references, counts, strict=True):
            total, used = 0.0, Counter[int]()
            for sentence in reference:
                run, is_marked = 0, next(bits) == "1"
                for token in sentence:
                    was_marked, is_marked = is_marked, next(bits) == "1"
                    if not was_marked or used[token] == min(of_text[token], of_reference[token]):
                        continue
                    used[token] += 1
                    run += 1
                    if self._powers is None:
                        total += 1
                    elif not is_marked:
                        total += float(self._powers[run])
                        run = 0
            found.append(total)
        return found

    def _path(self, sentence: Sequence[int]) -> int:
        """Returns the positions on the path of a summary's sentence through each other sentence."""
        matches = [self._places.get(token, 0) for token in sentence]
        rows = self._rows(matches) if self._powers is None else self._weighted_rows(matches)
        found, below = 0, self._full
        # The program goes up on a tie, hence stops exactly where the row grows, or at a match.
        for match, grows in zip(reversed(matches), reversed(rows), strict=True):
            here = (grows | match) & below
            if not here:
                break
            # Fills up what is below the highest bit of each sentence.
            for shift, stays in self._stays:
                here |= here >> shift & stays
            hit = (here ^ here >> 1 & self._stays[0][1]) & match
            found |= hit
            below = here ^ hit
        return found

    def _rows(self, matches: Sequence[int]) -> list[int]:
        """Returns by token where the tables' rows grow.

        Source: Hyyro (2004), "Bit-parallel LCS-length computation revisited".
        """
        full = flat = self._full
        rows: list[int] = []
        for match in matches:
            common = flat & match
            flat = ((flat + common) | (flat ^ common)) & full
            rows.append(flat ^ full)
        return rows

    def _weighted_rows(self, matches: Sequence[int]) -> list[int]:
        """Returns the same of the weighted tables.

        Source: Lin (2004), section 4; the order of the additions is ROUGE-1.5.5's, because ties
            decide the path and depend on the last bit.
        """
        assert self._powers is not None
        powers, n_bits = self._powers, int(self._starts[-1])
        best, runs, rows = np.zeros(n_bits + 1), np.zeros(n_bits + 1, np.int64), []
        for match in matches:
            octets = np.frombuffer(match.to_bytes(n_bits // 8 + 1, "little"), np.uint8)
            places = np.flatnonzero(np.unpackbits(octets, bitorder="little"))
            before = runs[places]
            row = best.copy()
            row[places + 1] = (best[places] + powers[before + 1]) - powers[before]
            runs = np.zeros_like(runs)
            runs[places + 1] = before + 1
            # The running maximum of the former row, restarted at each match and each sentence.
            for begin, end in pairwise(sorted({*self._starts.tolist(), *(places + 1).tolist()})):
                np.maximum.accumulate(row[begin:end], out=row[begin:end])
            best = row
            grows = np.packbits(best[1:] > best[:-1], bitorder="little")
            rows.append(int.from_bytes(grows.tobytes(), "little"))
        return rows
