"""ROUGE-WE-1, -2 and -SU4 (best-match variant) of every output of a corpus.

Source: Ng and Abrecht (2015), "Better summarization evaluation with word embeddings for ROUGE": the
    similarity of two words is the cosine of their vectors, 0 if one has none; the vector of an
    n-gram is the element-wise product of its words'.
Differs: how units are matched. The paper leaves it open, and the released program sums over pairs
    in an order that its hash tables decide. Here pairs are matched greedily from the most similar
    on, each unit once; equal units have similarity 1, with or without vectors; negative ones 0.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import Reporter
from awase.core.language.stored_parses import WordVectors
from awase.core.language.vector_file import Vector, looked_up
from awase.core.metrics.entries import ROUGE_WE
from awase.core.metrics.kit.metric import TOKENS, VECTORS, Chosen, ParsedRequest
from awase.core.metrics.kit.outputs import EMPTY, TextLog
from awase.core.metrics.kit.runner import (
    Case,
    Values,
    check_text,
    each_text,
    score_texts,
    values_of_each,
)
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import FetchedVectors, Supplies
from awase.core.metrics.pruned import VectorLog
from awase.core.metrics.pruned_reading import (
    Read,
    Unit,
    UnitText,
    WordRules,
    every_spelling,
    ngram_reading,
    spellings,
    word_rules,
)
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable

Floats = NDArray[np.float64]

_TAKEN = -1.0
_DECIMALS = 12


def soft_hits(
    reference: Sequence[Unit], summary: Sequence[Unit], vectors: Mapping[str, Vector]
) -> float:
    """Returns the sum of similarities over matched units, 0 to the number of units.

    Repeated units count, and units of different lengths never match. Words without a vector have
    none; no vector is zero.
    """
    total = 0.0
    for size in {len(unit) for unit in reference}:
        ours, theirs = (
            [unit for unit in units if len(unit) == size] for units in (reference, summary)
        )
        total += _hits(ours, theirs, vectors)
    return total


def _hits(
    reference: Sequence[Unit], summary: Sequence[Unit], vectors: Mapping[str, Vector]
) -> float:
    of_reference, of_summary = Counter(reference), Counter(summary)
    equal = of_reference & of_summary
    # Nothing is more similar than equals, so that they are matched first.
    left = sorted((of_reference - equal).items())
    right = sorted((of_summary - equal).items())
    rows, columns = _with_vector(left, vectors), _with_vector(right, vectors)
    if not rows or not columns:
        return float(equal.total())
    likeness = _unit_vectors(rows, vectors) @ _unit_vectors(columns, vectors).T
    # Equal likeness stays equal whatever order a machine adds in, so that ties break alike.
    likeness = np.round(likeness, _DECIMALS)
    n_rows, n_columns = (np.array([times for _, times in units]) for units in (rows, columns))
    return equal.total() + matched(np.clip(likeness, 0.0, 1.0), n_rows, n_columns)


def _with_vector(
    units: Sequence[tuple[Unit, int]], vectors: Mapping[str, Vector]
) -> list[tuple[Unit, int]]:
    return [(unit, times) for unit, times in units if all(word in vectors for word in unit)]


def _unit_vectors(units: Sequence[tuple[Unit, int]], vectors: Mapping[str, Vector]) -> Floats:
    """Returns (n_units, dimension) products of the words' vectors, of length 1 or 0."""
    products = np.array(
        [np.prod([vectors[word] for word in unit], axis=0, dtype=np.float64) for unit, _ in units]
    )
    lengths = np.linalg.norm(products, axis=1, keepdims=True)
    unit: Floats = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return unit


def matched(likeness: Floats, n_rows: NDArray[np.int64], n_columns: NDArray[np.int64]) -> float:
    """Returns the sum of similarities, (rows, columns), of a greedy matching with multiplicities.

    Ties: the first row, then the first column. A pair that is the best of its row and of its column
    is matched in that order, too, so that all such pairs can be matched in one step.
    """
    likeness, n_rows, n_columns = likeness.copy(), n_rows.copy(), n_columns.copy()
    total = 0.0
    for _ in range(likeness.shape[0] + likeness.shape[1]):
        best_column = likeness.argmax(axis=1)
        best_row = likeness.argmax(axis=0)
        rows = np.flatnonzero(best_row[best_column] == np.arange(len(best_column)))
        columns = best_column[rows]
        alike = likeness[rows, columns]
        rows, columns, alike = (part[alike > 0] for part in (rows, columns, alike))
        if not len(rows):
            break
        times = np.minimum(n_rows[rows], n_columns[columns])
        total += float((alike * times).sum())
        n_rows[rows] -= times
        n_columns[columns] -= times
        likeness[n_rows == 0] = _TAKEN
        likeness[:, n_columns == 0] = _TAKEN
    return total


_GAP = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeRequest(ParsedRequest):
    """A metric of this family with parsed options; compared by identity."""

    rules: WordRules

    def units_of(self, words: Sequence[Unit]) -> list[Unit]:
        """Returns the units of a text from its words."""
        flat = [word for (word,) in words]
        if self.metric == "rouge-we-su4":
            pairs = (
                (word, second)
                for place, word in enumerate(flat)
                for second in flat[place + 1 : place + _GAP + 2]
            )
            return [*words[:-1], *pairs]
        size = int(self.metric[-1])
        return [*zip(*(flat[shift:] for shift in range(size)), strict=False)]


def parse_request(request: MetricRequest, supplies: Supplies) -> WeRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of_family(request, ROUGE_WE)
    rules = word_rules(chosen)
    label = supplies.vectors_label(request.name, chosen[VECTORS], are_needed=True)
    return WeRequest(
        metric=request.name,
        rules=rules,
        tokens=rules.tokeniser.name,
        limit=rules.limit,
        spelled={**chosen.spelled, TOKENS.name: rules.tokeniser.id, VECTORS.name: label},
    )


def score(
    corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter, supplies: Supplies
) -> ScoreTable:
    """Returns the scores of all topics, and their means."""
    vector_log = VectorLog()

    def find(
        cases: Sequence[Case], wanted: Sequence[WeRequest], log: TextLog
    ) -> Mapping[WeRequest, Values]:
        check_text(cases, wanted, log)
        texts = each_text(cases)

        @cache
        def reading(request: WeRequest) -> tuple[Read, WordVectors]:
            read = ngram_reading(request.rules, 1)
            return read, FetchedVectors(_vectors_in(supplies), every_spelling(map(read, texts)))

        def value_of(case: Case, request: WeRequest) -> float | None:
            return _value(case, request, *reading(request), log, vector_log)

        return values_of_each(cases, wanted, reporter, value_of)

    return score_texts(
        corpus,
        [parse_request(request, supplies) for request in requests],
        find,
        components=(),
        more_warnings=vector_log.problems,
    )


def _vectors_in(supplies: Supplies) -> WordVectors:
    if supplies.vectors is None:
        raise ValueError("the requests were understood without vectors")
    return supplies.vectors


def _value(
    case: Case,
    request: WeRequest,
    read: Read,
    vectors: WordVectors,
    log: TextLog,
    vector_log: VectorLog,
) -> float | None:
    """Returns the recall of a case; None = no units in the references."""
    summary: UnitText = read(case.text)
    references = [read(text) for text in case.references]
    words = spellings([summary, *references])
    found = looked_up(words, vectors)
    vector_log.note_words(request.metric, request.spelled["vectors"], len(words), len(found))
    units = request.units_of(summary.units)
    of_references = [request.units_of(reference.units) for reference in references]
    n_units = sum(map(len, of_references))
    if not n_units:
        return None
    if not summary.units:
        log.note(EMPTY, case.system, case.topic)
    # fsum: the order in which references were brought changes no digit
    return math.fsum(soft_hits(one, units, found) for one in of_references) / n_units
