"""Suggestions and suggesters; only a person's action accepts one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, Protocol

from awase.core.errors import Listing, Problem, raise_if_any
from awase.core.records.abstract import AbstractSentence
from awase.core.records.alignment import Alternative, SentenceAlignment
from awase.core.records.topic import Topic

FAMILY: Final = "family"
ANOTHER: Final = "another"
CLOSURE: Final = "closure"
CARRIED: Final = "carried"
# The first alternatives of a sentence; more beside linked ones; linked ones with near-duplicates in
# them; what the annotator linked for a like sentence of another abstract.
KINDS: Final = (FAMILY, ANOTHER, CLOSURE, CARRIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Alternatives that an abstract sentence may have besides those that it has.

    Attributes:
        family: What would be added, at least one alternative.
        confidence: 0..1, the expected share of such suggestions that are right.
        model: What is behind it, where its suggester's version does not say; empty = that does.
    """

    family: tuple[Alternative, ...]
    confidence: float
    why: str
    kind: str = FAMILY
    model: str = ""

    def __post_init__(self) -> None:
        problems = []
        if not self.family:
            problems.append(_NOTHING_SUGGESTED)
        if not 0.0 <= self.confidence <= 1.0:
            problems.append(replace(_NO_SHARE, fields={"confidence": str(self.confidence)}))
        if self.kind not in KINDS:
            problems.append(replace(_NO_KIND, fields={**_NO_KIND.fields, "kind": self.kind}))
        raise_if_any(problems)


_NOTHING_SUGGESTED = Problem(
    what="The suggestion names no alternative.", hint="Return no suggestion instead."
)
_NO_SHARE = Problem(
    what="The confidence {confidence} of a suggestion is not between 0 and 1.",
    hint="Give the expected share of such suggestions that are right.",
)
_NO_KIND = Problem(
    what="“{kind}” is not a kind of suggestion.",
    hint="Use one of {kinds}.",
    fields={"kinds": Listing(KINDS)},
)


class Suggester(Protocol):
    """Suggests alternatives for an abstract sentence; one instance for each open corpus."""

    def suggest(
        self, topic: Topic, sentence: AbstractSentence, entry: SentenceAlignment
    ) -> tuple[Suggestion, ...]:
        """Returns suggestions for `entry`, by descending confidence; often none.

        Args:
            topic: With the annotator's own alignments only: nobody's work leaks into another's.
            sentence: One of an abstract of `topic`.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggesterEntry:
    """Registry entry of a suggester.

    Attributes:
        name: Small letters, digits and hyphens; stored with every suggestion, so it is for ever.
        version: Stored with every suggestion; to be changed with its output.
    """

    name: str
    what: str
    make: Callable[[], Suggester]
    version: str = "1"


def own_view(topic: Topic, annotator: str) -> Topic:
    """Returns the topic without others' work: all that a suggester may see."""
    whose = {one.annotator for abstract in topic.abstracts for one in abstract.alignments}
    if whose <= {annotator} and not any(abstract.gold for abstract in topic.abstracts):
        return topic
    abstracts = tuple(
        replace(
            abstract,
            alignments=tuple(one for one in abstract.alignments if one.annotator == annotator),
            gold=(),
        )
        for abstract in topic.abstracts
    )
    return topic.with_abstracts(abstracts)


class AssistLevel(IntEnum):
    """Assistance levels, cumulative."""

    DOCUMENT_ORDER = 0  # source sentences stand as in their documents
    RANKED = 1  # the likeliest come first
    MARKS = 2  # words not covered yet are marked; near-duplicates left out are told at confirming
    SUGGESTIONS = 3  # more alternatives are suggested once the annotator has linked one
    FAMILIES = 4  # the first alternatives are suggested, too


# Below it nothing is suggested: reading it would cost more than it helps.
LEAST_CONFIDENCE: Final = 0.4

_LEVEL_BY_KIND: Final = {
    CLOSURE: AssistLevel.MARKS,
    ANOTHER: AssistLevel.SUGGESTIONS,
    CARRIED: AssistLevel.SUGGESTIONS,
    FAMILY: AssistLevel.FAMILIES,
}


def is_shown(suggestion: Suggestion, level: AssistLevel) -> bool:
    """Returns whether the suggestion is shown at this level."""
    return level >= _LEVEL_BY_KIND[suggestion.kind] and suggestion.confidence >= LEAST_CONFIDENCE
