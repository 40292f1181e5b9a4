"""The built-in suggesters: closure, lexical-family, other-length, language-model.

`lexical-family` suggests without links the best candidate alone, and the best two together; with
links each alternative with one member replaced by a sentence that covers the same.
docs/assistance.md has the measurements.

`language-model` only looks up answers that `jobs.team.asking_models` cached. An answer is data: one
that names anything but sentences in the prompt is refused as a whole.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import combinations
from operator import attrgetter
from typing import Any, Final

from awase.core.annotation.actions import with_duplicates
from awase.core.annotation.candidates import TopicIndex, keys_of
from awase.core.annotation.evidence import FamilyWeights, Fitted, SentenceEvidence, TopicEvidence
from awase.core.annotation.suggestion import (
    ANOTHER,
    CARRIED,
    CLOSURE,
    FAMILY,
    Suggester,
    SuggesterEntry,
    Suggestion,
)
from awase.core.errors import CorpusFormatError
from awase.core.packages import Extended, Plugins, table_of
from awase.core.records.abstract import AbstractSentence, Alternative, SentenceAlignment
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic

NEARLY_REPEATS: Final = "nearly repeats a linked sentence"

DuplicatesOf = Callable[[SentenceRef], tuple[SentenceRef, ...]]


class Closure:
    """Lints for forgotten members; suggests nothing new in content."""

    def __init__(self, weights: FamilyWeights | None = None) -> None:
        """Takes fitted weights; None = the built-in ones."""
        self._fitted = Fitted(weights, TopicIndex)

    def suggest(
        self, topic: Topic, sentence: AbstractSentence, entry: SentenceAlignment
    ) -> tuple[Suggestion, ...]:
        """Returns at most one: the exchanged alternatives that close the family."""
        del sentence
        if not entry.alternatives:
            return ()
        family = open_exchanges(entry, self._fitted.reading(topic).near_duplicates)
        if not family:
            return ()
        confidence = self._fitted.weights.closure
        return (Suggestion(family=family, confidence=confidence, why=NEARLY_REPEATS, kind=CLOSURE),)


def open_exchanges(
    entry: SentenceAlignment, duplicates_of: DuplicatesOf
) -> tuple[Alternative, ...]:
    """Returns near-duplicates' alternatives missing in `entry`."""
    linked = frozenset(entry.refs())

    def missing(ref: SentenceRef) -> list[SentenceRef]:
        return [other for other in duplicates_of(ref) if other not in linked]

    closed = entry
    for alternative_idx in range(len(entry.alternatives)):
        closed = with_duplicates(closed, alternative_idx, missing)
    return closed.alternatives[len(entry.alternatives) :]


LEXICAL_FAMILY: Final = "lexical-family"
PAIR_POOL: Final = 15  # how many of the best candidates are tried in pairs

EXCHANGE_POOL: Final = 30  # number of best candidates that may replace a linked sentence

# Limit of linked alternatives: more are rare, and each costs time.
MOST_EXCHANGED: Final = 5

MOST_SUGGESTIONS: Final = 5

COVERS_ALONE: Final = "covers the sentence best by itself"
COVER_TOGETHER: Final = "cover the sentence best together"
SAYS_THE_SAME: Final = "says the same as what is linked"


class LexicalFamily:
    """Suggests by shared words; quick enough for every key."""

    def __init__(self, weights: FamilyWeights | None = None) -> None:
        """Takes fitted weights; None = the built-in ones."""
        self._fitted = Fitted(weights, TopicEvidence)

    def suggest(
        self, topic: Topic, sentence: AbstractSentence, entry: SentenceAlignment
    ) -> tuple[Suggestion, ...]:
        """Returns at most five, the surest first."""
        evidence = self._fitted.reading(topic)
        if not evidence.refs:
            return ()
        asked = evidence.of_sentence(sentence.text)
        if not asked.keys:
            return ()
        found = self._others(asked, entry) if entry.alternatives else self._first(asked)
        return tuple(sorted(found, key=lambda one: -one.confidence)[:MOST_SUGGESTIONS])

    def _first(self, asked: SentenceEvidence) -> Iterator[Suggestion]:
        confidence = self._fitted.weights.single.probability(asked.single_features())
        refs = asked.evidence.refs
        yield Suggestion(
            family=(Alternative((refs[asked.order[0]],)),),
            confidence=confidence,
            why=COVERS_ALONE,
            kind=FAMILY,
        )
        pairs = best_pairs(asked)
        if pairs:
            features = features_of_best_pair(asked, pairs, confidence)
            yield Suggestion(
                family=(Alternative(tuple(refs[place] for place in pairs[0])),),
                confidence=self._fitted.weights.pair.probability(features),
                why=COVER_TOGETHER,
                kind=FAMILY,
            )

    def _others(self, asked: SentenceEvidence, entry: SentenceAlignment) -> Iterator[Suggestion]:
        best: dict[frozenset[int], float] = {}
        for members, features in exchanges(asked, entry):
            confidence = self._fitted.weights.another.probability(features)
            best[members] = max(confidence, best.get(members, 0.0))
        for members in sorted(best, key=lambda one: (-best[one], sorted(one)))[:MOST_SUGGESTIONS]:
            refs = tuple(asked.evidence.refs[place] for place in sorted(members))
            yield Suggestion(
                family=(Alternative(refs),),
                confidence=best[members],
                why=SAYS_THE_SAME,
                kind=ANOTHER,
            )


def best_pairs(asked: SentenceEvidence) -> list[tuple[int, int]]:
    """Returns the pairs of the best candidates in which either adds something, the best first."""
    pool = asked.order[:PAIR_POOL]
    scored = [(asked.pair_score(*pair), pair) for pair in combinations(pool, 2)]
    scored.sort(key=lambda one: -one[0])
    return [pair for _, pair in scored if asked.gain(*pair) > 0]


def features_of_best_pair(
    asked: SentenceEvidence, pairs: Sequence[tuple[int, int]], single: float
) -> tuple[float, ...]:
    """Returns the four `PAIR_FEATURES` of the best of `pairs`."""
    runner_up = asked.pair_score(*pairs[1]) if len(pairs) > 1 else 0.0
    return asked.pair_features(*pairs[0], single, runner_up)


def exchanges(
    asked: SentenceEvidence, entry: SentenceAlignment
) -> Iterator[tuple[frozenset[int], tuple[float, ...]]]:
    """Yields members and `ANOTHER_FEATURES` of alternatives with one member replaced.

    Those that contain an existing alternative, or are contained in one, are skipped.
    """
    evidence = asked.evidence
    known = [frozenset(evidence.places(one.members)) for one in entry.alternatives]
    pool = asked.order[:EXCHANGE_POOL]
    for members in [one for one in known if one][:MOST_EXCHANGED]:
        for out in sorted(members):
            rest = sorted(members - {out})
            for into in pool:
                made = frozenset((*rest, into))
                if into not in members and not any(one <= made or made <= one for one in known):
                    yield made, asked.exchange_features(rest, out, into)


OTHER_LENGTH: Final = "other-length"
LINKED_ELSEWHERE: Final = "linked for a similar sentence of another abstract"


class OtherLength:
    """Suggests from the topic's abstract of another length, which states the same facts."""

    def __init__(self, weights: FamilyWeights | None = None) -> None:
        """Takes fitted weights; None = the built-in ones."""
        self._fitted = Fitted(weights, TopicEvidence)

    def suggest(
        self, topic: Topic, sentence: AbstractSentence, entry: SentenceAlignment
    ) -> tuple[Suggestion, ...]:
        """Returns at most one: the new alternatives of the most similar sentence."""
        evidence = self._fitted.reading(topic)
        likes = list(linked_elsewhere(topic, sentence))
        scored = [
            (
                self._fitted.weights.carried.probability(likeness(evidence, sentence.text, text)),
                place,
            )
            for place, (text, _) in enumerate(likes)
        ]
        if not scored:
            return ()
        confidence, place = max(scored, key=lambda one: (one[0], -one[1]))
        known = [alternative.as_set for alternative in entry.alternatives]
        family = tuple(
            alternative
            for alternative in likes[place][1].alternatives
            if not any(one <= alternative.as_set for one in known)
        )
        if not family:
            return ()
        return (
            Suggestion(family=family, confidence=confidence, why=LINKED_ELSEWHERE, kind=CARRIED),
        )


def linked_elsewhere(
    topic: Topic, sentence: AbstractSentence
) -> Iterator[tuple[str, SentenceAlignment]]:
    """Yields text and entry of each linked sentence of other abstracts."""
    # Compared by identity: abstracts of two lengths may contain equal sentences.
    for abstract in topic.abstracts:
        if any(one is sentence for one in abstract.sentences):
            continue
        text_by_n = {one.n: one.text for one in abstract.sentences}
        for alignment in abstract.alignments:
            for entry in alignment.sentences:
                if entry.alternatives:
                    yield text_by_n[entry.n], entry


def likeness(evidence: TopicEvidence, text: str, other: str) -> tuple[float, float]:
    """Returns `CARRIED_FEATURES`: cosine of two abstract sentences, share of the first's idf."""
    own, others = frozenset(keys_of(text)), frozenset(keys_of(other))
    weights = {key: evidence.weight(key) for key in own | others}
    shared = own & others
    product = sum(weights[key] ** 2 for key in shared)
    norms = [sum(weights[key] ** 2 for key in keys) ** 0.5 for keys in (own, others)]
    total = sum(weights[key] for key in own)
    return (
        product / (norms[0] * norms[1] or 1.0),
        sum(weights[key] for key in shared) / (total or 1.0),
    )


LANGUAGE_MODEL: Final = "language-model"
ANSWERED: Final = "answer of a language model"
PROMPT_ID: Final = "language-model-1"  # another one when the text in resources/assist changes

MOST_SHOWN: Final = 60  # how many source sentences are shown, the likeliest

MOST_MEMBERS: Final = 8
# Not calibrated: models' own confidence is unreliable.
CONFIDENCE: Final = 0.5

ANSWER_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "alternatives": {
            "type": "array",
            "items": {
                "type": "array",
                "items": {"type": "integer", "minimum": 1, "maximum": MOST_SHOWN},
                "minItems": 1,
                "maxItems": MOST_MEMBERS,
            },
        },
        "no_source": {"type": "boolean"},
    },
    "required": ["alternatives", "no_source"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The prompt for one abstract sentence."""

    system: str
    user: str  # the sentence, and source sentences with numbers from 1
    refs: tuple[SentenceRef, ...]  # by number

    @property
    def digest(self) -> str:
        """Returns the prompt's digest, the cache key."""
        return hashlib.sha256(f"{self.system}\0{self.user}".encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedAnswer:
    """A cached answer."""

    model: str
    at: str
    text: str


# Returns the cached answer for a prompt's digest; None = none.
Answers = Callable[[str], CachedAnswer | None]


def prompt_for(evidence: TopicEvidence, topic: Topic, sentence: AbstractSentence) -> Prompt:
    """Returns the prompt for an abstract sentence."""
    places = sorted(evidence.of_sentence(sentence.text).order[:MOST_SHOWN])
    texts = [one.text for _, one in topic.sentences()]
    lines = (f"{number}. {_line(texts[at])}" for number, at in enumerate(places, start=1))
    return Prompt(
        system=_system_text(),
        user=f"Summary sentence: {_line(sentence.text)}\n\nSource sentences:\n" + "\n".join(lines),
        refs=tuple(evidence.refs[at] for at in places),
    )


def family_of(answer: str, refs: tuple[SentenceRef, ...]) -> tuple[Alternative, ...]:
    """Parses the alternatives of an answer; empty = no source."""
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise _refused("it is no JSON") from error
    if not isinstance(value, dict) or value.keys() != {"alternatives", "no_source"}:
        raise _refused("it has not the two fields that were asked for")
    sets, is_without = value["alternatives"], value["no_source"]
    if not isinstance(sets, list) or not isinstance(is_without, bool):
        raise _refused("its fields are not of the kinds that were asked for")
    if is_without and sets:
        raise _refused("it says that there is no source and names some")
    family = dict.fromkeys(frozenset(_members(one, len(refs))) for one in sets)
    return tuple(Alternative(tuple(refs[n - 1] for n in sorted(one))) for one in family)


def _members(numbers: object, n_shown: int) -> list[int]:
    if not isinstance(numbers, list) or not 0 < len(numbers) <= MOST_MEMBERS:
        raise _refused(f"an alternative has not 1 to {MOST_MEMBERS} sentences")
    for number in numbers:
        if type(number) is not int or not 1 <= number <= n_shown:
            raise _refused(f"it names {str(number)[:20]}, which is none of the {n_shown} shown")
    return numbers


def _refused(reason: str) -> CorpusFormatError:
    return CorpusFormatError.of(
        "An answer of the language model is invalid: {reason}.",
        "It is ignored. Try another model, or continue without one.",
        reason=reason,
    )


class LanguageModel:
    """Suggests cached answers; without a cache, nothing."""

    def __init__(self, answers: Answers | None = None) -> None:
        """Takes a lookup in the cache; None = no cache."""
        self._answers = answers
        self._topics = Fitted(None, TopicEvidence)

    def suggest(
        self, topic: Topic, sentence: AbstractSentence, entry: SentenceAlignment
    ) -> tuple[Suggestion, ...]:
        """Returns at most one: the alternatives of the answer that the entry lacks."""
        if self._answers is None:
            return ()
        prompt = prompt_for(self._topics.reading(topic), topic, sentence)
        kept = self._answers(prompt.digest)
        if kept is None:
            return ()
        try:
            found = family_of(kept.text, prompt.refs)
        except CorpusFormatError:
            return ()  # a plug-in's failure was reported
        known = [one.as_set for one in entry.alternatives]
        family = tuple(one for one in found if not any(has <= one.as_set for has in known))
        if not family:
            return ()
        one = Suggestion(family=family, confidence=CONFIDENCE, why=ANSWERED, kind=FAMILY)
        kind = ANOTHER if known else FAMILY
        return (replace(one, kind=kind, model=f"{kept.model}@{kept.at[:10]}"),)


@cache
def _system_text() -> str:
    path = files("awase.resources").joinpath("assist", f"{PROMPT_ID}.txt")
    return path.read_text("utf-8").strip()


def _line(text: str) -> str:
    """Returns a text on one line, so that no sentence looks like several."""
    return " ".join(text.split())


_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")

_OWN: Final = table_of(
    attrgetter("name"),
    SuggesterEntry(
        name=LEXICAL_FAMILY,
        what="alternatives by the words that they share with the abstract sentence",
        make=LexicalFamily,
    ),
    SuggesterEntry(
        name=OTHER_LENGTH,
        what="links of similar sentences in the topic's other abstracts",
        make=OtherLength,
    ),
    SuggesterEntry(
        name=CLOSURE,
        what="near-duplicates of linked sentences that are linked nowhere",
        make=Closure,
    ),
    SuggesterEntry(
        name=LANGUAGE_MODEL,
        what="answers of a language model that somebody queried",
        make=LanguageModel,
        version=PROMPT_ID,
    ),
)


def _complaint_of(name: str, added: SuggesterEntry) -> str:
    if added.name != name:
        return f"its suggester is called {added.name}"
    if not _NAME.fullmatch(name):
        return "a name is small letters, digits and hyphens"
    return "this program has a suggester of that name" if name in _OWN else ""


# Suggesters of other packages.
ADDED: Final = Plugins("awase.suggesters", SuggesterEntry, _complaint_of)

SUGGESTERS: Final[Mapping[str, SuggesterEntry]] = Extended(
    _OWN, ADDED, lambda plugin: replace(plugin.added, version=plugin.label)
)

# Those that need nothing but the program.
DEFAULT_SUGGESTERS: Final = tuple(name for name in _OWN if name != LANGUAGE_MODEL)


def build_suggesters(
    names: Iterable[str] = DEFAULT_SUGGESTERS,
    weights: FamilyWeights | None = None,
    answers: Answers | None = None,
) -> dict[str, Suggester]:
    """Returns suggesters for an open corpus, by name; unknown names are skipped.

    They have the project's weights, None = the built-in ones, and a language model's cached
    answers.
    """
    fitted: dict[str, Callable[[FamilyWeights | None], Suggester]] = {
        LEXICAL_FAMILY: LexicalFamily,
        OTHER_LENGTH: OtherLength,
        CLOSURE: Closure,
    }
    made = {
        name: fitted[name](weights) if name in fitted else SUGGESTERS[name].make()
        for name in names
        if name in SUGGESTERS
    }
    if LANGUAGE_MODEL in made and answers is not None:
        made[LANGUAGE_MODEL] = LanguageModel(answers)
    return made
