"""What is asked of pruned ROUGE and pruned BE, with every option understood and checked."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from awase.core.errors import InputError
from awase.core.metrics.kit.option_values import choice_of, limit_of, plain_decimal
from awase.core.metrics.kit.signature import MetricRequest, named, signature_text
from awase.core.metrics.kit.supplies.parses import parser_of
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.kit.supplies.vectors import vectors_label
from awase.core.metrics.pruned.element_reading import ElementRules
from awase.core.metrics.pruned.readings import WordRules
from awase.core.metrics.pruned.vocabularies import ClusterRules
from awase.core.metrics.registry import metric_by_name
from awase.core.parsing.basic_elements import BasicElementOptions, Labels
from awase.core.text.limits import NO_LIMIT, LengthLimit
from awase.core.text.tokens.tokenisers import tokeniser_called

PRUNED_BE = "pbe"
_COUNTS, _CLUSTERS = "cnt", "cls"
_PRUNES = ("none", _COUNTS, _CLUSTERS, f"{_COUNTS}+{_CLUSTERS}")
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
        spelled: Every option as signatures spell it.
        facts: What signatures say besides of what was scored.
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

    def among(self, systems: Iterable[str]) -> "PrunedRequest":
        """Returns the request with the systems named whose words are merged, where they count."""
        if self.clusters is None or not self.clusters.of_topic:
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
    """Returns the request with its options read and checked.

    Args:
        request: As typed.
        supplies: What the scores will rest on.

    Raises:
        InputError: An option or its value does not exist, or it needs vectors that are not there.
    """
    defaults = metric_by_name(request.name).defaults
    chosen = request.chosen(defaults)
    steps = choice_of(chosen, "prune", *_PRUNES).split("+")
    tokens, reading = _elements(chosen, supplies) if request.name == PRUNED_BE else _words(chosen)
    clusters = _clusters(chosen)
    merges = _CLUSTERS in steps
    chosen["vectors"] = vectors_label(request.name, chosen["vectors"], supplies, are_needed=merges)
    return PrunedRequest(
        metric=request.name,
        counts_types=_COUNTS in steps,
        clusters=clusters if merges else None,
        reading=reading,
        tokens=tokens,
        spelled={option: chosen[option] for option in defaults},
    )


def _words(chosen: dict[str, str]) -> tuple[str, WordRules]:
    stop = choice_of(chosen, "stop", "no", "yes") == "yes"
    tokeniser = tokeniser_called(chosen["tokens"], stop=stop)
    chosen["tokens"] = tokeniser.id
    return tokeniser.name, WordRules(
        tokeniser=tokeniser,
        drops_stop_words=stop and not tokeniser.drops_function_words,
        limit=limit_of(chosen["limit"], tokeniser),
    )


def _elements(chosen: dict[str, str], supplies: Supplies) -> tuple[str, ElementRules]:
    chosen["parser"] = parser_of(chosen["parser"], supplies.parse_label)
    labels = choice_of(chosen, "labels", *(labels.value for labels in Labels))
    return "", ElementRules(
        elements=BasicElementOptions(
            lemma=choice_of(chosen, "words", "form", "lemma") == "lemma", labels=Labels(labels)
        ),
        tries_lemmas=choice_of(chosen, "lookup", "form", "lemma") == "lemma",
    )


def _clusters(chosen: dict[str, str]) -> ClusterRules:
    chosen["ratio"] = plain_decimal("ratio", chosen["ratio"])
    ratio = Fraction(chosen["ratio"])
    if ratio > 1:
        raise InputError.of(
            "ratio={value} is more than all words.", "Choose 0 to 1, such as ratio=0.95.",
            value=chosen["ratio"],
        )  # fmt: skip
    return ClusterRules(
        ratio=ratio,
        distance=choice_of(chosen, "distance", "cosine", "euclidean"),
        of_topic=choice_of(chosen, "vocabulary", "pair", "topic") == "topic",
    )
