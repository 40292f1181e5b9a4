"""What is asked of pruned ROUGE and pruned BE, with every option understood and checked."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from awase.core.metrics.kit.metric import options_for
from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import (
    LABELS,
    PARSER,
    TOKENS,
    VECTORS,
    WORDS,
)
from awase.core.metrics.kit.signature import MetricRequest, named, signature_text
from awase.core.metrics.kit.supplies.parses import parser_of
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.kit.supplies.vectors import vectors_label
from awase.core.metrics.pruned.element_reading import ElementRules
from awase.core.metrics.pruned.entry import (
    DISTANCE,
    LOOKUP,
    METRICS,
    PRUNE,
    RATIO,
    VOCABULARY,
)
from awase.core.metrics.pruned.readings import WordRules, word_rules
from awase.core.metrics.pruned.vocabularies import ClusterRules
from awase.core.parsing.basic_elements import BasicElementOptions, Labels
from awase.core.text.limits import NO_LIMIT, LengthLimit

PRUNED_BE = "pbe"
_COUNTS, _CLUSTERS = "cnt", "cls"
_NGRAM = re.compile(r"prouge-([1-9])")
_WORDS_OF_ELEMENT = 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrunedRequest:
    """A metric of this family with its options understood; equal to itself only.

    Attributes:
        metric: `prouge-1`, `prouge-2` or `pbe`.
        counts_types: Whether each unit counts once a text (step 1 of the paper).
        clusters: How words are merged (step 2); None = they are not.
        reading: How text becomes units.
        tokens: Name of the tokeniser; empty for `pbe`.
    """

    metric: str
    counts_types: bool
    clusters: ClusterRules | None
    reading: WordRules | ElementRules
    tokens: str
    spelled: Mapping[str, str]
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """Returns the signature of its values."""
        return signature_text(self.metric, {**self.spelled, **self.facts})

    @property
    def rests_on_all_systems(self) -> bool:
        """Returns whether the words of all systems are merged together."""
        return self.clusters is not None and self.clusters.of_topic

    def among(self, systems: Iterable[str]) -> "PrunedRequest":
        """Returns the request with the systems named whose words are merged, where they count."""
        if not self.rests_on_all_systems:
            return self
        return replace(self, facts={"systems": named(systems)})

    @property
    def limit(self) -> LengthLimit:
        """Returns how much of each text counts."""
        return self.reading.limit if isinstance(self.reading, WordRules) else NO_LIMIT

    @property
    def n_words(self) -> int:
        """Returns how many parts of a unit are words."""
        ngram = _NGRAM.fullmatch(self.metric)
        return int(ngram[1]) if ngram else _WORDS_OF_ELEMENT


def understood(request: MetricRequest, supplies: Supplies) -> PrunedRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of(request, options_for(METRICS, request))
    steps = chosen[PRUNE].split("+")
    merges = _CLUSTERS in steps
    is_of_elements = request.name == PRUNED_BE
    reading, own = _elements(chosen, supplies) if is_of_elements else _words(chosen)
    label = vectors_label(request.name, chosen[VECTORS], supplies, are_needed=merges)
    return PrunedRequest(
        metric=request.name,
        counts_types=_COUNTS in steps,
        clusters=_clusters(chosen) if merges else None,
        reading=reading,
        tokens=reading.tokeniser.name if isinstance(reading, WordRules) else "",
        spelled={**chosen.spelled, **own, VECTORS.name: label},
    )


def _words(chosen: Chosen) -> tuple[WordRules, dict[str, str]]:
    rules = word_rules(chosen)
    return rules, {TOKENS.name: rules.tokeniser.id}


def _elements(chosen: Chosen, supplies: Supplies) -> tuple[ElementRules, dict[str, str]]:
    rules = ElementRules(
        elements=BasicElementOptions(lemma=chosen[WORDS] == "lemma", labels=Labels(chosen[LABELS])),
        tries_lemmas=chosen[LOOKUP] == "lemma",
    )
    return rules, {PARSER.name: parser_of(chosen[PARSER], supplies.parse_label)}


def _clusters(chosen: Chosen) -> ClusterRules:
    return ClusterRules(
        ratio=Fraction(chosen[RATIO]),
        distance=chosen[DISTANCE],
        of_topic=chosen[VOCABULARY] == "topic",
    )
