"""ROUGE-BE: shared basic elements, head|modifier|relation triples, as ROUGE-1.5.5 counts them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from awase.core.errors import CorpusFormatError, Problem, raise_if_any
from awase.core.metrics.rouge.comparison import FOREIGN
from awase.core.metrics.rouge.counts import Counts
from awase.core.metrics.rouge.ngrams_and_skip_bigrams import Units, shared_units, unit_counts
from awase.core.text.limits import as_bytes
from awase.core.text.tokens.rouge_stemmer import RougeStemmer

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

    H = "H"
    """Heads of elements without a modifier."""
    HM = "HM"
    """Head and modifier, where there is a modifier."""
    HMR = "HMR"
    """All three, where there is a relation."""
    HM1 = "HM1"
    """Head and modifier of every element."""
    HMR1 = "HMR1"
    """All three, where there is a modifier."""
    HMR2 = "HMR2"
    """All three of every element."""


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
    """Returns the elements of a SIMPLE file.

    Args:
        source: The file, for messages; None = it is none.
    """
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
    """Returns the counts of ROUGE-BE for systems and references of one topic.

    Args:
        peers: The elements of each system's text.
        models: The elements of each reference.
        stemmer: Of head and modifier; None = as they are written.

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
