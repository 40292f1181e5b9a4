"""Options of oracles as metrics, extractors and commands spell them, understood and checked."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from awase.core.errors import InputError
from awase.core.metrics.kit.option_values import choice_of
from awase.core.metrics.rouge.tokens.preparation import Preparation
from awase.core.oracles.splitters import FILE, PARSES, PARSES_ID, RULES, RULES_ID, SENTENCE
from awase.core.records.abstract import Limit
from awase.core.text.tokens.languages import cut_of, tokeniser_id

OF_REFERENCE = "reference"
BE = "be"
ORACLE_DEFAULTS: Mapping[str, str] = {
    "oracle": "rouge-2",
    "unit": RULES,
    "limit": OF_REFERENCE,
    "stem": "no",
    "stop": "no",
    "tokens": "auto",
}
"""Option to default value, in the order in which signatures spell them."""

_LIMIT = re.compile(r"([1-9][0-9]{0,8})([wcs])")
_UNITS_OF_LIMITS = {"w": "words", "c": "characters", "s": "sentences"}
_UNIT_IDS = {RULES: RULES_ID, PARSES: PARSES_ID}

Tokens = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleOptions:
    """What an oracle maximises, of which units, within which limit.

    Attributes:
        n: Of the n-grams; None = basic elements.
        unit: `sentence`, `edu`, `edu-parse` or `edu-file`.
        limit: None = the reference's own.
        stem: Whether tokens of four letters or more are stemmed, as ROUGE does.
        stop: Whether stop words are dropped, as ROUGE does.
        tokens: As `tokeniser_id` returns it.
    """

    n: int | None
    unit: str
    limit: Limit | None
    stem: bool
    stop: bool
    tokens: str

    def tokens_with(self, tokeniser: str) -> Tokens:
        """Returns what makes the tokens of a text that are counted.

        Raises:
            InputError: The tokens have no stems or stop words.
        """
        split, drops_stop_words = cut_of(tokeniser, stem=self.stem, stop=self.stop)
        drops_here = self.stop and not drops_stop_words
        reduced = Preparation(stem=self.stem, drops_stop_words=drops_here).reduction()
        if reduced is None:
            return split
        return lambda text: [word for token in split(text) if (word := reduced(token))]


def oracle_options(chosen: dict[str, str]) -> OracleOptions:
    """Returns the options in `chosen`, which are put into their full spelling there.

    Raises:
        InputError: A value does not exist, or values contradict each other.
    """
    oracle = choice_of(chosen, "oracle", "rouge-1", "rouge-2", BE)
    spelled = chosen["unit"]
    unit = next((name for name, full in _UNIT_IDS.items() if spelled == full), spelled)
    if not unit.startswith(f"{FILE}."):
        unit = choice_of(chosen | {"unit": unit}, "unit", SENTENCE, RULES, PARSES, FILE)
    limit = _limit(chosen["limit"])
    if limit is not None and limit.unit == "sentences" and unit != SENTENCE:
        raise InputError.of(
            "limit={limit} counts sentences, but oracles of unit={unit} choose parts of sentences.",
            "Give a limit in words (100w) or characters (200c), or choose unit=sentence.",
            limit=chosen["limit"],
            unit=unit,
        )
    options = OracleOptions(
        n=None if oracle == BE else int(oracle[-1]),
        unit=unit.partition(".")[0],
        limit=limit,
        stem=choice_of(chosen, "stem", "no", "yes") == "yes",
        stop=choice_of(chosen, "stop", "no", "yes") == "yes",
        tokens=tokeniser_id(chosen["tokens"]),
    )
    if options.n is None and (options.stem or options.stop):
        raise InputError.of(
            "Basic elements have neither stems nor stop words here.",
            "Leave stem and stop out, or choose oracle=rouge-2.",
        )
    chosen["unit"] = _UNIT_IDS.get(unit, unit)
    chosen["tokens"] = options.tokens
    return options


def _limit(text: str) -> Limit | None:
    if text == OF_REFERENCE:
        return None
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise InputError.of(
            "limit={value} is not a length.",
            "Use limit=reference, or words, characters or sentences from 1: 100w, 200c or 5s.",
            value=text,
        )
    return Limit(unit=_UNITS_OF_LIMITS[match[2]], size=int(match[1]))


def limit_text(limit: Limit) -> str:
    """Returns a limit as people and files read it."""
    return f"{limit.size} {limit.unit}"
