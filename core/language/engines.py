"""Registry of parsers, imported on first use; to add one, see `ParserModule` and `ENGINES`.

Sentences of a CoNLL-U file are matched with those of a corpus, white space aside: a `sent_id` of
the corpus decides where the text agrees. A sentence of the corpus may be several consecutive ones
of the file, which are one parse then.
"""

from array import array
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import count, islice
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple, Protocol, cast

from awase.core.errors import EnvironmentProblem, InputError, Listing, Problem, Reporter, batches
from awase.core.language.conllu import FileSentence, conllu_of, sha256_of
from awase.core.packages import is_installed, missing_package, table_of
from awase.core.records.parse import Parse


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserRequest:
    """Which parser is wanted."""

    language: str  # code of the texts' language, such as `en`
    folder: Path | None = None  # folder of its models; None = the parser's own
    package: str | None = None  # which of the folder's models; None = the first that is complete
    gpu: bool = True


class Parser(Protocol):
    """A parser that is ready."""

    @property
    def model(self) -> str: ...  # noqa: D102

    def parses(self, texts: Sequence[str]) -> Iterator[Sequence[Parse]]:
        """Yields the parses of the texts in batches, in order; white space alone has no parse."""
        ...


class ParserModule(Protocol):
    """The interface of a parser's module."""

    def missing(self, request: ParserRequest) -> Problem | None:
        """Returns why the parser cannot be loaded, or None; loads nothing."""
        ...

    def load(self, request: ParserRequest) -> Parser:
        """Returns the parser; raises EnvironmentProblem when it cannot be loaded."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A parser program."""

    id: str
    title: str
    module: str
    packages: tuple[str, ...]
    extra: str
    languages: tuple[str, ...]  # codes of the languages that it parses, the first one by default
    has_folder: bool

    def missing(self, request: ParserRequest) -> Problem | None:
        """Returns why the parser cannot be loaded, as far as can be foreseen, or None."""
        if request.language not in self.languages:
            return Problem(
                what="{engine} is not used for the language “{language}”.",
                hint="Use another parser, or import parses as CoNLL-U.",
                fields={"engine": self.title, "language": request.language},
            )
        if not self.is_installed():
            return missing_package(
                self.packages[0],
                extra=self.extra,
                needed_for=self.title,
                hint='Install it (pip install "{project}[{extra}]"), or parse elsewhere and '
                "import the parses as CoNLL-U.",
            ).problem
        return self._loaded().missing(request)

    def is_installed(self) -> bool:
        """Returns whether its Python packages are there; imports none."""
        return is_installed(*self.packages)

    def load(self, request: ParserRequest) -> Parser:
        """Returns the parser."""
        missing = self.missing(request)
        if missing is not None:
            raise EnvironmentProblem.about(missing)
        return self._loaded().load(request)

    def _loaded(self) -> ParserModule:
        return cast(ParserModule, import_module(self.module))


# In order of preference.
ENGINES = table_of(
    attrgetter("id"),
    Engine(
        id="stanza",
        title="Stanza",
        module="awase.core.language.stanza_parser",
        packages=("stanza",),
        extra="parse",
        languages=("en", "ja"),
        has_folder=True,
    ),
    Engine(
        id="ginza",
        title="GiNZA",
        module="awase.core.language.ginza_parser",
        packages=("ginza", "ja_ginza"),
        extra="ja-parse",
        languages=("ja",),
        has_folder=False,
    ),
)


def engine_by_id(engine_id: str) -> Engine:
    """Returns the engine with this id."""
    engine = ENGINES.get(engine_id)
    if engine is None:
        raise InputError.of(
            "There is no parser “{id}”.", "Use one of {known}.",
            id=engine_id, known=Listing(ENGINES),
        )  # fmt: skip
    return engine


def ready_engine(request: ParserRequest) -> Engine:
    """Returns the first engine that can parse the language now."""
    first: Problem | None = None
    for engine in ENGINES.values():
        if request.language not in engine.languages:
            continue
        own = request if engine.has_folder else replace(request, folder=None, package=None)
        missing = engine.missing(own)
        if missing is None:
            return engine
        first = first or missing
    if first is None:
        raise InputError.of(
            "No parser supports the language “{language}”.",
            "Parse elsewhere and import the parses as CoNLL-U.",
            language=request.language,
        )
    raise EnvironmentProblem.about(first)


Keep = Callable[[Mapping[str, str]], None]  # receives parses: text to CoNLL-U

_KEPT_AT_A_TIME: Final = 500
# Whole batches of each parser, so that batches do not depend on the chunk.
GIVEN_AT_A_TIME: Final = 6_400


def parse_texts(
    texts: Collection[str], parser: Parser, keep: Keep, reporter: Reporter
) -> int:  # fmt: skip
    """Parses texts and returns how many.

    `keep` is called with each batch of results, and with the rest when interrupted.
    """
    fresh: dict[str, str] = {}
    done = 0
    try:
        reporter.advance(0, len(texts), parser.model)
        for some in batches(texts, GIVEN_AT_A_TIME):
            given = iter(some)
            for parses in parser.parses(some):
                for parse, text in zip(parses, given, strict=False):
                    fresh[text] = conllu_of(parse)
                done += len(parses)
                if len(fresh) >= _KEPT_AT_A_TIME:
                    keep(fresh)
                    fresh = {}
                reporter.advance(done, len(texts), parser.model)
    finally:
        if fresh:
            keep(fresh)
    return done


_SHOWN = 40
_MOST_EXAMPLES = 20  # reported one by one
_LINES_LOOKED_AT = 20


def _key_of(text: str) -> int:
    """Returns a 64-bit hash."""
    return int(sha256_of(text)[:16], 16)


class KnownTexts:
    """Index of a corpus's distinct texts by hash without white space, 40 bytes each."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Reads the texts once; duplicates are allowed."""
        import numpy as np  # scoring a file does without it

        self.longest, keys, digests = 0, array("Q"), bytearray()
        for text in texts:
            bare = _bare(text)
            self.longest = max(self.longest, len(bare))  # in characters without white space
            keys.append(_key_of(bare))
            digests += bytes.fromhex(sha256_of(text))
        by_key = np.frombuffer(keys, np.uint64)
        by_text = np.frombuffer(digests, np.uint64).reshape(-1, 4)
        order = np.lexsort((by_text[:, 0], by_key))
        by_key, first = by_key[order], by_text[order, 0]
        is_new = np.ones(len(order), bool)
        is_new[1:] = (by_key[1:] != by_key[:-1]) | (first[1:] != first[:-1])
        self._keys: Final = by_key[is_new]
        self._digests: Final = by_text[order[is_new]]

    def __len__(self) -> int:
        return len(self._keys)

    def places_of(self, bare: str) -> range:
        """Returns the positions of texts equal without white space."""
        low, high = (self._keys.searchsorted(_key_of(bare), side) for side in ("left", "right"))
        return range(int(low), int(high))

    def digest_at(self, place: int) -> str:
        """Returns the SHA-256 of the text at a position, hexadecimal."""
        return bytes(self._digests[place]).hex()


class ParseMatch(NamedTuple):
    """Sentences of a file that make up a text of a corpus, or one that does not."""

    places: range  # of the texts in `KnownTexts`; none = the corpus has no such sentence
    sentences: Sequence[FileSentence]  # consecutive in the file
    has_id: bool = False  # whether they have the sentence's id


def matched(
    sentences: Iterable[FileSentence],
    texts: KnownTexts,
    texts_by_id: Callable[[], Mapping[str, str]] = dict,
) -> Iterator[ParseMatch]:
    """Yields all sentences in order, grouped by text, as few as make up one.

    `texts_by_id` returns the texts by `sent_id`, lazily.
    """
    rest, ahead = iter(sentences), deque[FileSentence]()
    while ahead or (ahead := deque(islice(rest, 1))):
        n_joined = 0
        if ahead[0].id:
            places, n_joined = _run_of_id(ahead, rest, texts, texts_by_id().get(ahead[0].id))
        has_id = n_joined > 0
        if not has_id:
            places, n_joined = _next_run(ahead, rest, texts)
        yield ParseMatch(places, [ahead.popleft() for _ in range(n_joined)], has_id)


def _run_of_id(
    ahead: deque[FileSentence], rest: Iterator[FileSentence], texts: KnownTexts, text: str | None
) -> tuple[range, int]:
    """Returns the place of the text that the first names, of how many it is; 0 = of none."""
    if text is None:
        return range(0), 0
    for n_joined in count(1):
        if n_joined == len(ahead):
            ahead.extend(islice(rest, 1))
        if n_joined == len(ahead) or ahead[n_joined].id != f"{ahead[0].id}.{n_joined + 1}":
            break
    joined = _bare("".join(one.sentence.text for one in islice(ahead, n_joined)))
    digest = sha256_of(text)
    for place in texts.places_of(joined):
        if texts.digest_at(place) == digest:
            return range(place, place + 1), n_joined
    return range(0), 0


def _next_run(
    ahead: deque[FileSentence], rest: Iterator[FileSentence], texts: KnownTexts
) -> tuple[range, int]:
    """Returns positions of the text that `ahead` begins with, and its number of sentences."""
    joined = ""
    for n_joined in count(1):
        if n_joined > len(ahead):
            ahead.extend(islice(rest, 1))
        if n_joined > len(ahead):
            break
        joined += _bare(ahead[n_joined - 1].sentence.text)
        if len(joined) > texts.longest:
            break
        if places := texts.places_of(joined):
            return places, n_joined
    return range(0), 1


class Unmatched:
    """Counts sentences of a file that the corpus lacks, with the first as examples."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._first: list[Problem] = []
        self.n = 0

    def note(self, found: FileSentence) -> None:
        """Counts an unmatched sentence."""
        self.n += 1
        if self.n > _MOST_EXAMPLES:
            return
        self._first.append(
            Problem(
                what="The corpus has no sentence “{text}”.",
                hint="Only sentences of the corpus can have a parse; compare # text.",
                fields={"text": _shortened(found.sentence.text)},
                source=self._source,
                line=found.line,
            )
        )

    def problems(self) -> Iterator[Problem]:
        """Yields a warning for each of the first ones, and one for the rest."""
        yield from self._first
        if self.n > _MOST_EXAMPLES:
            yield Problem(
                what="{n} more {n:sentence of the file is|sentences of the file are} not in the "
                "corpus.",
                fields={"n": self.n - _MOST_EXAMPLES},
                source=self._source,
            )


def _bare(text: str) -> str:
    return "".join(text.split())


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


MODEL_COMMENT = "# model = "


def model_named_in(lines: Iterable[str]) -> str:
    """Returns the model named in the first comment lines, or an empty string; reads no further."""
    for line in islice(lines, _LINES_LOOKED_AT):
        if line.startswith(MODEL_COMMENT):
            return line.removeprefix(MODEL_COMMENT).strip()
    return ""
