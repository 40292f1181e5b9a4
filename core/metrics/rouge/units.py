"""ROUGE-N, -S, -SU and -BE: units of a text, and clipped counts, in the kernel or with numpy."""

import ctypes
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import CorpusFormatError, Problem, raise_if_any
from awase.core.kernel.binding import Array, Kernel, RawTexts, kernel, passed
from awase.core.metrics.rouge.comparison import (
    FOREIGN,
    Batch,
    Counts,
    Floats,
    Ids,
    Tally,
    Texts,
    histogram,
    ratios,
    rounded,
)
from awase.core.text.limits import as_bytes
from awase.core.text.rouge_stemmer import RougeStemmer


class _Side:
    """One side of a batch, with its arrays kept alive."""

    def __init__(self, texts: Texts) -> None:
        levels = (texts.ids, texts.sentence_starts, texts.text_starts, texts.starts)
        self._kept = [_int64(level) for level in levels]
        self.raw = ctypes.byref(RawTexts(*(passed(level, "int64") for level in self._kept)))


def ngram_hits(batch: Batch, longest: int) -> Floats | None:
    """Returns (longest, n_peers, n_slots) matches of 1-grams to `longest`-grams."""
    library = kernel()
    if library is None:
        return None
    peers, models = _Side(batch.peers), _Side(batch.models)
    ids, n_slots = _int64(batch.id_starts), batch.models.n_slots
    hits = np.zeros((longest, batch.peers.n_texts, n_slots))
    done = library.call(
        "awase_ngrams", peers.raw, models.raw, passed(ids, "int64"), longest, n_slots, _cells(hits)
    )
    return hits if done else None


def skip_bigram_hits(batch: Batch, gap: int | None) -> tuple[Floats, Floats] | None:
    """Returns (n_peers, n_slots) matches of skip-bigrams, and of all tokens but the last."""
    library = kernel()
    if library is None:
        return None
    peers, models = _Side(batch.peers), _Side(batch.models)
    ids, n_slots = _int64(batch.id_starts), batch.models.n_slots
    pairs = np.zeros((batch.peers.n_texts, n_slots))
    tokens = np.zeros_like(pairs)
    done = library.call(
        "awase_skip_bigrams", peers.raw, models.raw, passed(ids, "int64"),
        -1 if gap is None else gap, n_slots, _cells(pairs), _cells(tokens),
    )  # fmt: skip
    return (pairs, tokens) if done else None


def path_hits(batch: Batch, powers: Floats | None) -> Floats | None:
    """Returns (n_peers, n_slots) tokens hit by ROUGE-L, or the weights of ROUGE-W's runs.

    Args:
        powers: k ** weight for k = 0 to one more than the longest reference sentence has tokens;
            None = ROUGE-L.
    """
    library = kernel()
    if library is None:
        return None
    running = [_Side(batch.peers), _Side(batch.models)]
    is_one = batch.peers_apart is batch.peers and batch.models_apart is batch.models
    apart = running if is_one else [_Side(batch.peers_apart), _Side(batch.models_apart)]
    ids, n_slots = _int64(batch.id_starts), batch.models.n_slots
    table = np.zeros(0) if powers is None else powers
    hits = np.zeros((batch.peers.n_texts, n_slots))
    done = library.call(
        "awase_paths", *(side.raw for side in (*running, *apart)), passed(ids, "int64"),
        _cells(table), n_slots, _cells(hits),
    )  # fmt: skip
    return hits if done else None


def unit_hits(
    peers: tuple[Ids, Ids], models: tuple[Ids, Ids], shape: tuple[int, int], n_units: int
) -> Floats | None:
    """Returns (n_peers, n_slots) clipped counts: sums over units of the lesser count.

    Args:
        peers: Units, from 1 on, and the summary of each.
        models: Units, from 1 on, and the position of its reference.
    """
    library: Kernel | None = kernel()
    if library is None:
        return None
    hits = np.zeros(shape)
    arrays = [_int64(array) for array in (*peers, *models)]
    done = library.call(
        "awase_units", *(passed(array, "int64") for array in arrays), n_units, shape[1],
        _cells(hits),
    )  # fmt: skip
    return hits if done else None


def _cells(array: Floats) -> Array:
    return passed(array, "float64")


def _int64(array: NDArray[np.integer]) -> Ids:
    return np.ascontiguousarray(array, np.int64)


MOST_CELLS = 1 << 20
_WIDEST_TABLE = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Units of several texts, without those that no reference has."""

    ids: Ids  # (n,) from 1 on; no two comparisons share one
    owners: Ids  # (n,) the text that each belongs to


def shared_units(
    peers: Units, models: Units, n_peers: int, slots: NDArray[np.int64], n_units: int
) -> Floats:
    """Returns (n_peers, n_slots) clipped counts; `slots` (n_models,) in comparisons."""
    n_slots = int(slots.max(initial=-1)) + 1
    compiled = unit_hits(
        (peers.ids, peers.owners), (models.ids, slots[models.owners]), (n_peers, n_slots), n_units
    )
    if compiled is not None:
        return compiled
    of_models = histogram(models.ids, slots[models.owners], n_slots, n_units)
    bits = n_units.bit_length()
    cells, times = _counted(peers.owners << bits | peers.ids)
    owners, units = cells >> bits, cells & ((1 << bits) - 1)
    hits = np.empty((n_peers, n_slots))
    for slot in range(n_slots):
        lesser = np.minimum(times, of_models[slot, units])
        hits[:, slot] = np.bincount(owners, weights=lesser, minlength=n_peers)
    return hits


def _counted(values: Ids) -> tuple[Ids, NDArray[np.int64]]:
    values = np.sort(values)
    starts = np.flatnonzero(np.diff(values, prepend=-1))
    return values[starts], np.diff(starts, append=len(values))


def unit_counts(hits: Floats, models: Floats, peers: Floats) -> Counts:
    """Returns the counts of a measure; the reference with the best rounded recall counts.

    Args:
        hits: (n_peers, n_models) matched units.
        models: (n_models,) units of each reference.
        peers: (n_peers,) units of each summary.
    """
    recall = np.divide(hits, models, out=np.zeros_like(hits), where=models > 0)
    return Counts(hits=hits, models=models, peers=peers, selection=rounded(recall))


def ngram_tallies(batch: Batch, longest: int) -> list[list[Tally]]:
    """Returns the counts of ROUGE-1 to ROUGE-`longest` of all comparisons, in chunks.

    Source: Lin (2004), equation 1; n-grams cross sentence ends, as in ROUGE-1.5.5.
    """
    hits = ngram_hits(batch, longest)
    if hits is not None:
        return [[_ngram_tally(one, size, batch)] for size, one in enumerate(hits, start=1)]
    result: list[list[Tally]] = [[] for _ in range(longest)]
    n_tokens = np.diff(batch.models.token_starts[batch.models.starts])
    for part in batch.parts(n_tokens * _base(batch), MOST_CELLS) if longest else ():
        for tallies, tally in zip(result, _ngram_tallies(part, longest), strict=True):
            tallies.append(tally)
    return result


def _ngram_tallies(batch: Batch, longest: int) -> Iterator[Tally]:
    models, peers = batch.models, batch.peers
    model_units, peer_units, n_units = models.ids, peers.ids, batch.n_ids
    model_ends, peer_ends = _from_one(models, batch), _from_one(peers, batch)
    base = _base(batch)
    for size in range(1, longest + 1):
        if size > 1:
            model_units, peer_units, n_units = renumbered(
                _longer(model_units, model_ends, base),
                _longer(peer_units, peer_ends, base),
                (n_units + 1) * base,
            )
        hits = shared_units(
            _whole(peer_units, peers), _whole(model_units, models),
            peers.n_texts, models.slots, n_units,
        )  # fmt: skip
        yield _ngram_tally(hits, size, batch)


def _ngram_tally(hits: Floats, size: int, batch: Batch) -> Tally:
    of_models, of_peers = (
        np.maximum(texts.lengths - (size - 1.0), 0) for texts in (batch.models, batch.peers)
    )
    return _unit_tally(hits, of_models, of_peers, batch)


def _unit_tally(hits: Floats, models: Floats, peers: Floats, batch: Batch) -> Tally:
    selection = rounded(ratios(hits, models, batch))
    return Tally.of(batch, hits=hits, models=models, peers=peers, selection=selection)


def _base(batch: Batch) -> int:
    """Returns a number above all ids of `_from_one`."""
    return int(np.diff(batch.id_starts).max(initial=0)) + 1


def _from_one(texts: Texts, batch: Batch) -> Ids:
    """Returns token ids from 1 in each comparison, which keeps codes small."""
    n_tokens = np.diff(texts.token_starts[texts.starts])
    return np.maximum(texts.ids - np.repeat(batch.id_starts[:-1], n_tokens), FOREIGN)


def _longer(units: Ids, ends: Ids, base: int) -> Ids:
    """Returns codes of the units extended by the next token.

    The unit behind `units[i]` of size k is at `ends[i + k]`, hence a shift by the lost length. A
    code with a foreign part is below `base` or a multiple of it, unlike any of a reference.
    """
    n_longer = max(len(units) - 1, 0)
    return units[:n_longer] * base + ends[len(ends) - n_longer :]


def _whole(units: Ids, texts: Texts) -> Units:
    """Returns the units within one text, without foreign ones."""
    owners = texts.owners[: len(units)]
    last_owners = texts.owners[len(texts.owners) - len(units) :]
    keep = np.flatnonzero((units != FOREIGN) & (owners == last_owners))
    return Units(ids=units[keep], owners=owners[keep])


def renumbered(model_codes: Ids, peer_codes: Ids, bound: int) -> tuple[Ids, Ids, int]:
    """Maps codes to small ids; a code that no reference has is `FOREIGN`.

    Returns:
        Ids of the references' units, of the systems' units, and the largest id.
    """
    n_codes = len(model_codes)
    if bound <= _WIDEST_TABLE:
        # Any distinct number for each code will do: its last position.
        id_of = np.zeros(bound, np.int32)
        id_of[model_codes] = np.arange(1, n_codes + 1)
        # Codes are products of ids, and overflow 32 bits.
        model_ids, peer_ids = (id_of[c].astype(np.int64) for c in (model_codes, peer_codes))
        return model_ids, peer_ids, n_codes
    known, model_ids = np.unique(np.append(model_codes, FOREIGN), return_inverse=True)
    places = np.minimum(np.searchsorted(known, peer_codes), len(known) - 1)
    peer_ids = np.where(known[places] == peer_codes, places, FOREIGN)
    return model_ids[:-1], peer_ids, len(known) - 1


def skip_bigram_tallies(batch: Batch, gap: int | None) -> tuple[list[Tally], list[Tally]]:
    """Returns the counts of ROUGE-S and of ROUGE-SU of all comparisons, in chunks.

    Args:
        gap: Most words between the two of a pair (`-2`); None = no limit.

    Source: Lin (2004), section 5, as ROUGE-1.5.5 counts.
    Differs: from the paper as the program does: pairs cross sentence ends, and SU adds every token
        but the last, not a marker of the beginning.
    """
    compiled = skip_bigram_hits(batch, gap)
    if compiled is not None:
        of_pairs, of_both = _tallies_of_hits(*compiled, batch, gap)
        return [of_pairs], [of_both]
    pairs: list[Tally] = []
    pairs_and_words: list[Tally] = []
    costs = np.diff(batch.id_starts) * _base(batch)
    for texts in (batch.models, batch.peers):
        n_pairs = np.concatenate(([0], np.cumsum(_n_pairs(texts.lengths, gap))))
        costs += np.diff(n_pairs[texts.starts]).astype(np.int64)
    for part in batch.parts(costs, MOST_CELLS):
        of_pairs, of_both = _skip_bigram_tallies(part, gap)
        pairs.append(of_pairs)
        pairs_and_words.append(of_both)
    return pairs, pairs_and_words


def _skip_bigram_tallies(batch: Batch, gap: int | None) -> tuple[Tally, Tally]:
    models, peers = batch.models, batch.peers
    base = _base(batch)
    (model_codes, model_owners), (peer_codes, peer_owners) = (
        _pairs(texts, _from_one(texts, batch), base, gap) for texts in (models, peers)
    )
    model_units, peer_units, n_units = renumbered(model_codes, peer_codes, (batch.n_ids + 1) * base)
    keep = np.flatnonzero(peer_units)
    hits = shared_units(
        Units(ids=peer_units[keep], owners=peer_owners[keep]),
        Units(ids=model_units, owners=model_owners),
        peers.n_texts, models.slots, n_units,
    )  # fmt: skip
    single_hits = shared_units(
        _but_last(peers), _but_last(models), peers.n_texts, models.slots, batch.n_ids
    )
    return _tallies_of_hits(hits, single_hits, batch, gap)


def _tallies_of_hits(
    hits: Floats, single_hits: Floats, batch: Batch, gap: int | None
) -> tuple[Tally, Tally]:
    models, peers = batch.models, batch.peers
    n_model_pairs, n_peer_pairs = (_n_pairs(texts.lengths, gap) for texts in (models, peers))
    n_model_singles, n_peer_singles = (np.maximum(t.lengths - 1.0, 0) for t in (models, peers))
    return (
        _unit_tally(hits, n_model_pairs, n_peer_pairs, batch),
        _unit_tally(
            hits + single_hits,
            n_model_pairs + n_model_singles,
            n_peer_pairs + n_peer_singles,
            batch,
        ),
    )


def _pairs(texts: Texts, ends: Ids, base: int, gap: int | None) -> tuple[Ids, Ids]:
    """Returns codes of the ordered pairs without foreign tokens, and their owners."""
    farthest = int(texts.lengths.max(initial=0)) - 1
    if gap is not None:
        farthest = min(farthest, gap + 1)
    places = np.flatnonzero(texts.ids != FOREIGN)
    firsts, ends, owners = texts.ids[places] * base, ends[places], texts.owners[places]
    # Set apart so far that no two texts have tokens within reach of each other.
    places += owners * farthest
    codes, of_text = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for behind in range(1, farthest + 1):
        near = np.flatnonzero(places[behind:] - places[:-behind] <= farthest)
        if not len(near):
            break
        codes.append(firsts[near] + ends[near + behind])
        of_text.append(owners[near])
    return np.concatenate(codes), np.concatenate(of_text)


def _n_pairs(lengths: NDArray[np.int64], gap: int | None) -> Floats:
    """Returns numbers of pairs by text length, foreign tokens included."""
    n_distances = np.maximum(lengths - 1, 0)
    if gap is not None:
        n_distances = np.minimum(n_distances, gap + 1)
    n_pairs = n_distances * lengths - n_distances * (n_distances + 1) // 2
    return np.asarray(n_pairs, np.float64)


def _but_last(texts: Texts) -> Units:
    keep = texts.ids != FOREIGN
    keep[texts.token_starts[1:][texts.lengths > 0] - 1] = False
    return Units(ids=texts.ids[keep], owners=texts.owners[keep])


NIL = "nil"
_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_HAS_LETTER = re.compile(r"[A-Za-z0-9]").search
_LONGEST_UNSTEMMED = 3


class BasicElement(NamedTuple):
    """One line of a BE file; `nil` = absent. The text is UTF-8 bytes read as Latin-1."""

    head: str
    modifier: str
    relation: str


class BeMode(Enum):
    """Which parts of which elements are compared (`-3`)."""

    H = "H"  # heads of elements without a modifier
    HM = "HM"  # head and modifier, where there is a modifier
    HMR = "HMR"  # all three, where there is a relation
    HM1 = "HM1"  # head and modifier of every element
    HMR1 = "HMR1"  # all three, where there is a modifier
    HMR2 = "HMR2"  # all three of every element


def basic_element(line: str | bytes) -> BasicElement:
    """Returns the element that a line of a SIMPLE file spells, in lower-case ASCII."""
    fields = as_bytes(line).lower().decode("latin-1").split("|")
    while fields and not fields[-1]:
        fields.pop()
    if len(fields) != len(BasicElement._fields):
        raise CorpusFormatError.of(
            "“{text}” is not a basic element.",
            "Write HEAD|MODIFIER|RELATION, with NIL for what is absent.",
            text=as_bytes(line).decode("utf-8", "replace"),
        )
    return BasicElement(*fields)


def basic_elements(lines: Iterable[str | bytes], source: str | None = None) -> list[BasicElement]:
    """Parses a SIMPLE file; `source` is for messages."""
    elements: list[BasicElement] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        try:
            elements.append(basic_element(line))
        except CorpusFormatError as error:
            (problem,) = error.problems
            problems.append(
                Problem(
                    what=problem.what,
                    hint=problem.hint,
                    fields=problem.fields,
                    source=source,
                    line=number,
                )
            )
    raise_if_any(problems)
    return elements


def stemmed_element(element: BasicElement, stemmer: RougeStemmer) -> BasicElement:
    """Returns the element with the words of its head and modifier stemmed (`-m`).

    A field of up to three characters stays; in a longer one every word is stemmed, short or not.
    """
    return element._replace(
        head=_stemmed(element.head, stemmer), modifier=_stemmed(element.modifier, stemmer)
    )


def _stemmed(field: str, stemmer: RougeStemmer) -> str:
    if len(field) <= _LONGEST_UNSTEMMED:
        return field
    words = _BLANKS.split(field)
    while words and not words[-1]:
        words.pop()
    return " ".join(stemmer(word) if _HAS_LETTER(word) else word for word in words)


_Units = list[tuple[str, ...]]
_UNITS: Mapping[BeMode, Callable[[Iterable[BasicElement]], _Units]] = MappingProxyType(
    {
        BeMode.H: lambda elements: [(head,) for head, modifier, _ in elements if modifier == NIL],
        BeMode.HM: lambda elements: [e[:2] for e in elements if e[1] != NIL],
        BeMode.HMR: lambda elements: [e for e in elements if e[2] != NIL],
        BeMode.HM1: lambda elements: [e[:2] for e in elements],
        BeMode.HMR1: lambda elements: [e for e in elements if e[1] != NIL],
        BeMode.HMR2: lambda elements: [*elements],
    }
)


def units_of(elements: Iterable[BasicElement], mode: BeMode) -> list[tuple[str, ...]]:
    """Returns the units that the elements have in this mode."""
    return _UNITS[mode](elements)


def be_counts(
    peers: Sequence[Sequence[BasicElement]],
    models: Sequence[Sequence[BasicElement]],
    mode: BeMode,
    *,
    stemmer: RougeStemmer | None = None,
) -> Counts:
    """Returns the counts of ROUGE-BE of one topic, by system and reference.

    Source: ROUGE-1.5.5, `-3`. Limits and stop words have no effect on basic elements.
    """
    if stemmer is not None:
        peers = [[stemmed_element(element, stemmer) for element in text] for text in peers]
        models = [[stemmed_element(element, stemmer) for element in text] for text in models]
    model_units = [units_of(text, mode) for text in models]
    peer_units = [units_of(text, mode) for text in peers]
    numbers: dict[tuple[str, ...], int] = {}
    for units in model_units:
        for unit in units:
            numbers.setdefault(unit, len(numbers) + 1)
    hits = shared_units(
        _owned(peer_units, numbers),
        _owned(model_units, numbers),
        len(peers),
        np.arange(len(models)),
        len(numbers),
    )
    sizes = (
        np.array([float(len(units)) for units in texts]) for texts in (model_units, peer_units)
    )
    return unit_counts(hits, *sizes)


def _owned(
    texts: Sequence[Sequence[tuple[str, ...]]], numbers: dict[tuple[str, ...], int]
) -> Units:
    ids = np.array([numbers.get(unit, FOREIGN) for units in texts for unit in units], np.int64)
    owners = np.repeat(np.arange(len(texts)), [len(units) for units in texts])
    return Units(ids=ids[ids != FOREIGN], owners=owners[ids != FOREIGN])
