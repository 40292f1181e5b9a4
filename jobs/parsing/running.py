"""Parses what a parser has not parsed yet; what is done is kept when the work is stopped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awase.core.errors import Problem
from awase.core.parsing.corpus_texts import distinct_texts
from awase.core.parsing.engines import Engine, Parser, ParserRequest, engine_by_id
from awase.core.parsing.running import parse_texts
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseStatus:
    """What there is, and what a parser lacks.

    Attributes:
        n_texts: Different sentences in the language.
        n_parsed: Model to how many of them it parsed; the model with most first.
        missing: What keeps the chosen parser from being used; None = nothing.
    """

    n_texts: int
    n_parsed: Mapping[str, int]
    missing: Problem | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingParses:
    """A parser that is loaded, and the sentences that it has not parsed yet."""

    parser: Parser
    texts: tuple[str, ...]

    @property
    def model(self) -> str:
        """Under which name the parses are kept."""
        return self.parser.model


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What was parsed: how many sentences were new, with which model."""

    n_new: int
    model: str


def look(
    store: "CorpusStore", corpus: Corpus, engine_id: str, request: ParserRequest
) -> ParseStatus:
    """Returns how things stand for a language and a parser."""
    texts = distinct_texts(corpus, request.language)
    parsed = {model: len(store.parses(model, texts)) for model in store.parse_models()}
    return ParseStatus(
        n_texts=len(texts),
        n_parsed={model: n for model, n in parsed.items() if n},
        missing=engine_by_id(engine_id).missing(request),
    )


def to_parse(
    store: "CorpusStore", texts: Sequence[str], engine: Engine, request: ParserRequest
) -> PendingParses:
    """Returns what is left for a parser to do.

    Raises:
        EnvironmentProblem: The parser or its model is not installed.
    """
    parser = engine.load(request)
    known = store.parses(parser.model, texts)
    return PendingParses(parser=parser, texts=tuple(text for text in texts if text not in known))


def parse(store: "CorpusStore", left: PendingParses, *, who: str, reporter: Reporter) -> Parsed:
    """Parses what is left, keeps it part by part, and returns what was parsed.

    Raises:
        EnvironmentProblem: The parses cannot be kept.
        Cancelled: The reporter asked to stop; what was kept stays, see `n_done`.
    """

    def keep(parses: Mapping[str, str]) -> None:
        store.add_parses(left.model, parses, who=who)

    n_new = parse_texts(left.texts, left.parser, keep, reporter)
    return Parsed(n_new=n_new, model=left.model)


def n_done(store: "CorpusStore", left: PendingParses) -> int:
    """Returns how many of the sentences that were left have a parse now."""
    return len(store.parses(left.model, left.texts))


def download(request: ParserRequest, reporter: Reporter) -> str:
    """Fetches stanza's model for the language, and returns the model's name.

    Raises:
        EnvironmentProblem: It cannot be fetched.
        Cancelled: The reporter asked to stop.
    """
    from awase.core.parsing.stanza_parser import resources_folder
    from awase.jobs.parsing.downloads import download_stanza

    folder = request.folder or resources_folder()
    return download_stanza(request.language, folder, reporter).name()
