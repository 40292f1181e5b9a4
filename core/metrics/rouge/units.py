"""Counts of ROUGE-N, -S, -SU, -L, -W and -BE."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from awase.core.errors import CorpusFormatError, Problem, raise_if_any
from awase.core.metrics.kit.metric import as_bytes
from awase.core.metrics.rouge.comparison import (
    Batch,
    Counts,
    Floats,
    Ids,
    Texts,
    batch_of_units,
    ratios,
    rounded,
)
from awase.core.metrics.rouge.hits import ngram_hits, path_hits, skip_bigram_hits
from awase.core.text.rouge_stemmer import RougeStemmer


def ngram_counts(batch: Batch, longest: int) -> list[Counts]:
    """Returns the counts of ROUGE-1 to ROUGE-`longest`.

    Source: Lin (2004), equation 1; n-grams cross sentence ends, as in ROUGE-1.5.5.
    """
    of_models, of_peers = batch.models.lengths, batch.peers.lengths
    return [
        _counts_of_units(
            batch,
            hits,
            np.maximum(of_models - (size - 1.0), 0),
            np.maximum(of_peers - (size - 1.0), 0),
        )
        for size, hits in enumerate(ngram_hits(batch, longest), start=1)
    ]


def skip_bigram_counts(batch: Batch, gap: int | None) -> tuple[Counts, Counts]:
    """Returns the counts of ROUGE-S and of ROUGE-SU.

    Of pairs with `gap` words (`-2`) between them at most; None = any number.

    Source: Lin (2004), section 5, as ROUGE-1.5.5 counts.
    Differs: from the paper as the program does: pairs cross sentence ends, and SU adds every token
        but the last, not a marker of the beginning.
    """
    hits, single_hits = skip_bigram_hits(batch, gap)
    sides = batch.models, batch.peers
    of_models, of_peers = (_n_pairs(side.lengths, gap) for side in sides)
    model_singles, peer_singles = (np.maximum(side.lengths - 1.0, 0) for side in sides)
    return (
        _counts_of_units(batch, hits, of_models, of_peers),
        _counts_of_units(
            batch, hits + single_hits, of_models + model_singles, of_peers + peer_singles
        ),
    )


def _counts_of_units(batch: Batch, hits: Floats, models: Floats, peers: Floats) -> Counts:
    """The reference with the best rounded recall is the best one."""
    selection = rounded(ratios(hits, models, batch))
    return _counts(batch, hits, models, peers, selection)


def _n_pairs(lengths: Ids, gap: int | None) -> Floats:
    """Returns numbers of pairs by text length, foreign tokens included."""
    n_distances = np.maximum(lengths - 1, 0)
    if gap is not None:
        n_distances = np.minimum(n_distances, gap + 1)
    n_pairs = n_distances * lengths - n_distances * (n_distances + 1) // 2
    return np.asarray(n_pairs, np.float64)


def _counts(
    batch: Batch,
    hits: Floats,
    models: Floats,
    peers: Floats,
    selection: Floats,
    root: float = 1.0,
) -> Counts:
    return Counts(
        hits=hits,
        models=models,
        peers=peers,
        selection=selection,
        model_starts=batch.models.starts,
        peer_starts=batch.peers.starts,
        root=root,
    )


def lcs_counts(batch: Batch) -> Counts:
    """Returns the counts of summary-level ROUGE-L.

    Source: Lin (2004), section 3.2, as ROUGE-1.5.5 counts.
    """
    hits, models = path_hits(batch, None), batch.models_apart.lengths.astype(np.float64)
    lengths = batch.peers.lengths.astype(np.float64)
    return _counts(batch, hits, models, lengths, ratios(hits, models, batch))


def wlcs_counts(batch: Batch, weight: float) -> Counts:
    """Returns the counts of ROUGE-W: a run of k matches earns k ** weight (`-w`).

    Source: Lin (2004), section 4, as ROUGE-1.5.5 counts.
    Differs: from the paper as the program does, which weights the references' lengths twice.
        A reference without tokens has recall 0; the program dies of it.
    """
    longest = int(np.diff(batch.models_apart.sentence_starts).max(initial=0))
    # Powers are the C library's, as in the program.
    hits = path_hits(batch, np.array([float(k) ** weight for k in range(longest + 2)]))
    bases = _weighted_lengths(batch.models_apart, weight)
    recalls = ratios(hits, bases, batch)
    return _counts(
        batch,
        hits=hits,
        models=np.array([base**weight for base in bases.tolist()]),
        peers=np.array([float(n) ** weight for n in batch.peers.lengths.tolist()]),
        selection=np.array(
            [[value ** (1 / weight) for value in row] for row in recalls.tolist()]
        ).reshape(recalls.shape),
        root=1 / weight,
    )


def _weighted_lengths(models: Texts, weight: float) -> Floats:
    weighted = [float(n) ** weight for n in np.diff(models.sentence_starts).tolist()]
    bases: list[float] = []
    for first, last in zip(models.text_starts, models.text_starts[1:], strict=False):
        base = 0.0
        for value in weighted[first:last]:
            base += value
        bases.append(base)
    return np.array(bases)


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
            problems.append(replace(problem, source=source, line=number))
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
    numbers: dict[tuple[str, ...], int] = {}
    numbered_peers, numbered_models = (
        [
            np.array([numbers.setdefault(unit, len(numbers)) for unit in units_of(text, mode)], int)
            for text in texts
        ]
        for texts in (peers, models)
    )
    return unit_counts(numbered_peers, numbered_models)


def unit_counts(peers: Sequence[Ids], models: Sequence[Ids]) -> Counts:
    """Returns the counts of one topic's texts from their units' numbers, as those of ROUGE-1."""
    (counts,) = ngram_counts(batch_of_units(peers, models), 1)
    return counts
