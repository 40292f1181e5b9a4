"""Every extractor by its name, and what is asked of one, spelled as metrics are."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from operator import attrgetter
from typing import Any, Final, Protocol

from awase.core.errors import InputError, Listing
from awase.core.extraction.background import LOADED_CORPUS
from awase.core.extraction.options import (
    BACKGROUND,
    LAMBDA,
    LIMIT,
    POOL,
    REFERENCE,
    SEED,
    SIZE,
    SIZE_H,
    TOKENS,
)
from awase.core.extraction.sources import Source
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR
from awase.core.metrics.kit.options.option import Chosen, Option, defaults_in
from awase.core.metrics.kit.options.shared import ANNOTATOR, PARSER, STEM, STOP
from awase.core.metrics.kit.signature import BY, MetricRequest, signature_text
from awase.core.metrics.kit.supplies.parses import ANY_PARSER, parser_of
from awase.core.metrics.oracles import options as oracles
from awase.core.metrics.oracles.requests import OracleOptions, oracle_options
from awase.core.metrics.registry import requests_of
from awase.core.oracles.units import SENTENCE
from awase.core.plugins import Extended, Plugins, table_of
from awase.core.records.topic import Topic

ORACLE = "oracle"
_DIGITS_IN_A_NAME = 6

_SIZE: tuple[Option[Any], ...] = (SIZE, ANNOTATOR)
_WORDS: tuple[Option[Any], ...] = (TOKENS, BACKGROUND)


class Choose(Protocol):
    """Chooses sentences of a topic, the same for equal arguments."""

    def __call__(
        self, topic: Topic, sources: Sequence[Source], n: int, options: Mapping[str, str]
    ) -> Sequence[int]:
        """Returns the places of up to n different sentences in `sources`, the best first.

        Args:
            topic: Where the sentences are.
            sources: The sentences that may be chosen, documents by date.
            n: How many are wanted, from 1.
            options: Every option of the extractor, as signatures spell it.

        Raises:
            InputError: Options contradict each other.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Extractor:
    """An extractor as the command line and signatures name it.

    Attributes:
        name: Stable for ever.
        what: One line for lists, in English.
        options: In the order in which signatures spell them.
        choose: What chooses the sentences; None = `running` knows.
        by: The package that adds it, with its version; empty = this program has it.
    """

    name: str
    what: str
    options: tuple[Option[Any], ...] = ()
    choose: Choose | None = None
    by: str = ""

    @property
    def defaults(self) -> dict[str, str]:
        """Returns option to default value, in the order in which signatures spell them."""
        return defaults_in(self.options)


_OWN: Final = table_of(
    attrgetter("name"),
    Extractor(
        name="lead",
        what="first sentence of each document by date, then the second of each, and so on",
        options=_SIZE,
    ),
    Extractor(name="tfidf", what="sentences of highest summed TF-IDF", options=_SIZE + _WORDS),
    Extractor(
        name="cluster",
        what="best of each of h clusters (Ward) of the 3h sentences best by TF-IDF",
        options=(*_SIZE, *_WORDS, POOL),
    ),
    Extractor(
        name="mmr",
        what="the 3h sentences best by TF-IDF, reranked against redundancy",
        options=(*_SIZE, *_WORDS, POOL, LAMBDA),
    ),
    Extractor(
        name=ORACLE,
        what="sentences that share most with one reference, within its limit",
        options=(
            ANNOTATOR,
            REFERENCE,
            PARSER,
            oracles.ORACLE,
            LIMIT,
            STEM,
            STOP,
            oracles.TOKENS,
        ),
    ),
    Extractor(name="random", what="sentences drawn at random", options=(*_SIZE, SEED)),
)


def _with_size(own: tuple[Option[Any], ...]) -> tuple[Option[Any], ...]:
    options: dict[str, Option[Any]] = {one.name: one for one in (*_SIZE, *own)}
    return tuple(options.values())


def _complaint_of(name: str, added: Extractor) -> str:
    if added.name != name:
        return f"its extractor is called {added.name}"
    if name in _OWN:
        return "this program has an extractor of that name"
    return "" if added.choose is not None else "it has nothing that chooses"


ADDED: Final = Plugins("awase.extractors", Extractor, _complaint_of)
"""Extractors of other packages; each has the options `size` and `annotator` besides its own."""

EXTRACTORS: Mapping[str, Extractor] = Extended(
    _OWN,
    ADDED,
    lambda plugin: replace(plugin.added, by=plugin.label, options=_with_size(plugin.added.options)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """An extractor with its options understood.

    Attributes:
        extractor: Its name.
        size: Number of sentences; None = h of the abstract.
        annotator: Whose alignment h is of.
        tokens: As `tokeniser_id` returns it.
        background: Label of DB.
        pool: How many times the size clustering and MMR choose from.
        share: lambda of MMR.
        seed: Of `random`.
        oracle: Of `oracle`; None = another extractor. A limit of None is the reference's own, or h
            sentences when `takes_h`.
        takes_h: Whether the oracle's limit is h sentences.
        reference: Which of the abstracts of a length class the oracle is of, from 1.
        spelled: Every option as signatures spell it.
    """

    extractor: str
    size: int | None
    annotator: str
    tokens: str
    background: str
    pool: int
    share: Fraction
    seed: int
    spelled: tuple[tuple[str, str], ...]
    oracle: OracleOptions | None = None
    takes_h: bool = False
    reference: int = 1

    @property
    def signature(self) -> str:
        """Returns every choice that can change the extract, and the program's version."""
        by = EXTRACTORS[self.extractor].by
        return signature_text(self.extractor, {**dict(self.spelled), **({BY: by} if by else {})})

    @property
    def uses_parses(self) -> bool:
        """Whether what is extracted rests on parses."""
        return self.oracle is not None and self.oracle.n is None

    def parsed_by(self, model: str) -> "Extraction":
        """Returns the same with the model named whose parses are used.

        Raises:
            InputError: Another model's are asked for.
        """
        spelled = dict(self.spelled)
        if "parser" not in spelled:
            return self
        parser = parser_of(spelled["parser"], model) if self.uses_parses else ANY_PARSER
        return replace(self, spelled=tuple((spelled | {"parser": parser}).items()))

    def read_by(self, tokeniser: str) -> "Extraction":
        """Returns the same with the tokeniser named that `auto` comes to in one corpus."""
        if "tokens" not in dict(self.spelled):
            return self
        spelled = dict(self.spelled) | {"tokens": tokeniser}
        oracle = replace(self.oracle, tokens=tokeniser) if self.oracle else None
        return replace(self, tokens=tokeniser, spelled=tuple(spelled.items()), oracle=oracle)

    @property
    def system(self) -> str:
        """Returns the name of the system: the extractor's, and a digest of the options."""
        options = ",".join(f"{option}={value}" for option, value in self.spelled)
        digest = hashlib.sha256(f"{self.extractor}:{options}".encode()).hexdigest()
        return f"{self.extractor}-{digest[:_DIGITS_IN_A_NAME]}"


def needs_of(requests: Iterable[Extraction]) -> tuple[MetricRequest, ...]:
    """Returns metrics that need what the extractions need besides the corpus: its parses."""
    parsers = [dict(one.spelled)["parser"] for one in requests if one.uses_parses]
    return requests_of([f"pseudo-pyramid:oracle=be,parser={parser}" for parser in parsers])


def extractions_of(
    texts: Iterable[str], common: Mapping[str, str] | None = None
) -> tuple[Extraction, ...]:
    """Returns what `lead,mmr:lambda=0.7,pool=4` and the like ask for, each once.

    A comma parts extractors, unless `option=value` without a name follows it.

    Args:
        texts: Each one or more extractors.
        common: Options for all those that have them and say nothing themselves.

    Raises:
        InputError: An extractor, option or value that does not exist.
    """
    requests = [MetricRequest.parse(one) for text in texts for one in _apart(text)]
    return tuple(dict.fromkeys(_understood(request, common or {}) for request in requests))


def _apart(text: str) -> list[str]:
    parts: list[str] = []
    for part in text.split(","):
        if "=" in part and ":" not in part.partition("=")[0] and parts:
            separator = "," if ":" in parts[-1] else ":"
            parts[-1] += separator + part
        elif part.strip():
            parts.append(part)
    return parts


def _understood(request: MetricRequest, common: Mapping[str, str]) -> Extraction:
    extractor = EXTRACTORS.get(request.name)
    if extractor is None:
        problem = ADDED.problem_of(request.name)
        if problem is not None:
            raise InputError([problem])
        close = get_close_matches(request.name, EXTRACTORS, n=1)
        raise InputError.of(
            "There is no extractor “{name}”.",
            "Did you mean “{close}”?" if close else "Use one of {known}.",
            name=request.name,
            close=close[0] if close else "",
            known=Listing(EXTRACTORS),
        )
    options = [one.by_default(common.get(one.name, one.default)) for one in extractor.options]
    chosen = Chosen.of(request, options)
    if extractor.name == ORACLE:
        return _oracle(chosen)
    takes_h = chosen[SIZE] == SIZE_H
    spelled = {**chosen.spelled}
    if not takes_h:
        spelled[ANNOTATOR.name] = FIRST_ANNOTATOR  # without h nobody's alignment is looked at
    return Extraction(
        extractor=extractor.name,
        size=None if takes_h else int(chosen[SIZE]),
        annotator=spelled[ANNOTATOR.name],
        tokens=chosen.get(TOKENS),
        background=chosen.get(BACKGROUND),
        pool=int(chosen.get(POOL)),
        share=chosen.get(LAMBDA),
        seed=int(chosen.get(SEED)),
        spelled=tuple(spelled.items()),
    )


def _oracle(chosen: Chosen) -> Extraction:
    takes_h = chosen[LIMIT] == SIZE_H
    spelled = {**chosen.spelled}
    if not takes_h:
        spelled[ANNOTATOR.name] = FIRST_ANNOTATOR  # without h nobody's alignment is looked at
    limit = None if takes_h else chosen[LIMIT]
    whole = Chosen({**chosen.values, oracles.UNIT.name: SENTENCE, LIMIT.name: limit}, spelled)
    oracle = oracle_options(whole)
    return Extraction(
        extractor=ORACLE,
        size=None,
        annotator=spelled[ANNOTATOR.name],
        tokens=oracle.tokens,
        background=LOADED_CORPUS,
        pool=1,
        share=Fraction(0),
        seed=0,
        oracle=oracle,
        takes_h=takes_h,
        reference=int(chosen[REFERENCE]),
        spelled=tuple(spelled.items()),
    )
