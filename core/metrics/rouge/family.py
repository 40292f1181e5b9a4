"""ROUGE-N, -L, -W, -S and -SU of every output of a corpus, and of streamed pairs of texts.

Scores are those of ROUGE-1.5.5: recall, precision and F, rounded to five decimals. Means are over
the topics in which the score is defined, and the table says how many. Streamed texts have the
values, signatures, means and warnings of a corpus of the same texts; scores by item, the means at
the end.

Source: Lin (2004), "ROUGE: A package for automatic evaluation of summaries"; ROUGE-1.5.5, whose
    numbers they are.
"""

import hashlib
import math
from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

import numpy as np

from awase.core.errors import InputError, Listing, Problem, Reporter, Silent
from awase.core.metrics.entries import ROUGE
from awase.core.metrics.kit.outputs import EMPTY, TOO_SHORT, TextLog
from awase.core.metrics.kit.runner import (
    Case,
    Floats,
    check_text,
    score_column,
    score_texts,
    scores_of_cases,
    scores_of_row,
)
from awase.core.metrics.kit.signature import DIGITS_OF_NAMES, MetricRequest
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.rouge.comparison import perl_mean
from awase.core.metrics.rouge.measures import RougeRequest, Scored, mean_for, parse_request, scored
from awase.core.metrics.significance import (
    CellKey,
    MeanInterval,
    MetricColumn,
    Resampling,
    column_signed,
    key_of,
    mean_intervals,
)
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.source import GIVEN, join_splits
from awase.core.records.topic import References

_NO_REFERENCE = Problem(
    what="there is no reference with a token to compare with.",
    hint="Add an abstract or references, or choose other tokens.",
)
_EMPTY_REFERENCE_W = Problem(
    what="there is no reference, or one without a token, for which ROUGE-W has no value.",
    hint="Add or fix the reference, or choose another metric.",
)

_Found = dict[RougeRequest, Scored]


def score(
    corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter, supplies: Supplies
) -> ScoreTable:
    """Returns the scores of all topics, and their means."""

    def find(
        cases: Sequence[Case], wanted: Sequence[RougeRequest], log: TextLog
    ) -> Mapping[RougeRequest, Scored]:
        check_text(cases, wanted, log)
        found = scored(cases, wanted, reporter, supplies.workers)
        log_empty_texts(cases, found, log)
        return {request: found[request] for request in wanted}

    return score_texts(
        corpus, map(parse_request, requests), find, reason_of=reason_of,
        mean_of=lambda request: mean_for(request.averages_as_perl),
        sees_sentences=attrgetter("sees_sentences"),
    )  # fmt: skip


def log_empty_texts(cases: Sequence[Case], found: _Found, log: TextLog) -> None:
    """Records outputs and references without units."""
    for request, of_request in found.items():
        compared = ~of_request.lacks_reference
        for case_idx in np.flatnonzero(compared & of_request.has_no_token).tolist():
            log.note(EMPTY, cases[case_idx].system, cases[case_idx].topic)
        for case_idx in np.flatnonzero(compared & of_request.has_no_unit).tolist():
            log.note(TOO_SHORT, request.metric, cases[case_idx].topic)


def reason_of(request: RougeRequest) -> Problem:
    """Returns why a request's value is undefined where it is."""
    return _NO_REFERENCE if request.weight is None or request.is_of_paper else _EMPTY_REFERENCE_W


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamItem:
    """Systems' texts on one item, and their references."""

    id: str
    # The sentences of each system's text, in the order of the systems.
    texts: tuple[tuple[str, ...], ...]
    references: References  # the sentences of each reference
    # Split of each text and its references; empty = given.
    splits: tuple[str, ...] = ()


class RougeStream:
    """Scores items in batches, retaining statistics of means."""

    def __init__(
        self,
        systems: Sequence[str],
        requests: Sequence[MetricRequest],
        *,
        keeps_values: bool = False,
    ) -> None:
        """Parses the requests; it `keeps_values` where intervals will be requested.

        They take 24 bytes an item, system and metric, and the ids.
        """
        for request in requests:
            _check_family(request)
        spelled = {one.signature: one for one in map(parse_request, requests)}
        self._systems = tuple(systems)
        self._requests = tuple(spelled.values())
        self._columns = {
            one: score_column(one, reason_of(one), sees_sentences=one.sees_sentences)
            for one in self._requests
        }
        self._splits: dict[str, set[str]] = {system: set() for system in systems}
        self._log = TextLog()
        self._names = ManyNames()
        self._ids: list[str] = []  # where values are stored, in whose order
        self._keeps_ids = keeps_values or any(one.averages_as_perl for one in self._requests)
        self._found = {
            (system, request): _PairReport(keeps_values or request.averages_as_perl)
            for system in systems
            for request in self._requests
        }

    @property
    def n_items(self) -> int:
        """Returns the number of items."""
        return len(self._names)

    def add(self, items: Sequence[StreamItem]) -> None:
        """Scores items for the means only; raises as `scores_of`."""
        self._count(items)

    def scores_of(self, items: Sequence[StreamItem]) -> Iterator[Score]:
        """Yields the scores of items, system by system, in the order in which metrics are shown."""
        cases, found = self._count(items)
        in_order = {request: found[request] for request in self._requests}
        yield from scores_of_cases(cases, in_order, self._columns)

    def _count(
        self, items: Sequence[StreamItem]
    ) -> tuple[list[Case], Mapping[RougeRequest, Scored]]:
        given = (GIVEN,) * len(self._systems)
        cases = [
            Case(item.id, None, system, text, item.references, split)
            for item in items
            for system, text, split in zip(
                self._systems, item.texts, item.splits or given, strict=True
            )
        ]
        check_text(cases, self._requests, self._log)
        found = scored(cases, self._requests, Silent(), at_once=max(1, len(items)))
        log_empty_texts(cases, found, self._log)
        ids = [item.id for item in items]
        self._names.add(ids)
        if self._keeps_ids:
            self._ids += ids
        n_systems = len(self._systems)
        for system_idx, system in enumerate(self._systems):
            self._splits[system].update({case.split for case in cases[system_idx::n_systems]})
            for request in self._requests:
                of_request = found[request]
                self._found[system, request].add(
                    of_request.values[system_idx::n_systems],
                    of_request.lacks_reference[system_idx::n_systems],
                )
        return cases, found

    def means(self) -> tuple[Score, ...]:
        """Returns each system's means, in the order system, metric."""
        facts = {"topics": self._names.named()}
        scores: list[Score] = []
        for system in self._systems:
            split = {"split": join_splits(self._splits[system])}
            for request in self._requests:
                found = self._found[system, request]
                signed = self._columns[request].signed({**split, **facts})
                values = self._mean(system, request, found)
                self._log.note_mean(system, None, request.metric, found.n_defined, self.n_items)
                scores += scores_of_row(None, (None, system), signed, values, found.n_defined)
        return tuple(scores)

    def _mean(self, system: str, request: RougeRequest, found: "_PairReport") -> Floats | None:
        if not found.n_defined:
            return None
        if not request.averages_as_perl:
            return found.plain_mean()
        values, is_defined = found.stored_values()
        defined = [idx for idx in range(self.n_items) if is_defined[idx]]
        # The order decides which summaries the program's bootstrap draws.
        defined.sort(key=lambda idx: f"{self._ids[idx]}.{system}")
        return perl_mean(values[defined])

    def columns(self) -> tuple[MetricColumn, ...]:
        """Returns the columns of the scores, known in advance."""
        signed = (column.signed({"split": GIVEN}) for column in self._columns.values())
        each = (column_signed(name, one.signature) for one in signed for name in one.names)
        return tuple(dict.fromkeys(each))

    def problems(self) -> tuple[Problem, ...]:
        """Returns warnings, with those of means once these were computed."""
        return self._log.problems()

    def intervals(self, resampling: Resampling, reporter: Reporter) -> dict[CellKey, MeanInterval]:
        """Returns the intervals of all defined means, as `significance.intervals`."""
        order = np.array(sorted(range(self.n_items), key=self._ids.__getitem__), np.int64)
        means = iter(self.means())
        result: dict[CellKey, MeanInterval] = {}
        for done, found in enumerate(self._found.values()):
            reporter.advance(done, len(self._found))
            keys = [key_of(next(means)) for _ in range(_N_COMPONENTS)]
            if found.n_defined:
                values, is_defined = found.stored_values()
                result |= mean_intervals(values[order[is_defined[order]]], keys, resampling)
        return result


_N_COMPONENTS: Final = 3


class _PairReport:
    """One request's values of one system so far."""

    def __init__(self, keeps_values: bool) -> None:
        self.n_defined = 0
        self._sums: tuple[list[float], ...] = tuple([] for _ in range(_N_COMPONENTS))
        self._stored: list[tuple[Floats, np.ndarray[tuple[int], np.dtype[np.bool_]]]] | None
        self._stored = [] if keeps_values else None

    def add(self, values: Floats, lacks: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> None:
        defined = values[~lacks]
        self.n_defined += len(defined)
        for parts, column in zip(self._sums, defined.T.tolist(), strict=True):
            parts[:] = exact_parts([*parts, *column])
        if self._stored is not None:
            self._stored.append((values.copy(), ~lacks))

    def plain_mean(self) -> Floats:
        return np.array([math.fsum(parts) / self.n_defined for parts in self._sums])

    def stored_values(self) -> tuple[Floats, "np.ndarray[tuple[int], np.dtype[np.bool_]]"]:
        assert self._stored is not None
        values, defined = zip(*self._stored, strict=True)
        return np.concatenate(values), np.concatenate(defined)


def exact_parts(values: Sequence[float]) -> list[float]:
    """Returns a few numbers whose exact sum is that of all values (Shewchuk).

    So sums of batches equal the sum of everything, to the last bit.

    >>> exact_parts([1e16, 1.0, -1e16, 0.5])
    [1.5]
    """
    parts: list[float] = []
    while rest := math.fsum([*values, *(-part for part in parts)]):
        parts.append(rest)
    return parts


def _check_family(request: MetricRequest) -> None:
    known = [metric.name for metric in ROUGE]
    if request.name not in known:
        raise InputError.of(
            "{metric} does not score bare texts.",
            "Available here: {known}; for the others, make a corpus of the texts.",
            metric=request.name,
            known=Listing(known),
        )


_AT_ONCE: Final = 10_000

Packed = np.ndarray[tuple[int], np.dtype[np.bytes_]]


class ManyNames:
    """Streaming names, stored as joined text."""

    def __init__(self) -> None:
        self._portions: list[Packed] = []
        self._n_names = 0

    def __len__(self) -> int:
        return self._n_names

    def add(self, names: Sequence[str]) -> None:
        """Adds names."""
        self._n_names += len(names)
        # `repr` contains no zero byte, and bytes sort as letters.
        packed = [repr(name).encode() for name in names]
        if packed:
            self._portions.append(np.array(packed, np.bytes_))

    def named(self) -> str:
        """Returns `signature.named` of all names."""
        digest = hashlib.sha256(b"[")
        before, separator = b"", b""
        for one in self._in_order():
            if one == before:
                raise InputError.of(
                    "There are two items “{id}”.",
                    "Give each its own id.",
                    id=literal_eval(one.decode()),
                )
            digest.update(separator + repr(one.decode()).encode())
            before, separator = one, b", "
        digest.update(b"]")
        return f"{len(self)}@{digest.hexdigest()[:DIGITS_OF_NAMES]}"

    def _in_order(self) -> Iterator[bytes]:
        if not self._portions:
            return
        widest = max(portion.itemsize for portion in self._portions)
        held = sum(portion.nbytes for portion in self._portions)
        if widest * len(self) > 4 * held:  # a few long names would make all of them long
            yield from sorted(name for portion in self._portions for name in portion.tolist())
            return
        self._portions = [np.sort(np.concatenate(self._portions))]
        for at in range(0, len(self), _AT_ONCE):
            yield from self._portions[0][at : at + _AT_ONCE].tolist()
