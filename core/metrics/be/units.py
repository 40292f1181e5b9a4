"""Numbers for the units of BE: what a sentence's parse has, looked at once for many scorings."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.be.elements import elements_of
from awase.core.metrics.rouge.basic_elements import (
    BasicElement,
    BeMode,
    stemmed_element,
    units_of,
)
from awase.core.metrics.rouge.comparison import FOREIGN
from awase.core.metrics.rouge.counts import Counts
from awase.core.metrics.rouge.ngrams_and_skip_bigrams import Units as UnitsOfTexts
from awase.core.metrics.rouge.ngrams_and_skip_bigrams import renumbered, shared_units, unit_counts
from awase.core.parsing.basic_elements import BasicElementOptions
from awase.core.text.tokens.rouge_stemmer import RougeStemmer

_MOST_SENTENCES: Final = 1 << 15
_NONE: Final = np.empty(0, np.int64)

Units = NDArray[np.int64]
"""The units of a text by their numbers, which begin at 1."""


class UnitNumbers:
    """Numbers of units, the same for all sentences that it is asked about; threads may share it."""

    def __init__(self, options: BasicElementOptions, mode: BeMode, *, stem: bool) -> None:
        self._options = options
        self._mode = mode
        self._stemmer = RougeStemmer() if stem else None
        self._numbers: dict[tuple[str, ...], int] = {}
        self._of_parse: dict[str, Units] = {"": _NONE}
        self._lock = Lock()

    @property
    def n_units(self) -> int:
        """The largest number given so far."""
        return len(self._numbers)

    @property
    def is_full(self) -> bool:
        """Whether it is time to forget."""
        return len(self._of_parse) > _MOST_SENTENCES

    def units(self, parses: Iterable[str]) -> Units:
        """Returns the units of a text, whose sentences have these parses in CoNLL-U."""
        known = self._of_parse
        found = [known[one] if one in known else self._look_at(one) for one in parses]
        return np.concatenate(found) if found else _NONE

    def _look_at(self, parse: str) -> Units:
        elements: Iterable[BasicElement] = elements_of(parse, self._options)
        if self._stemmer is not None:
            elements = [stemmed_element(element, self._stemmer) for element in elements]
        with self._lock:
            numbers = self._numbers
            units = [
                numbers.setdefault(unit, len(numbers) + 1)
                for unit in units_of(elements, self._mode)
            ]
            found = self._of_parse[parse] = np.array(units, np.int64)
        return found


def unit_numbers(options: BasicElementOptions, mode: BeMode, *, stem: bool) -> UnitNumbers:
    """Returns what remembers the sentences scored before with the same options."""
    numbers = _remembered(options, mode, stem)
    if numbers.is_full:
        _remembered.cache_clear()
        numbers = _remembered(options, mode, stem)
    return numbers


@lru_cache(8)
def _remembered(options: BasicElementOptions, mode: BeMode, stem: bool) -> UnitNumbers:
    return UnitNumbers(options, mode, stem=stem)


def counts_of(peers: Sequence[Units], models: Sequence[Units], n_units: int) -> Counts:
    """Returns the counts of ROUGE-BE for systems and references of one topic.

    Args:
        peers: Units of each system's summary.
        models: Units of each reference.

    It is `be_counts` of `rouge.basic_elements` for units that have numbers.
    """
    model_lengths, peer_lengths = ([len(units) for units in texts] for texts in (models, peers))
    model_ids, peer_ids, n_local = renumbered(
        np.concatenate(models), np.concatenate(peers), n_units + 1
    )
    known = peer_ids != FOREIGN
    peer_owners = np.repeat(np.arange(len(peers)), peer_lengths)
    hits = shared_units(
        UnitsOfTexts(ids=peer_ids[known], owners=peer_owners[known]),
        UnitsOfTexts(ids=model_ids, owners=np.repeat(np.arange(len(models)), model_lengths)),
        len(peers),
        np.arange(len(models)),
        n_local,
    )
    return unit_counts(hits, np.array(model_lengths, float), np.array(peer_lengths, float))
