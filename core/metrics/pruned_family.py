"""Pruned ROUGE and pruned BE of every output of a corpus, extracts and texts alike.

Source: Honda, Hirao and Nagata, "pruned ROUGE and pruned BE": recall that counts each unit once,
words of nearly the same meaning being one.
"""

from collections.abc import Iterable, Sequence

from awase.core.metrics.parsed_texts import check_parsed
from awase.core.metrics.pruned.counting import recall, replaced
from awase.core.metrics.pruned.element_reading import ElementRules, element_reading
from awase.core.metrics.pruned.log import VectorLog
from awase.core.metrics.pruned.readings import (
    Read,
    every_spelling,
    ngram_reading,
    remembered,
)
from awase.core.metrics.pruned.requests import PrunedRequest, understood
from awase.core.metrics.pruned.vector_supply import FetchedVectors
from awase.core.metrics.pruned.vocabularies import Vocabularies
from awase.core.metrics.recall_table import recall_scores
from awase.core.metrics.rouge_cases import Case, cases_of, check_letters
from awase.core.metrics.rouge_warnings import RougeLog
from awase.core.metrics.signature import MetricRequest
from awase.core.metrics.supplies import NO_SUPPLIES, Supplies
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies = NO_SUPPLIES,
) -> ScoreTable:
    """Returns the scores of every output, by topic and as means, with warnings.

    Raises:
        InputError: An option's value does not exist, the tokeniser would lose letters, or parses
            or vectors are missing.
        Cancelled: The reporter asked to stop.
    """
    asked = [understood(request, supplies) for request in requests]
    wanted = [*{one.signature: one for one in asked}.values()]
    log, vector_log = RougeLog(), VectorLog()
    cases = cases_of(corpus, log)
    check_letters(cases, [one for one in wanted if one.tokens], log)
    for request in wanted:
        if isinstance(request.reading, ElementRules):
            check_parsed(request.metric, cases, supplies)
    scorers = [*_scorers(cases, wanted, supplies)]
    found: dict[PrunedRequest, list[float | None]] = {request: [] for request in wanted}
    for case_idx, case in enumerate(cases):
        reporter.advance(case_idx, len(cases), case.topic)
        for scorer in scorers:
            found[scorer.request].append(scorer.value(case_idx, log, vector_log))
    reporter.advance(len(cases), len(cases))
    scores = recall_scores(cases, found, log)
    return ScoreTable(scores=scores, warnings=(*log.problems(), *vector_log.problems()))


class _Scorer:
    """Scores the cases under one request; what equal readings share is made once."""

    def __init__(
        self,
        cases: Sequence[Case],
        request: PrunedRequest,
        read: Read,
        vocabularies: Vocabularies | None,
    ) -> None:
        self.request = request
        self._cases = cases
        self._read = read
        self._vocabularies = vocabularies

    def value(self, case_idx: int, log: RougeLog, vector_log: VectorLog) -> float | None:
        """Returns the score of a case; None = its references have no unit."""
        case, request = self._cases[case_idx], self.request
        references = [self._read(text).units for text in case.references]
        summary: Sequence[tuple[str, ...]] = self._read(case.text).units
        if any(references) and not summary:
            log.note_empty(case.topic, case.system)
        if self._vocabularies is not None and request.clusters is not None:
            vocabulary = self._vocabularies.of(case_idx, request.clusters)
            clustering = vocabulary.clustering
            label = request.spelled["vectors"]
            vector_log.note_words(request.metric, label, vocabulary.n_words, clustering.n_words)
            if any(references) and not clustering.n_merges and request.clusters.ratio < 1:
                vector_log.note_unmerged(request.metric, case.topic, case.system)
            summary = replaced(summary, request.n_words, clustering.of)
            references = [
                tuple(replaced(units, request.n_words, clustering.of)) for units in references
            ]
        value = recall(references, summary, by_type=request.counts_types)
        return None if value is None else float(value)


def _scorers(
    cases: Sequence[Case], requests: Iterable[PrunedRequest], supplies: Supplies
) -> Iterable[_Scorer]:
    """Yields what scores each request; equal readings and vocabularies are shared."""
    texts = {text: None for case in cases for text in (case.text, *case.references)}
    reads: dict[object, Read] = {}
    vocabularies: dict[object, Vocabularies] = {}
    for request in requests:
        rules = request.reading
        is_of_elements = isinstance(rules, ElementRules)
        key = rules if is_of_elements else (rules, request.n_words)
        if key not in reads:
            reads[key] = remembered(
                element_reading(rules, supplies.parses)
                if isinstance(rules, ElementRules)
                else ngram_reading(rules, request.n_words)
            )
        read = reads[key]
        # The words of n-grams are the same for every n.
        if request.clusters is not None and supplies.vectors is not None:
            if rules not in vocabularies:
                fetched = FetchedVectors(supplies.vectors, every_spelling(map(read, texts)))
                vocabularies[rules] = Vocabularies(cases=cases, read=read, vectors=fetched)
            yield _Scorer(cases, request, read, vocabularies[rules])
        else:
            yield _Scorer(cases, request, read, None)
