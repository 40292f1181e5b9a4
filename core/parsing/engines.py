"""The parsers that can be used, by name; each is imported when it is first used.

To add one, write a module with `missing` and `load` of the shapes below and name it in `ENGINES`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Protocol, cast

from awase.core.errors import EnvironmentProblem, InputError, Listing, Problem
from awase.core.extras import is_installed, missing_package
from awase.core.plugins import table_of
from awase.core.records.parse import Parse


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserRequest:
    """Which parser is wanted.

    Attributes:
        language: Code of the texts' language, such as `en`.
        folder: Where its models lie; None = where the parser itself keeps them.
        package: Which of the folder's models; None = the first that is complete.
        gpu: Whether to use a GPU where there is one.
    """

    language: str
    folder: Path | None = None
    package: str | None = None
    gpu: bool = True


class Parser(Protocol):
    """A parser that is ready.

    Attributes:
        model: What signatures call it: language, model, and what tells its version.
    """

    @property
    def model(self) -> str: ...  # noqa: D102

    def parses(self, texts: Sequence[str]) -> Iterator[Sequence[Parse]]:
        """Yields the parses of the texts, some at a time and all in order.

        A text is one sentence; white space alone has no parse.
        """
        ...


class ParserModule(Protocol):
    """What the module of an engine has."""

    def missing(self, request: ParserRequest) -> Problem | None:
        """Returns what keeps the parser from being loaded, None when it can be; loads nothing."""
        ...

    def load(self, request: ParserRequest) -> Parser:
        """Returns the parser; raises EnvironmentProblem when it cannot be loaded."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A parser program.

    Attributes:
        id: Stable for ever.
        title: For menus.
        module: A `ParserModule`.
        packages: Python packages that it needs, by the names under which they are imported.
        extra: Which extra of ours brings them.
        languages: Codes of the languages that it parses, the first one by default.
        has_folder: Whether its models lie in a folder that can be chosen, and be downloaded.
    """

    id: str
    title: str
    module: str
    packages: tuple[str, ...]
    extra: str
    languages: tuple[str, ...]
    has_folder: bool

    def missing(self, request: ParserRequest) -> Problem | None:
        """Returns what keeps the parser from being loaded; None = nothing that can be foreseen."""
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
        """Returns the parser.

        Raises:
            EnvironmentProblem: Something is missing or damaged.
        """
        missing = self.missing(request)
        if missing is not None:
            raise EnvironmentProblem(missing.what, missing.hint, **missing.fields)
        return self._loaded().load(request)

    def _loaded(self) -> ParserModule:
        return cast(ParserModule, import_module(self.module))


ENGINES = table_of(
    attrgetter("id"),
    Engine(
        id="stanza",
        title="Stanza",
        module="awase.core.parsing.stanza_parser",
        packages=("stanza",),
        extra="parse",
        languages=("en", "ja"),
        has_folder=True,
    ),
    Engine(
        id="ginza",
        title="GiNZA",
        module="awase.core.parsing.ginza_parser",
        packages=("ginza", "ja_ginza"),
        extra="ja-parse",
        languages=("ja",),
        has_folder=False,
    ),
)
"""In the order in which they are tried."""


def engine_by_id(engine_id: str) -> Engine:
    """Returns the engine with this id.

    Raises:
        InputError: There is none.
    """
    engine = ENGINES.get(engine_id)
    if engine is None:
        raise InputError.of(
            "There is no parser “{id}”.", "Use one of {known}.",
            id=engine_id, known=Listing(ENGINES),
        )  # fmt: skip
    return engine


def ready_engine(request: ParserRequest) -> Engine:
    """Returns the first engine that can parse the language now.

    Raises:
        InputError: No engine parses the language.
        EnvironmentProblem: Those that do lack something; tells what the first one lacks.
    """
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
