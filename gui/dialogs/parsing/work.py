"""What the parse dialog has done on another thread."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from awase.core.errors import Problem
from awase.core.parsing.corpus_texts import distinct_texts
from awase.core.parsing.engines import ParserRequest, engine_by_id
from awase.core.parsing.running import parse_texts
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.jobs.file_contents import read_file

if TYPE_CHECKING:
    from awase.jobs.taking_parses import TakenParses
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
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
class Parsed:
    """What was parsed: how many sentences were new, with which model."""

    n_new: int
    model: str


def look(
    store: "CorpusStore", corpus: Corpus, engine_id: str, request: ParserRequest
) -> Outlook:  # fmt: skip
    """Returns how things stand for a language and a parser."""
    texts = distinct_texts(corpus, request.language)
    parsed = {model: len(store.parses(model, texts)) for model in store.parse_models()}
    return Outlook(
        n_texts=len(texts),
        n_parsed={model: n for model, n in parsed.items() if n},
        missing=engine_by_id(engine_id).missing(request),
    )


def parse(
    store: "CorpusStore",
    corpus: Corpus,
    engine_id: str,
    request: ParserRequest,
    who: str,
    reporter: Reporter,
) -> Parsed:
    """Parses what the parser has not parsed yet; what is done is kept when it is stopped."""
    parser = engine_by_id(engine_id).load(request)
    texts = distinct_texts(corpus, request.language)
    known = store.parses(parser.model, texts)

    def keep(parses: Mapping[str, str]) -> None:
        store.add_parses(parser.model, parses, who=who)

    n_new = parse_texts([text for text in texts if text not in known], parser, keep, reporter)
    return Parsed(n_new=n_new, model=parser.model)


def download(request: ParserRequest, reporter: Reporter) -> None:
    """Fetches stanza's model for the language."""
    from awase.core.parsing.stanza_parser import resources_folder
    from awase.jobs.parser_downloads import download_stanza

    download_stanza(request.language, request.folder or resources_folder(), reporter)


def take(store: "CorpusStore", path: Path, who: str) -> "TakenParses":
    """Keeps the parses of a CoNLL-U file."""
    from awase.jobs.taking_parses import take_conllu

    return take_conllu(store, read_file(path), source=path.name, who=who)
