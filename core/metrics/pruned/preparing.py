"""What pruned metrics need of a corpus before anything is counted; equal parts are made once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.kit.supplies.vectors import FetchedVectors
from awase.core.metrics.kit.texts.cases import Case, cases_of, check_text
from awase.core.metrics.kit.texts.parsed import checked_parses
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.pruned.element_reading import ElementRules, element_reading
from awase.core.metrics.pruned.readings import Read, every_spelling, ngram_reading, remembered
from awase.core.metrics.pruned.requests import PrunedRequest
from awase.core.metrics.pruned.vocabularies import Vocabularies, Vocabulary
from awase.core.records.topic import Topic
from awase.core.vectors.source import WordVectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A corpus with readers of its texts and clusters of its words."""

    cases: Sequence[Case]
    _vectors: WordVectors | None
    _parses: Mapping[str, str]
    _reads: dict[object, Read] = field(default_factory=dict)
    _vocabularies: dict[object, Vocabularies] = field(default_factory=dict)

    def read(self, request: PrunedRequest) -> Read:
        """Returns what reads texts as the request's units."""
        rules = request.reading
        key = (rules, request.n_words)
        if key not in self._reads:
            self._reads[key] = remembered(
                element_reading(rules, self._parses)
                if isinstance(rules, ElementRules)
                else ngram_reading(rules, request.n_words)
            )
        return self._reads[key]

    def vocabulary(self, request: PrunedRequest, case_idx: int) -> Vocabulary | None:
        """Returns the words of a case, clustered; None when the request merges none."""
        if request.clusters is None or self._vectors is None:
            return None
        # The words are the same for n-grams of every size.
        rules = request.reading
        if rules not in self._vocabularies:
            read = self.read(request)
            texts = {text: None for case in self.cases for text in (case.text, *case.references)}
            fetched = FetchedVectors(self._vectors, every_spelling(map(read, texts)))
            self._vocabularies[rules] = Vocabularies(cases=self.cases, read=read, vectors=fetched)
        return self._vocabularies[rules].vocabulary_of_case(case_idx, request.clusters)


def systems_scored(topics: Sequence[Topic]) -> set[str]:
    """Returns the systems of which any output is compared."""
    log = TextLog()
    return {case.system for topic in topics for case in cases_of((topic,), log)}


def prepared(
    cases: Sequence[Case],
    requests: Sequence[PrunedRequest],
    supplies: Supplies,
    log: TextLog,
    topics: Sequence[Topic],
) -> Prepared:
    """Returns some cases of a corpus, ready to be counted."""
    check_text(cases, [one for one in requests if one.tokens], log)
    parses: Mapping[str, str] = {}
    for request in requests:
        if isinstance(request.reading, ElementRules):
            parses = checked_parses(request.metric, cases, supplies, topics)
    return Prepared(cases=cases, _vectors=supplies.vectors, _parses=parses)
