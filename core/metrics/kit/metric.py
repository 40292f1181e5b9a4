"""The interface of a metric: name, options, resources, family; and the options that several have.

Parsing, signatures, error messages, `awase metrics`, forms and docs all follow from an option's one
declaration. Those of several families mean the same in all.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Generic, Literal, TypeVar, cast

from awase.core.errors import InputError, Listing, Problem
from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR
from awase.core.metrics.kit.signature import MetricRequest, signature_text, weight_of, weight_text
from awase.core.metrics.kit.supplies import ANY_MODEL, ANY_PARSER, ANY_VECTORS
from awase.core.text.script import clusters
from awase.core.text.tokenisers import Tokeniser, tokeniser_called

_BLANKS = re.compile(rb"[ \t\n\r\f\v]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthLimit:
    """How much of a summary counts; 0 = no limit."""

    # White-space separated words of the raw text (`-l`); `well-known` and a lone `--` are one each.
    words: int = 0
    bytes: int = 0  # bytes of the raw text in UTF-8, blanks between sentences not counted (`-b`)
    characters: int = 0  # characters of the raw text that are not white space
    # Words of the tokeniser; tokens are cut later, not here.
    tokens: int = 0

    def __post_init__(self) -> None:
        if sum(map(bool, (self.words, self.bytes, self.characters, self.tokens))) > 1:
            raise InputError.of("Limits in words, bytes and characters exclude each other.")


NO_LIMIT = LengthLimit()


def running_text(sentences: Sequence[bytes], limit: LengthLimit) -> list[bytes]:
    """Returns the running text within the limit, in pieces to be joined by blanks."""
    if limit.bytes:
        return _first_bytes(sentences, limit.bytes)
    return _cut_alike(sentences, limit)


def sentences_apart(sentences: Sequence[bytes], limit: LengthLimit) -> list[bytes]:
    """Returns the sentences within the limit.

    Differs: from expectation as the program does: a byte limit is not accumulated, so that every
    sentence
        shorter than the limit is whole, and the first other one is cut there and is the last.
    """
    if not limit.bytes:
        return _cut_alike(sentences, limit)
    taken: list[bytes] = []
    for sentence in sentences:
        taken.append(sentence[: limit.bytes])
        if len(sentence) >= limit.bytes:
            break
    return taken


def cuts_a_character(sentences: Sequence[bytes], n_bytes: int) -> bool:
    """Returns whether a byte limit splits a UTF-8 character, in either form.

    >>> cuts_a_character(["犬が走った。".encode()], 4)
    True
    """
    limit = LengthLimit(bytes=n_bytes)
    return any(
        _continues_character(sentence[len(piece) :])
        for taken in (running_text(sentences, limit), sentences_apart(sentences, limit))
        for sentence, piece in zip(sentences, taken, strict=False)
    )


def _continues_character(rest: bytes) -> bool:
    return bool(rest) and rest[0] & 0xC0 == 0x80


def _cut_alike(sentences: Sequence[bytes], limit: LengthLimit) -> list[bytes]:
    """Returns the text within limits for which both forms agree."""
    if limit.characters:
        return _first_characters(sentences, limit.characters)
    return first_words(sentences, limit.words)


def first_words(sentences: Sequence[bytes], n_words: int) -> list[bytes]:
    """Returns the sentences up to the limit; a blank at a sentence's start counts as a word."""
    if not n_words:
        return list(sentences)
    taken: list[bytes] = []
    room = n_words
    for sentence in sentences:
        words = _BLANKS.split(sentence)
        while words and not words[-1]:
            words.pop()
        if len(words) >= room:
            return [*taken, b" ".join(words[:room])]
        taken.append(sentence)
        room -= len(words)
    return taken


def _first_bytes(sentences: Sequence[bytes], n_bytes: int) -> list[bytes]:
    taken: list[bytes] = []
    room = n_bytes
    for sentence in sentences:
        if len(sentence) >= room:
            return [*taken, sentence[:room]]
        taken.append(sentence)
        room -= len(sentence)
    return taken


def _first_characters(sentences: Sequence[bytes], n_characters: int) -> list[bytes]:
    taken: list[bytes] = []
    room = n_characters
    for sentence in sentences:
        # Bytes that are no UTF-8 count one each.
        text = sentence.decode("utf-8", "surrogateescape")
        counted = [end for start, end in clusters(text) if not text[start].isspace()]
        if len(counted) >= room:
            kept = text[: counted[room - 1]]
            return [*taken, kept.encode("utf-8", "surrogateescape")]
        taken.append(sentence)
        room -= len(counted)
    return taken


def as_bytes(text: str | bytes) -> bytes:
    """Encodes as UTF-8; unencodable characters separate tokens and count one byte."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "replace")


# Kinds of names as option values: annotators, parse models.
ANNOTATORS, PARSERS = "annotators", "parsers"

Value = TypeVar("Value")

_DECIMAL = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,15})?")
_NOT_A_CHOICE: Final = Problem(
    what="{option}={value} is not a choice.", hint="Use {first} or {last}."
)
_NOT_A_NUMBER: Final = Problem(
    what="{option}={value} is not a number.", hint="Write a decimal such as {option}=1.2."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A named value of an option, described in one line of English."""

    value: str
    what: str


def _as_written(text: str) -> Any:  # noqa: ANN401 (the value of an option nobody reads is its text)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Generic[Value]):
    """An option of a metric or an extractor; equality is by meaning.

    Attributes:
        form_what: Describes other values than `choices`, in one line of English; empty = none.
        of_corpus: `ANNOTATORS` or `PARSERS` when other values are names in the corpus; else empty.
        refusal: Error for an invalid value, with the fields `option` and `value`.
    """

    name: str
    what: str
    default: str = field(compare=False)
    choices: tuple[Choice, ...] = ()
    form_what: str = ""
    examples: tuple[str, ...] = ()
    of_corpus: str = ""
    read: Callable[[str], Value] = field(default=_as_written, compare=False)
    spell: Callable[[Value], str] = field(default=str, compare=False)
    refusal: Problem = field(default=_NOT_A_CHOICE, compare=False)

    def value(self, text: str) -> Value:
        """Returns the value that a text spells."""
        try:
            return self.read(text)
        except ValueError:
            refused = self.refusal
        spelled = [f"{self.name}={choice.value}" for choice in self.choices]
        fields = {"option": self.name, "value": text, **refused.fields}
        if refused is _NOT_A_CHOICE:
            fields |= {"first": Listing(spelled[:-1]), "last": spelled[-1]}
        raise InputError([replace(refused, fields=fields)])

    def listed_values(self) -> list[tuple[str, str]]:
        """Returns (value, description) for lists; a form stands for many."""
        values = [(choice.value, choice.what) for choice in self.choices]
        if self.form_what:
            values.append(("|".join(self.examples) or "…", self.form_what))
        if self.of_corpus:
            values.append(("NAME", f"one of the corpus's {self.of_corpus}"))
        return values

    def by_default(self, text: str) -> "Option[Value]":
        """Returns a copy with another default."""
        return replace(self, default=text)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Parsed values of all options."""

    values: Mapping[str, Any]  # as read, by name
    spelled: Mapping[str, str]  # as signatures have them, in their order

    @classmethod
    def of(cls, request: MetricRequest, options: Sequence[Option[Any]]) -> "Chosen":
        """Parses a request, with defaults."""
        texts = request.chosen(defaults_in(options))
        values = {one.name: one.value(texts[one.name]) for one in options}
        return cls(values, {one.name: one.spell(values[one.name]) for one in options})

    @classmethod
    def of_family(cls, request: MetricRequest, metrics: "Sequence[Metric]") -> "Chosen":
        """Parses a request for one of a family's metrics."""
        (options,) = (metric.options for metric in metrics if metric.name == request.name)
        return cls.of(request, options)

    def __contains__(self, option: Option[Any]) -> bool:
        return option.name in self.values

    def __getitem__(self, option: Option[Value]) -> Value:
        return cast(Value, self.values[option.name])

    def get(self, option: Option[Value]) -> Value:
        """Returns the value of an option, or its default."""
        return self[option] if option in self else option.value(option.default)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ParsedRequest:
    """A metric with its options read; compared by identity."""

    metric: str
    spelled: Mapping[str, str] = field(compare=False)  # the options, as signatures have them
    tokens: str = ""  # name of the tokeniser, such as `ascii`; empty = words are not counted
    limit: LengthLimit = NO_LIMIT  # of texts

    @property
    def signature(self) -> str:
        """Returns the signature of its values, without facts about the data."""
        return signature_text(self.metric, self.spelled)


def defaults_in(options: Iterable[Option[Any]]) -> dict[str, str]:
    """Returns name to default, in the order in which signatures spell them."""
    return {option.name: option.default for option in options}


def pick(name: str, *choices: Choice, what: str, default: str = "") -> Option[str]:
    """Returns an option with named values only; the first one is the default.

    Args:
        choices: Its values, at least one.
        default: One of the values; empty = the first.

    Its `read` raises ValueError for any other text, which `Option` turns into a refusal.
    """
    values = frozenset(choice.value for choice in choices)

    def read(text: str) -> str:
        if text not in values:
            raise ValueError(text)
        return text

    return Option(
        name=name, what=what, default=default or choices[0].value, choices=choices, read=read
    )


def switch(name: str, *choices: Choice, what: str) -> Option[bool]:
    """Returns an option with the values `yes` and `no`; the first one is the default."""
    picked: Option[Any] = pick(name, *choices, what=what)
    return replace(
        picked,
        read=lambda text: picked.read(text) == "yes",
        spell=lambda is_on: "yes" if is_on else "no",
    )


def decimal(
    name: str,
    holds: Callable[[Decimal], bool],
    *,
    what: str,
    form_what: str,
    examples: tuple[str, ...],
    refusal: Problem,
) -> Option[Decimal]:
    """Returns an option that takes decimals; the first example is the default.

    Its `read` raises InputError for a text that is no decimal, ValueError where `holds` is False,
    which `Option` turns into `refusal`.
    """

    def read(text: str) -> Decimal:
        if not _DECIMAL.fullmatch(text):
            fields = {"option": name, "value": text}
            raise InputError([replace(_NOT_A_NUMBER, fields=fields)])
        return Decimal(text)

    return Option(
        name=name,
        what=what,
        default=examples[0],
        form_what=form_what,
        examples=examples,
        read=_within(holds, read),
        spell=lambda value: f"{value.normalize():f}",
        refusal=refusal,
    )


def share(
    name: str,
    holds: Callable[[Fraction], bool],
    *,
    what: str,
    form_what: str,
    examples: tuple[str, ...],
    refusal: Problem,
) -> Option[Fraction]:
    """Returns an option that takes fractions, spelled `0.6` or `1:7`; otherwise as `decimal`."""
    return Option(
        name=name,
        what=what,
        default=examples[0],
        form_what=form_what,
        examples=examples,
        read=_within(holds, weight_of),
        spell=weight_text,
        refusal=refusal,
    )


def _within(holds: Callable[[Value], bool], read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Returns a reader that validates with `holds`."""

    def checked(text: str) -> Value:
        value = read(text)
        if not holds(value):
            raise ValueError(text)
        return value

    return checked


def whole(
    name: str,
    form: str,
    *choices: Choice,
    what: str,
    form_what: str,
    examples: tuple[str, ...],
    refusal: Problem,
) -> Option[int | str]:
    """Returns an option that takes integers, and names for some; the first is the default.

    Its `read` raises ValueError for anything else, which `Option` turns into `refusal`.
    """
    names = {choice.value for choice in choices}

    def read(text: str) -> int | str:
        if text in names:
            return text
        if not re.fullmatch(form, text):
            raise ValueError(text)
        return int(text)

    return Option(
        name=name,
        what=what,
        default=choices[0].value if choices else examples[0],
        choices=choices,
        form_what=form_what,
        examples=examples,
        read=read,
        refusal=refusal,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric as the command line and stored signatures name it.

    Attributes:
        family: Module with `score(corpus, requests, reporter, supplies)`.
        options: In the order in which signatures spell them.
        page: Its page below `docs/metrics/`; empty = the metric's name.
        needs: Required fields of `Supplies`: `parses`, `vectors`, `model`.
        needs_with: (option, value) to what that value requires.
        by: The package that adds it, with its version; empty = built in.
    """

    name: str
    what: str
    family: str
    options: tuple[Option[Any], ...] = ()
    page: str = ""
    needs: tuple[str, ...] = ()
    needs_with: Mapping[tuple[str, str], str] = field(default_factory=dict)
    reads_sources: bool = True
    greatest: float = 1.0
    by: str = ""

    @property
    def defaults(self) -> dict[str, str]:
        """Returns option to default value, in the order in which signatures spell them."""
        return defaults_in(self.options)

    def needs_of(self, request: MetricRequest) -> set[str]:
        """Returns the fields of `Supplies` that a request requires."""
        return {*self.needs} | {
            self.needs_with[pair] for pair in request.options if pair in self.needs_with
        }


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
        Choice(value="blanks", what="split at blanks, for text already tokenised"),
    ),
    form_what="the version of its rules named, as in signatures",
    examples=("unicode-2", "chars-2"),
    read=lambda text: tokeniser_called(text).id,
)
WORDS: Final = pick(
    "words",
    Choice(value="form", what="as in the text"),
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
    form_what="the name of a model, as in signatures",
    of_corpus=PARSERS,
)
VECTORS: Final[Option[str]] = Option(
    name="vectors",
    what="which word vectors are asked for",
    default=ANY_VECTORS,
    choices=(Choice(value=ANY_VECTORS, what="those that are given"),),
    form_what="their name and digest, as in signatures",
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
    return int(match[1]), cast(Literal["w", "b", "c"], match[2])


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
