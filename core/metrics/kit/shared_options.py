"""The options that metrics of several families have; of one name they mean the same in all."""

import re
from typing import Final, Literal

from awase.core.errors import Problem
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR
from awase.core.metrics.kit.metric import (
    ANNOTATORS,
    PARSERS,
    Choice,
    Option,
    decimal,
    pick,
    switch,
)
from awase.core.metrics.kit.supplies import ANY_MODEL, ANY_PARSER, ANY_VECTORS
from awase.core.text.limits import NO_LIMIT, LengthLimit
from awase.core.text.tokenisers import Tokeniser, tokeniser_called

ANY_PACKAGE: Final = "any"

_LIMIT = re.compile(r"([1-9][0-9]{0,8})([wbc])")

ANNOTATOR: Final[Option[str]] = Option(
    name="annotator",
    what="whose alignment is the gold standard",
    default=FIRST_ANNOTATOR,
    choices=(
        Choice(value=FIRST_ANNOTATOR, what="the first one of each abstract"),
        Choice(value="gold", what="what was decided where annotators differ"),
        Choice(value="all", what="everybody's: the mean over all who aligned the abstract"),
    ),
    of_corpus=ANNOTATORS,
)
STEM: Final = switch(
    "stem",
    Choice(value="no", what="words as they are"),
    Choice(value="yes", what="stems, as Porter and WordNet have them"),
    what="whether English words are cut to their stems",
)
STOP: Final = switch(
    "stop",
    Choice(value="no", what="every word counts"),
    Choice(value="yes", what="the stop words of ROUGE-1.5.5 are left out"),
    what="whether stop words count",
)
REFS: Final = pick(
    "refs",
    Choice(value="a", what="counts summed over all references"),
    Choice(value="b", what="the reference that fits best"),
    Choice(value="a-jackknife", what="a, the mean over leaving each out in turn"),
    Choice(value="b-jackknife", what="b, the mean over leaving each out in turn"),
    what="how several references make one score",
)
ALPHA: Final = decimal(
    "alpha",
    lambda value: value <= 1,
    what="what F favours: towards 1 precision, towards 0 recall",
    form_what="a number from 0 to 1",
    examples=("0.5", "0", "1"),
    refusal=Problem(what="Alpha is {value}.", hint="Choose 0 to 1."),
)
AVERAGE: Final = pick(
    "average",
    Choice(value="plain", what="the mean"),
    Choice(value="perl", what="the mean of bootstrap samples, as ROUGE-1.5.5 prints"),
    what="how the mean over topics is made",
)
TOKENS: Final[Option[str]] = Option(
    name="tokens",
    what="what text is cut into",
    default="ascii",
    choices=(
        Choice(value="ascii", what="runs of ASCII letters and digits, as ROUGE-1.5.5"),
        Choice(value="unicode", what="words of any script written with spaces"),
        Choice(value="ja", what="words of Japanese"),
        Choice(value="chars", what="characters, for Japanese and Chinese"),
        Choice(value="blanks", what="what blanks part, for text tokenised before"),
    ),
    form_what="the version of its rules named, as in signatures",
    examples=("unicode-2", "chars-2"),
    read=lambda text: tokeniser_called(text).id,
)
WORDS: Final = pick(
    "words",
    Choice(value="form", what="as they stand in the text"),
    Choice(value="lemma", what="as lemmas"),
    what="how the words of basic elements are written",
)
LABELS: Final = pick(
    "labels",
    Choice(value="auto", what="enhanced ones; basic ones in Japanese sentences"),
    Choice(value="enhanced", what="of the enhanced graph, such as obl:to"),
    Choice(value="basic", what="of the tree"),
    Choice(value="particle", what="of the tree, with Japanese case particles"),
    what="which relations basic elements have",
)
PARSER: Final[Option[str]] = Option(
    name="parser",
    what="whose parses count",
    default=ANY_PARSER,
    choices=(Choice(value=ANY_PARSER, what="those of the model that parsed most"),),
    form_what="the name of a model, as signatures have it",
    of_corpus=PARSERS,
)
VECTORS: Final[Option[str]] = Option(
    name="vectors",
    what="which word vectors are asked for",
    default=ANY_VECTORS,
    choices=(Choice(value=ANY_VECTORS, what="those that are given"),),
    form_what="their name and digest, as signatures have it",
)
MODEL: Final[Option[str]] = Option(
    name="model",
    what="which language model gives words their vectors",
    default=ANY_MODEL,
    choices=(Choice(value=ANY_MODEL, what="the one that is given"),),
    form_what="its folder, or the name of one that was downloaded",
)

# How much of a text counts: a number of words, bytes or characters; None = all of it.
TextLimit = tuple[int, Literal["w", "b", "c"]] | None


def _limit(text: str) -> TextLimit:
    if text == "none":
        return None
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise ValueError(text)
    unit: Literal["w", "b", "c"] = "w" if match[2] == "w" else "b" if match[2] == "b" else "c"
    return int(match[1]), unit


LIMIT: Final[Option[TextLimit]] = Option(
    name="limit",
    what="how much of each text counts",
    default="none",
    choices=(Choice(value="none", what="all of it"),),
    form_what="a number of words (w), characters without white space (c) or bytes (b)",
    examples=("100w", "400c", "665b"),
    read=_limit,
    spell=lambda limit: "none" if limit is None else f"{limit[0]}{limit[1]}",
    refusal=Problem(
        what="limit={value} is not a length.",
        hint="Use limit=none, or a number of words, characters or bytes such as limit=100w, "
        "limit=400c or limit=665b.",
    ),
)


def limit_with(limit: TextLimit, tokeniser: Tokeniser) -> LengthLimit:
    """Returns a limit; where the tokeniser counts words, `100w` are a hundred of its words."""
    if limit is None:
        return NO_LIMIT
    size, unit = limit
    if unit == "w":
        return LengthLimit(tokens=size) if tokeniser.counts_words else LengthLimit(words=size)
    return LengthLimit(bytes=size) if unit == "b" else LengthLimit(characters=size)
