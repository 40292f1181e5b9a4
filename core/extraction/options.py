"""The options of extractors; of one name they mean the same in every extractor that has them."""

from typing import Final

from awase.core.errors import Problem
from awase.core.extraction.background import LOADED_CORPUS
from awase.core.metrics.kit.options.option import Choice, Option, share, whole
from awase.core.metrics.oracles import options as oracles
from awase.core.records.abstract import Limit

SIZE_H: Final = "h"
_COUNT = r"0*[1-9][0-9]{0,5}"
_NO_NUMBER = Problem(
    what="{option}={value} is not a number that can be used.",
    hint="Write a whole number such as {option}=3.",
)

SIZE: Final = whole(
    "size",
    _COUNT,
    Choice(value=SIZE_H, what="as many as a minimal cover has"),
    what="how many sentences are extracted",
    form_what="a whole number from 1",
    examples=("5", "10"),
    refusal=Problem(
        what="size={value} is not a number of sentences.",
        hint="Use size=h, the size of a minimal cover, or a number from 1 to 999999.",
    ),
)
TOKENS: Final = oracles.TOKENS
BACKGROUND: Final[Option[str]] = Option(
    name="background",
    what="where document frequencies are from",
    default=LOADED_CORPUS,
    choices=(Choice(value=LOADED_CORPUS, what="the corpus itself"),),
)
POOL: Final = whole(
    "pool",
    _COUNT,
    what="from how many times the size is chosen",
    form_what="a whole number from 1",
    examples=("3",),
    refusal=_NO_NUMBER,
)
LAMBDA: Final = share(
    "lambda",
    lambda value: value <= 1,
    what="what MMR favours: towards 1 importance, towards 0 novelty",
    form_what="a number from 0 to 1",
    examples=("0.5", "0.7"),
    refusal=Problem(what="lambda={value} is not from 0 to 1.", hint="Try lambda=0.5."),
)
REFERENCE: Final = whole(
    "reference",
    _COUNT,
    what="which abstract of a length class the oracle is of",
    form_what="a whole number from 1",
    examples=("1",),
    refusal=_NO_NUMBER,
)
SEED: Final = whole(
    "seed",
    r"[0-9]{1,18}",
    what="what random sentences are drawn with",
    form_what="a whole number from 0",
    examples=("0",),
    refusal=_NO_NUMBER,
)


def _limit(text: str) -> Limit | str | None:
    return text if text == SIZE_H else oracles.LIMIT.read(text)


def _limit_text(limit: Limit | str | None) -> str:
    return limit if isinstance(limit, str) else oracles.LIMIT.spell(limit)


LIMIT: Final[Option[Limit | str | None]] = Option(
    name="limit",
    what=oracles.LIMIT.what,
    default=oracles.LIMIT.default,
    choices=(
        *oracles.LIMIT.choices,
        Choice(value=SIZE_H, what="as many sentences as a minimal cover has"),
    ),
    form_what=oracles.LIMIT.form_what,
    examples=oracles.LIMIT.examples,
    read=_limit,
    spell=_limit_text,
    refusal=oracles.LIMIT.refusal,
)
