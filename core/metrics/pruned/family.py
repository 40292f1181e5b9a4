"""Pruned ROUGE and pruned BE of every output of a corpus, extracts and texts alike.

Source: Honda, Hirao and Nagata, "pruned ROUGE and pruned BE": recall that counts each unit once,
words of nearly the same meaning being one.
"""

from collections.abc import Mapping, Sequence

from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, UNDECIDED, Supplies
from awase.core.metrics.kit.texts.cases import Case
from awase.core.metrics.kit.texts.runner import TextRun, Values, single_values_of
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.pruned.counting import Unit, recall, replaced
from awase.core.metrics.pruned.log import VectorLog
from awase.core.metrics.pruned.preparing import Prepared, prepared, systems_scored
from awase.core.metrics.pruned.requests import PrunedRequest, understood
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> TextRun[PrunedRequest]:
    """Returns what scores the topics of a corpus in portions."""
    vector_log = VectorLog()
    asked = [understood(request, supplies) for request in requests]
    if any(request.rests_on_all_systems for request in asked):
        systems = systems_scored(corpus.topics)
        asked = [request.among(systems) for request in asked]

    def find(
        cases: Sequence[Case], wanted: Sequence[PrunedRequest], log: TextLog, reporter: Reporter
    ) -> Mapping[PrunedRequest, Values]:
        ready = prepared(cases, wanted, supplies, log, corpus.topics)
        found: dict[PrunedRequest, list[float | None]] = {request: [] for request in wanted}
        for case_idx, case in enumerate(cases):
            reporter.advance(case_idx, len(cases), case.topic)
            for request in wanted:
                found[request].append(_value(ready, request, case_idx, log, vector_log))
        reporter.advance(len(cases), len(cases))
        return {request: single_values_of(values) for request, values in found.items()}

    return TextRun(asked, find, components=(), more_warnings=vector_log.problems)


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, as far as it is known."""
    return understood(request, UNDECIDED).signature


def _value(
    ready: Prepared, request: PrunedRequest, case_idx: int, log: TextLog, vector_log: VectorLog
) -> float | None:
    """Returns the score of a case; None = its references have no unit."""
    case, read = ready.cases[case_idx], ready.read(request)
    references: list[Sequence[Unit]] = [read(text).units for text in case.references]
    summary: Sequence[Unit] = read(case.text).units
    if not any(references):
        return None
    if not summary:
        log.note_empty(case.topic, case.system)
    vocabulary = ready.vocabulary(request, case_idx)
    if vocabulary is not None:
        clustering = vocabulary.clustering
        vector_log.note_words(
            request.metric, request.spelled["vectors"], vocabulary.n_words, clustering.n_words
        )
        if not clustering.n_merges:
            vector_log.note_unmerged(request.metric, case.topic, case.system)
        summary = replaced(summary, request.n_words, clustering.representative_of)
        references = [
            replaced(units, request.n_words, clustering.representative_of) for units in references
        ]
    value = recall(references, summary, by_type=request.counts_types)
    return None if value is None else float(value)
