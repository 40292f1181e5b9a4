"""`language-model`: suggestions from cached answers of a language model.

Prompts and parsing are here; `jobs.team.asking_models` queries. Nothing is sent anywhere during
annotation. An answer is data: one that names anything but sentences in the prompt is refused as a
whole.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from awase.core.assist.evidence import TopicEvidence
from awase.core.assist.suggestion import ANOTHER, FAMILY, Suggestion
from awase.core.assist.weights import Fitted
from awase.core.errors import CorpusFormatError
from awase.core.records.abstract import AbstractSentence
from awase.core.records.alignment import Alternative, SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic

LANGUAGE_MODEL: Final = "language-model"
ANSWERED: Final = "a language model answered so"
PROMPT_ID: Final = "language-model-1"  # another one when the text in resources/assist changes

MOST_SHOWN: Final = 60  # how many source sentences are shown, the likeliest

MOST_MEMBERS: Final = 8
# Not calibrated: models say nothing of how sure they are that could be relied on.
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
    refs: tuple[SentenceRef, ...]  # what each number stands for

    @property
    def digest(self) -> str:
        """Returns the prompt's digest, the cache key."""
        return hashlib.sha256(f"{self.system}\0{self.user}".encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """A cached answer."""

    model: str
    at: str
    text: str


# Returns the answer kept for the digest of a prompt; None = there is none.
Answers = Callable[[str], KeptAnswer | None]


def prompt_for(evidence: TopicEvidence, topic: Topic, sentence: AbstractSentence) -> Prompt:
    """Returns the prompt for an abstract sentence."""
    places = sorted(evidence.asked(sentence.text).order[:MOST_SHOWN])
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
        "An answer of the language model is refused: {reason}.",
        "Nothing of it is used. Try another model, or go on without.",
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
            return ()  # whoever asked was told
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
