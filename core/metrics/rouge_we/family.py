"""ROUGE-WE-1, -2 and -SU4 (best-match variant) of every output of a corpus.

Source: Ng and Abrecht (2015); where we part from it stands in `matching`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from awase.core.metrics.kit.metric import options_for
from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import TOKENS, VECTORS
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, UNDECIDED, Supplies
from awase.core.metrics.kit.supplies.vectors import FetchedVectors, vectors_label
from awase.core.metrics.kit.texts.cases import Case, check_text
from awase.core.metrics.kit.texts.runner import TextRun, Values, single_values_of
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.pruned.counting import Unit
from awase.core.metrics.pruned.log import VectorLog
from awase.core.metrics.pruned.readings import (
    Read,
    UnitText,
    WordRules,
    every_spelling,
    ngram_reading,
    remembered,
    spellings,
    word_rules,
)
from awase.core.metrics.rouge_we.entry import METRICS
from awase.core.metrics.rouge_we.matching import soft_hits
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.text.limits import LengthLimit
from awase.core.vectors.source import WordVectors
from awase.core.vectors.vector_file import looked_up

_GAP = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeRequest:
    """A metric of this family with its options understood; equal to itself only.

    Attributes:
        metric: `rouge-we-1`, `rouge-we-2` or `rouge-we-su4`.
    """

    metric: str
    rules: WordRules
    tokens: str
    spelled: Mapping[str, str]

    @property
    def signature(self) -> str:
        """Returns the signature of its values."""
        return signature_text(self.metric, self.spelled)

    @property
    def limit(self) -> LengthLimit:
        """Returns how much of each text counts."""
        return self.rules.limit

    def units_of(self, words: Sequence[Unit]) -> list[Unit]:
        """Returns the units of a text, given its words as units of one."""
        flat = [word for (word,) in words]
        if self.metric == "rouge-we-su4":
            return [*words[:-1], *_skip_bigrams(flat)]
        size = int(self.metric[-1])
        return [*zip(*(flat[shift:] for shift in range(size)), strict=False)]


def _skip_bigrams(words: Sequence[str]) -> list[Unit]:
    return [
        (word, words[behind])
        for place, word in enumerate(words)
        for behind in range(place + 1, min(place + _GAP + 2, len(words)))
    ]


def understood(request: MetricRequest, supplies: Supplies) -> WeRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of(request, options_for(METRICS, request))
    rules = word_rules(chosen)
    label = vectors_label(request.name, chosen[VECTORS], supplies, are_needed=True)
    return WeRequest(
        metric=request.name,
        rules=rules,
        tokens=rules.tokeniser.name,
        spelled={**chosen.spelled, TOKENS.name: rules.tokeniser.id, VECTORS.name: label},
    )


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> TextRun[WeRequest]:
    """Returns what scores the topics of a corpus in portions."""
    vector_log = VectorLog()

    def find(
        cases: Sequence[Case], wanted: Sequence[WeRequest], log: TextLog, reporter: Reporter
    ) -> Mapping[WeRequest, Values]:
        check_text(cases, wanted, log)
        found = _found(cases, wanted, _given(supplies), reporter, log, vector_log)
        return {request: single_values_of(values) for request, values in found.items()}

    return TextRun(
        [understood(request, supplies) for request in requests],
        find,
        components=(),
        more_warnings=vector_log.problems,
    )


def _found(
    cases: Sequence[Case],
    wanted: Sequence[WeRequest],
    source: WordVectors,
    reporter: Reporter,
    log: TextLog,
    vector_log: VectorLog,
) -> Mapping[WeRequest, Sequence[float | None]]:
    texts = {text: None for case in cases for text in (case.text, *case.references)}
    found: dict[WeRequest, list[float | None]] = {}
    for request_idx, request in enumerate(wanted):
        read = remembered(ngram_reading(request.rules, 1))
        vectors = FetchedVectors(source, every_spelling(map(read, texts)))
        found[request] = []
        for case_idx, case in enumerate(cases):
            reporter.advance(
                request_idx * len(cases) + case_idx, len(wanted) * len(cases), case.topic
            )
            found[request].append(_value(case, request, read, vectors, log, vector_log))
    reporter.advance(len(wanted) * len(cases), len(wanted) * len(cases))
    return found


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, as far as it is known."""
    return understood(request, UNDECIDED).signature


def _given(supplies: Supplies) -> WordVectors:
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
    """Returns the recall of a case; None = its references have no unit."""
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
        log.note_empty(case.topic, case.system)
    # fsum: the order in which references were brought changes no digit
    return math.fsum(soft_hits(one, units, found) for one in of_references) / n_units
