"""The options of oracles, as metrics, extractors and commands have them."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from awase.core.errors import Problem
from awase.core.metrics.kit import metric
from awase.core.metrics.kit.metric import STEM, STOP, Choice, Chosen, Option, pick
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.records.abstract import Limit
from awase.core.text.tokenisers import BY_LANGUAGE, tokeniser_id

SENTENCE, RULES, PARSES, FILE = "sentence", "edu", "edu-parse", "edu-file"
RULES_ID, PARSES_ID = "edu-1", "edu-parse-1"
OF_REFERENCE: Final = "reference"
BE: Final = "be"
UNIT_IDS: Final = {RULES: RULES_ID, PARSES: PARSES_ID}
_LIMIT = re.compile(r"([1-9][0-9]{0,8})([wcs])")
_UNITS_OF_LIMITS: Final = {"w": "words", "c": "characters", "s": "sentences"}


def _unit(text: str) -> str:
    """Returns a splitter with its version, or a file's label."""
    known = (SENTENCE, FILE, *UNIT_IDS, *UNIT_IDS.values())
    if text not in known and not text.startswith(f"{FILE}."):
        raise ValueError(text)
    return UNIT_IDS.get(text, text)


ORACLE: Final = pick(
    "oracle",
    Choice(value="rouge-1", what="words"),
    Choice(value="rouge-2", what="pairs of neighbouring words"),
    Choice(value=BE, what="basic elements"),
    what="what oracles share as much of with their reference as they can",
    default="rouge-2",
)
UNIT: Final[Option[str]] = Option(
    name="unit",
    what="what oracles are made of",
    default=RULES,
    choices=(
        Choice(value=SENTENCE, what="sentences"),
        Choice(value=RULES, what="elementary discourse units, by rules"),
        Choice(value=PARSES, what="elementary discourse units, of parses"),
        Choice(value=FILE, what="elementary discourse units, of a file"),
    ),
    form_what="the version of the rules or the file named, as in signatures",
    read=_unit,
)
TOKENS: Final[Option[str]] = replace(
    metric.TOKENS,
    default=BY_LANGUAGE,
    choices=(
        Choice(value=BY_LANGUAGE, what="words of the topic's language"),
        *metric.TOKENS.choices[1:],
    ),
    read=tokeniser_id,
)


def _limit(text: str) -> Limit | None:
    if text == OF_REFERENCE:
        return None
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return Limit(unit=_UNITS_OF_LIMITS[match[2]], size=int(match[1]))


LIMIT: Final[Option[Limit | None]] = Option(
    name="limit",
    what="how long an oracle may be",
    default=OF_REFERENCE,
    choices=(Choice(value=OF_REFERENCE, what="as long as its reference may be"),),
    form_what="a number of words (w), characters (c) or sentences (s)",
    examples=("100w", "200c"),
    read=_limit,
    spell=lambda limit: OF_REFERENCE if limit is None else f"{limit.size}{limit.unit[0]}",
    refusal=Problem(
        what="limit={value} is not a length.",
        hint="Use limit=reference, or words, characters or sentences from 1: 100w, 200c or 5s.",
    ),
)

ORACLE_OPTIONS: Final = (ORACLE, UNIT, LIMIT, STEM, STOP, TOKENS)


def chosen_with(given: Mapping[str, str]) -> Chosen:
    """Returns the options of oracles, with defaults."""
    return Chosen.of(MetricRequest(name="oracle", options=tuple(given.items())), ORACLE_OPTIONS)
