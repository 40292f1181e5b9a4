"""Registry of parsers, imported on first use; to add one, see `ParserModule` and `ENGINES`."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Final, Protocol, cast

from awase.core.errors import EnvironmentProblem, InputError, Listing, Problem
from awase.core.extras import is_installed, missing_package
from awase.core.language.conllu import conllu_of
from awase.core.plugins import table_of
from awase.core.progress import Reporter, batches
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
                what="{engine} is not used here for the language “{language}”.",
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
            raise EnvironmentProblem(missing.what, missing.hint, **missing.fields)
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
            "No parser here parses the language “{language}”.",
            "Parse elsewhere and import the parses as CoNLL-U.",
            language=request.language,
        )
    raise EnvironmentProblem(first.what, first.hint, **first.fields)


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
