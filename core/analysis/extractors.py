"""A topic's sentences as extractors see them; their registry, and options as metrics spell them."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from math import log
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Protocol

from awase.core.errors import InputError, Listing, Problem
from awase.core.metrics.kit import oracle_choices
from awase.core.metrics.kit.metric import (
    ANNOTATOR,
    PARSER,
    STEM,
    STOP,
    Choice,
    Chosen,
    Option,
    defaults_in,
    share,
    whole,
)
from awase.core.metrics.kit.oracle_choices import SENTENCE
from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR
from awase.core.metrics.kit.signature import BY, MetricRequest, signature_text
from awase.core.metrics.kit.supplies import parser_of
from awase.core.metrics.oracles import OracleOptions, oracle_options
from awase.core.metrics.registry import requests_of
from awase.core.packages import Extended, Plugins, table_of
from awase.core.records.abstract import Limit
from awase.core.records.source import Document, SentenceRef
from awase.core.records.topic import Topic
from awase.core.text.dates import readings_of_date
from awase.core.text.tokenisers import tokeniser_called

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


LOADED_CORPUS = "corpus"
SIZE_H: Final = "h"
_COUNT = r"0*[1-9][0-9]{0,5}"
_NO_NUMBER = Problem(
    what="{option}={value} is not a valid number.",
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
TOKENS: Final = oracle_choices.TOKENS
BACKGROUND: Final[Option[str]] = Option(
    name="background",
    what="source of the document frequencies",
    default=LOADED_CORPUS,
    choices=(Choice(value=LOADED_CORPUS, what="the corpus itself"),),
)
POOL: Final = whole(
    "pool",
    _COUNT,
    what="candidates to choose from, as a multiple of the size",
    form_what="a whole number from 1",
    examples=("3",),
    refusal=_NO_NUMBER,
)
LAMBDA: Final = share(
    "lambda",
    lambda value: value <= 1,
    what="what MMR favours: near 1 importance, near 0 novelty",
    form_what="a number from 0 to 1",
    examples=("0.5", "0.7"),
    refusal=Problem(what="lambda={value} is not from 0 to 1.", hint="Try lambda=0.5."),
)
REFERENCE: Final = whole(
    "reference",
    _COUNT,
    what="which abstract of a length class the oracle is for",
    form_what="a whole number from 1",
    examples=("1",),
    refusal=_NO_NUMBER,
)
SEED: Final = whole(
    "seed",
    r"[0-9]{1,18}",
    what="seed of the random draw",
    form_what="a whole number from 0",
    examples=("0",),
    refusal=_NO_NUMBER,
)


def _limit(text: str) -> Limit | str | None:
    return text if text == SIZE_H else oracle_choices.LIMIT.read(text)


LIMIT: Final[Option[Limit | str | None]] = Option(
    name="limit",
    what=oracle_choices.LIMIT.what,
    default=oracle_choices.LIMIT.default,
    choices=(
        *oracle_choices.LIMIT.choices,
        Choice(value=SIZE_H, what="as many sentences as a minimal cover has"),
    ),
    form_what=oracle_choices.LIMIT.form_what,
    examples=oracle_choices.LIMIT.examples,
    read=_limit,
    spell=lambda limit: limit if isinstance(limit, str) else oracle_choices.LIMIT.spell(limit),
    refusal=oracle_choices.LIMIT.refusal,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source sentence that may be extracted.

    Attributes:
        place: Its position in its document, from 0.
    """

    ref: SentenceRef
    text: str
    place: int


def sources_by_date(topic: Topic) -> list[Source]:
    """Returns the sentences, documents by date ascending, undated ones last."""
    return [
        Source(ref=SentenceRef(document.id, sentence.n), text=sentence.text, place=place)
        for document in sorted(topic.documents, key=_date)
        for place, sentence in enumerate(document.sentences)
        if sentence.text.strip()
    ]


def _date(document: Document) -> tuple[int, str]:
    readings = readings_of_date(document.date or "")
    if len(readings) == 1:
        return 0, readings[0]
    return (1, document.date) if document.date else (2, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequencies:
    """Document frequencies under one tokeniser."""

    n_documents: int  # |DB|, at least 1
    by_token: Mapping[str, int]  # df(t), 1 to |DB|


class Bags:
    """The sentences of a topic as bags of tokens."""

    def __init__(self, sources: Sequence[Source], tokeniser: str, frequencies: Frequencies) -> None:
        tokens_of = tokeniser_called(tokeniser).tokens
        self.sources = sources  # in order of precedence at ties
        self.counts = [Counter(tokens_of(source.text)) for source in sources]
        self.scores = _importance(self.counts, frequencies)  # S of equation 9

    @cached_property
    def best_first(self) -> list[int]:
        """Indices of the sentences by falling score."""
        return sorted(range(len(self.scores)), key=lambda idx: -self.scores[idx])

    def unit_vectors(self, sentences: Sequence[int]) -> "Floats":
        """Returns (n, n_tokens) raw counts, each row of length 1; of no tokens, all 0."""
        import numpy as np

        columns: dict[str, int] = {}
        for idx in sentences:
            for token in self.counts[idx]:
                columns.setdefault(token, len(columns))
        vectors = np.zeros((len(sentences), max(1, len(columns))))
        for row, idx in enumerate(sentences):
            for token, count in self.counts[idx].items():
                vectors[row, columns[token]] = count
        norms = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        np.divide(vectors, norms, out=vectors, where=norms > 0)
        return vectors


def _importance(counts: Sequence[Counter[str]], frequencies: Frequencies) -> list[float]:
    """Returns S(s) = sum over the tokens t of s of tf(t, DS) log(|DB| / df(t)).

    A repeated token counts each time; not normalised by length.

    Source: Hirao et al. (2004), equations 9 and 10.
    """
    total: Counter[str] = Counter()
    for of_sentence in counts:
        total.update(of_sentence)
    n, frequency = frequencies.n_documents, frequencies.by_token
    # A token that DB lacks counts as if one more document had it.
    weight = {token: tf * log(n / frequency.get(token, 1)) for token, tf in total.items()}
    return [
        sum(count * weight[token] for token, count in of_sentence.items()) for of_sentence in counts
    ]


def lead(sources: Sequence[Source], n: int) -> list[int]:
    """Returns the first sentence of each document by date, then the second of each, and so on.

    Source: Hirao et al. (2004), section 4.2.1.
    """
    return sorted(range(len(sources)), key=lambda idx: sources[idx].place)[:n]


def at_random(sources: Sequence[Source], n: int, rng: "np.random.Generator") -> list[int]:
    """Returns sentences drawn without replacement; of one generator, fewer are the first ones."""
    return [int(idx) for idx in rng.permutation(len(sources))[:n]]


def seeded(seed: int, topic: str) -> "np.random.Generator":
    """Returns one topic's generator, independent of other topics."""
    import numpy as np

    digest = hashlib.sha256(topic.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])


def clustered(bags: Bags, n: int, pool: int) -> list[int]:
    """Returns the best sentence of each of n clusters of the best `pool` * n, best first.

    Source: Hirao et al. (2004), section 4.3.
    """
    chosen = bags.best_first[: pool * n]
    if len(chosen) <= n or n < 1:
        return chosen[:n]
    from scipy.cluster.hierarchy import linkage  # 0.4 s to import

    merges = linkage(bags.unit_vectors(chosen), "ward")
    clusters: dict[int, list[int]] = {row: [row] for row in range(len(chosen))}
    # Not fcluster(maxclust), which returns fewer clusters where merges are tied.
    for step in range(len(chosen) - n):
        one, other = int(merges[step, 0]), int(merges[step, 1])
        clusters[len(chosen) + step] = clusters.pop(one) + clusters.pop(other)
    return [chosen[row] for row in sorted(min(rows) for rows in clusters.values())]


def mmr(bags: Bags, n: int, pool: int, share: float) -> list[int]:
    """Returns the best `pool` * n reranked by Maximal Marginal Relevance, as far as n.

    Each step selects the sentence of highest `share` * S / max S - (1 - share) * (highest cosine to
    a selected one).

    Source: Hirao et al. (2004), section 4.3, after Carbonell and Goldstein (1998). The paper does
        not give the share, nor how the two parts are scaled.
    """
    import numpy as np

    chosen = bags.best_first[: pool * n]
    if not chosen:
        return []
    vectors = bags.unit_vectors(chosen)
    cosines = vectors @ vectors.T
    highest = max(bags.scores[chosen[0]], 0.0) or 1.0
    worth = share * np.array([bags.scores[idx] for idx in chosen]) / highest
    likeness = np.zeros(len(chosen))
    ranked: list[int] = []
    is_left = np.ones(len(chosen), np.bool_)
    earlier_first = np.argsort(chosen, kind="stable")
    while len(ranked) < min(n, len(chosen)):
        value = np.where(is_left, worth - (1 - share) * likeness, -np.inf)[earlier_first]
        # Rounding must not decide between equals.
        row = int(earlier_first[int(np.argmax(value >= value.max() - 1e-12))])
        ranked.append(chosen[row])
        is_left[row] = False
        likeness = np.maximum(likeness, cosines[row])
    return ranked


ORACLE = "oracle"
_DIGITS_IN_A_NAME = 6

_SIZE: tuple[Option[Any], ...] = (SIZE, ANNOTATOR)
_WORDS: tuple[Option[Any], ...] = (TOKENS, BACKGROUND)


class Choose(Protocol):
    """Chooses sentences of a topic, the same for equal arguments."""

    def __call__(
        self, topic: Topic, sources: Sequence[Source], n: int, options: Mapping[str, str]
    ) -> Sequence[int]:
        """Returns the positions of up to n different sentences in `sources`, the best first.

        These are the sentences that may be chosen, documents by date.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Extractor:
    """An extractor as the command line and signatures name it.

    Attributes:
        options: In the order in which signatures spell them.
        choose: Selects the sentences; None = built into `running`.
        by: The package that adds it, with its version; empty = built in.
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
            oracle_choices.ORACLE,
            LIMIT,
            STEM,
            STOP,
            oracle_choices.TOKENS,
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


# Extractors of plug-ins; each has the options `size` and `annotator` besides its own.
ADDED: Final = Plugins("awase.extractors", Extractor, _complaint_of)

EXTRACTORS: Mapping[str, Extractor] = Extended(
    _OWN,
    ADDED,
    lambda plugin: replace(plugin.added, by=plugin.label, options=_with_size(plugin.added.options)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """An extractor with parsed options."""

    extractor: str
    size: int | None  # number of sentences; None = h of the abstract
    annotator: str
    tokens: str
    background: str
    pool: int
    share: Fraction
    seed: int
    spelled: tuple[tuple[str, str], ...]
    # Of `oracle`; None = another extractor. A limit of None is the reference's own, or h sentences
    # when `takes_h`.
    oracle: OracleOptions | None = None
    takes_h: bool = False
    reference: int = 1  # which of the abstracts of a length class the oracle is of, from 1

    @property
    def signature(self) -> str:
        """Returns every choice that can change the extract, and the program's version."""
        by = EXTRACTORS[self.extractor].by
        return signature_text(self.extractor, {**dict(self.spelled), **({BY: by} if by else {})})

    @property
    def uses_parses(self) -> bool:
        """Whether the extraction needs parses."""
        return self.oracle is not None and self.oracle.n is None

    def parsed_by(self, model: str) -> "Extraction":
        """Returns a copy with the model of the parses."""
        spelled = dict(self.spelled)
        if "parser" not in spelled:
            return self
        parser = parser_of(spelled["parser"], model, are_needed=self.uses_parses)
        return replace(self, spelled=tuple((spelled | {"parser": parser}).items()))

    def read_by(self, tokeniser: str) -> "Extraction":
        """Returns a copy with the tokeniser that `auto` resolved to."""
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
    """Returns metrics with the same resources as the extractions: parses."""
    parsers = [dict(one.spelled)["parser"] for one in requests if one.uses_parses]
    return requests_of([f"pseudo-pyramid:oracle=be,parser={parser}" for parser in parsers])


def extractions_of(
    texts: Iterable[str], common: Mapping[str, str] | None = None
) -> tuple[Extraction, ...]:
    """Parses `lead,mmr:lambda=0.7,pool=4` and the like, without duplicates.

    A comma separates extractors, unless `option=value` without a name follows it.
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
        spelled[ANNOTATOR.name] = FIRST_ANNOTATOR  # alignments do not matter without h
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
        spelled[ANNOTATOR.name] = FIRST_ANNOTATOR  # alignments do not matter without h
    limit = None if takes_h else chosen[LIMIT]
    whole = Chosen(
        {**chosen.values, oracle_choices.UNIT.name: SENTENCE, LIMIT.name: limit}, spelled
    )
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
