"""What the log says of very many entries, in some bytes each."""

import json
from array import array
from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np

from awase.core.annotation.places import Places, number_of
from awase.core.assist.effects.study import Family
from awase.core.records.alignment import Alternative
from awase.core.records.assist import LoggedSuggestion

Place = tuple[str, str, str, int]
"""Topic, abstract, annotator and number of an abstract sentence."""


class Work(NamedTuple):
    """Work on an entry.

    Attributes:
        active_ms: Milliseconds.
        n_keys: Keys pressed; None = not counted.
        suggested: The suggestion that was shown last; empty = none was.
    """

    active_ms: int
    n_keys: int | None
    suggested: Family


def family_of(alternatives: Iterable[Alternative]) -> Family:
    """Returns alternatives as `Work` has those that were suggested."""
    return frozenset(_numbers(map(str, one.members) for one in alternatives))


def _numbers(alternatives: Iterable[Iterable[str]]) -> Iterable[int]:
    return (number_of(*sorted(names)) for names in alternatives)


class LoggedWork:
    """Work on each entry, some forty bytes for each edit."""

    def __init__(self, log: Iterable[LoggedSuggestion], left_out: Collection[Place]) -> None:
        """Takes the log, oldest first, without what is said of some places."""
        numbers, active_ms, n_keys, are_counted = array("Q"), array("q"), array("q"), array("q")
        self._alternatives, self._ends = array("Q"), array("Q", [0])
        shown_at = array("q")
        for row in log:
            place = (row.topic, row.abstract, row.annotator, row.n)
            if place in left_out:
                continue
            numbers.append(number_of(*place))
            active_ms.append(row.active_ms)
            n_keys.append(row.n_keys or 0)
            are_counted.append(row.n_keys is not None)
            shown_at.append(len(self._ends) - 1 if row.family else -1)
            if row.family:
                self._alternatives.extend({*_numbers(json.loads(row.family))})
                self._ends.append(len(self._alternatives))
        self._places = Places(numbers)
        self._active_ms, self._n_keys, self._n_counted = map(
            self._places.sums_of, (active_ms, n_keys, are_counted)
        )
        self._shown_at = np.full(len(self._places), -1)
        np.maximum.at(self._shown_at, self._places.of_each, np.array(shown_at, np.int64))

    def at(self, place: Place) -> Work | None:
        """Returns the work on an entry; None = none was logged."""
        at = self._places.at(number_of(*place))
        if at is None:
            return None
        shown_at = int(self._shown_at[at])
        begin, end = (0, 0) if shown_at < 0 else self._ends[shown_at : shown_at + 2]
        return Work(
            active_ms=int(self._active_ms[at]),
            n_keys=int(self._n_keys[at]) if self._n_counted[at] else None,
            suggested=frozenset(self._alternatives[begin:end]),
        )
