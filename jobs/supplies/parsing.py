"""Parsing of texts without a parse, stored batch by batch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from awase.core.errors import EnvironmentProblem, Problem
from awase.core.language.engines import Engine, Parser, ParserRequest, engine_by_id, parse_texts
from awase.core.language.stored_parses import distinct_texts
from awase.core.metrics.kit.workers import StillWanted, Workers
from awase.core.progress import Reporter, Silent, batches
from awase.core.records.corpus import Corpus

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.store import CorpusStore

_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseStatus:
    """Parses that exist, and those still missing."""

    n_texts: int
    n_parsed: Mapping[str, int]  # model to how many of them it parsed; the model with most first
    missing: Problem | None  # why the selected parser is unavailable; None = it is available


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingParses:
    """A loaded parser and the unparsed sentences."""

    parser: Parser
    texts: Sequence[str]

    @property
    def model(self) -> str:
        """The name of the model in the store."""
        return self.parser.model


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """Result: number of new parses, and model."""

    n_new: int
    model: str


def look(
    store: "CorpusStore", corpus: Corpus, engine_id: str, request: ParserRequest
) -> ParseStatus:
    """Returns the parse status for a language and a parser."""
    texts = distinct_texts(corpus, request.language)
    parsed = {model: n_parsed(store, texts, model) for model in store.parse_models()}
    return ParseStatus(
        n_texts=len(texts),
        n_parsed={model: n for model, n in parsed.items() if n},
        missing=engine_by_id(engine_id).missing(request),
    )


def to_parse(
    store: "CorpusStore", texts: Sequence[str], engine: Engine, request: ParserRequest
) -> PendingParses:
    """Returns the texts without a parse."""
    parser = engine.load(request)
    return PendingParses(parser=parser, texts=without_parse(store, texts, parser.model))


def without_parse(store: "CorpusStore", texts: Sequence[str], model: str) -> list[str]:
    """Returns the sentences not parsed by a model."""
    left: list[str] = []
    for some in batches(texts, _AT_ONCE):
        parsed = store.parsed(model, some)
        left += (text for text in some if text not in parsed)
    return left


def parse(store: "CorpusStore", left: PendingParses, *, who: str, reporter: Reporter) -> Parsed:
    """Parses and stores batch by batch; returns the result."""

    def keep(parses: Mapping[str, str]) -> None:
        store.add_parses(left.model, parses, who=who)

    n_new = parse_texts(left.texts, left.parser, keep, reporter)
    return Parsed(n_new=n_new, model=left.model)


def parse_elsewhere(
    store: "CorpusStore",
    texts: Sequence[str],
    engine_id: str,
    request: ParserRequest,
    workers: Workers,
    *,
    who: str,
    reporter: Reporter,
) -> Parsed:
    """Parses on the workers, where parser and model are installed, and stores the results."""
    parse_some = partial(_parsed_in, engine_id, request)
    ((first, _),) = workers.map(parse_some, [()], Silent())
    left = without_parse(store, texts, first)
    portions = [*batches(left, _AT_ONCE)]
    for model, parses in workers.map(parse_some, portions, reporter):
        if model != first:
            raise EnvironmentProblem(
                "The workers have different models: {one} and {other}.",
                "Install the same model on each; what was parsed with {one} is kept.",
                one=first,
                other=model,
            )
        store.add_parses(model, parses, who=who)
    return Parsed(n_new=len(left), model=first)


def _parsed_in(
    engine_id: str, request: ParserRequest, texts: Sequence[str], _still_wanted: StillWanted
) -> tuple[str, dict[str, str]]:
    parser = _loaded(engine_id, request)
    kept: dict[str, str] = {}
    parse_texts(texts, parser, kept.update, Silent())
    return parser.model, kept


@lru_cache(maxsize=1)
def _loaded(engine_id: str, request: ParserRequest) -> Parser:
    return engine_by_id(engine_id).load(request)


def n_done(store: "CorpusStore", left: PendingParses) -> int:
    """Returns the number of pending sentences parsed by now."""
    return n_parsed(store, left.texts, left.model)


def n_parsed(store: "CorpusStore", texts: Sequence[str], model: str) -> int:
    """Returns the number of sentences parsed by a model."""
    return sum(len(store.parsed(model, some)) for some in batches(texts, _AT_ONCE))


def download(request: ParserRequest, reporter: Reporter) -> str:
    """Fetches stanza's model for the language, and returns the model's name."""
    from awase.core.language.stanza_parser import resources_folder
    from awase.jobs.supplies.downloads import download_stanza

    folder = request.folder or resources_folder()
    return download_stanza(request.language, folder, reporter).name()
