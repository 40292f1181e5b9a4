"""Suggestions and suggesters; only a person's action accepts one."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from hashlib import sha256
from operator import eq
from typing import Final, Protocol

from awase.core.errors import Listing, Problem, raise_if_any
from awase.core.records.abstract import (
    DECOY_MARK,
    AbstractSentence,
    Alternative,
    AssistSettings,
    LoggedSuggestion,
    SentenceAlignment,
)
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic, select_topics

FAMILY: Final = "family"
ANOTHER: Final = "another"
CLOSURE: Final = "closure"
CARRIED: Final = "carried"
# First alternatives; more beside linked ones; linked ones with near-duplicates added; links of a
# similar sentence of another abstract.
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


def own_view(topic: Topic, annotator: str, is_of: Callable[[str, str], bool] = eq) -> Topic:
    """Returns the topic without the gold and others' work: all that a suggester may see.

    `is_of` tells whether the first name's work is the annotator's.
    """
    whose = {one.annotator for abstract in topic.abstracts for one in abstract.alignments}
    is_all_own = all(is_of(one, annotator) for one in whose)
    if is_all_own and not any(abstract.gold for abstract in topic.abstracts):
        return topic
    abstracts = tuple(
        replace(
            abstract,
            alignments=tuple(one for one in abstract.alignments if is_of(one.annotator, annotator)),
            gold=(),
        )
        for abstract in topic.abstracts
    )
    return topic.with_abstracts(abstracts)


class AssistLevel(IntEnum):
    """Assistance levels, cumulative."""

    DOCUMENT_ORDER = 0  # source sentences in document order
    RANKED = 1  # the likeliest first
    MARKS = 2  # uncovered words are marked; missing near-duplicates are reported at confirming
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


_LEAST_TO_HALVE = 4

Items = frozenset[tuple[str, int]]  # (abstract, n) of abstract sentences of one topic


def control_items(settings: AssistSettings, topic: Topic) -> Items:
    """Returns the sentences of a topic that are shown at level 1 whatever is set."""
    return _drawn(settings.control_percent, f"{settings.seed}", topic)


def decoy_items(settings: AssistSettings, topic: Topic) -> Items:
    """Returns the sentences with decoys; none is a control item."""
    drawn = _drawn(settings.decoy_percent, f"{settings.seed}/decoys", topic)
    return drawn - control_items(settings, topic)


def _drawn(percent: int, of_draw: str, topic: Topic) -> Items:
    """Returns a random share of a topic's abstract sentences.

    Stratified by length: the same share of the longer and the shorter half of each abstract's
    sentences. Determined by the draw's name and addresses, hence the same for everybody on every
    machine.
    """
    share = percent / 100
    if not share:
        return frozenset()
    drawn: set[tuple[str, int]] = set()
    for abstract in topic.abstracts:
        by_size = sorted(abstract.sentences, key=lambda one: (len(one.text), one.n))
        half = len(by_size) // 2 if len(by_size) >= _LEAST_TO_HALVE else 0
        for stratum, sentences in enumerate((by_size[:half], by_size[half:])):
            place = f"{of_draw}/{topic.id}/{abstract.id}"
            shuffled = sorted(sentences, key=lambda one: _chance(f"{place}/{one.n}"))
            exact = share * len(shuffled)
            n_drawn = int(exact) + (_chance(f"{place}/stratum {stratum}") < exact - int(exact))
            drawn |= {(abstract.id, one.n) for one in shuffled[:n_drawn]}
    return frozenset(drawn)


def _chance(text: str) -> float:
    """Returns a pseudo-random number in [0, 1) from a text."""
    return int.from_bytes(sha256(text.encode("utf-8")).digest()[:8], "big") / 2**64


# The candidate that is suggested: beyond the nine that have digits, so that few are right.
DECOY_PLACE: Final = 10


def decoy_of(
    suggestion: Suggestion, candidates: Sequence[SentenceRef], entry: SentenceAlignment
) -> Suggestion | None:
    """Returns the suggestion with its members replaced by wrong ones, the likeliest `candidates`.

    What `entry` links is never a decoy. None for lints, and where there are too few candidates.
    """
    known = {*entry.refs(), *(ref for one in suggestion.family for ref in one.members)}
    others = [ref for ref in candidates[DECOY_PLACE - 1 :] if ref not in known]
    if suggestion.kind == CLOSURE or not others:
        return None
    return replace(suggestion, family=(Alternative((others[0],)),))


def decoy_model(version: str) -> str:
    """Returns the model id of decoys in the log."""
    return f"{version} {DECOY_MARK}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDecoy:
    """A decoy that was visible to an annotator working on a sentence."""

    topic: str
    abstract: str
    n: int
    annotator: str
    is_taken: bool


def seen_decoys(corpus: Corpus, log: Iterable[LoggedSuggestion]) -> tuple[SeenDecoy, ...]:
    """Returns the decoys of settled entries, each once, in the order of the log."""
    shown = {
        (row.topic, row.abstract, row.annotator, row.n): row.family for row in log if row.is_decoy
    }
    places: dict[str, list[tuple[str, str, str, int]]] = {}
    for place in shown:
        places.setdefault(place[0], []).append(place)
    found = {}
    for topic in select_topics(corpus.topics, places.keys()):
        for place in places[topic.id]:
            _, abstract_id, who, n = place
            abstract = topic.abstract(abstract_id)
            alignment = abstract.alignment_by(who) if abstract else None
            entry = alignment.of_sentence(n) if alignment else None
            if entry is not None and entry.state.is_settled:
                linked = {frozenset(map(str, one.members)) for one in entry.alternatives}
                decoys = map(frozenset, json.loads(shown[place] or "[]"))
                found[place] = SeenDecoy(
                    topic=topic.id, abstract=abstract_id, n=n, annotator=who,
                    is_taken=any(decoy in linked for decoy in decoys),
                )  # fmt: skip
    return tuple(found[place] for place in shown if place in found)
