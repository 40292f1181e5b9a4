"""Parses of a stored corpus: of its unparsed texts, batch by batch, or from CoNLL-U files."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import chain, tee
from typing import TYPE_CHECKING, BinaryIO, Final

from awase.core.errors import (
    CorpusFormatError,
    EnvironmentProblem,
    InputError,
    Problem,
    Reporter,
    Silent,
    batches,
    in_source,
    raise_if_any,
)
from awase.core.language.conllu import ConlluReader, conllu_of, sha256_of
from awase.core.language.engines import (
    Engine,
    KnownTexts,
    ParseMatch,
    Parser,
    ParserRequest,
    Unmatched,
    engine_by_id,
    matched,
    model_named_in,
    parse_texts,
)
from awase.core.language.stored_parses import distinct_texts, texts_by_id, texts_of
from awase.core.metrics.kit.supplies import StillWanted, Workers
from awase.core.records.corpus import Corpus
from awase.core.text.encoding import decode

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
        store.add_parses(left.parser.model, parses, who=who)

    n_new = parse_texts(left.texts, left.parser, keep, reporter)
    return Parsed(n_new=n_new, model=left.parser.model)


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


def n_parsed(store: "CorpusStore", texts: Sequence[str], model: str) -> int:
    """Returns the number of sentences parsed by a model."""
    return sum(len(store.parsed(model, some)) for some in batches(texts, _AT_ONCE))


def download(request: ParserRequest, reporter: Reporter) -> str:
    """Fetches stanza's model for the language, and returns the model's name."""
    from awase.core.language.stanza_parser import resources_folder
    from awase.jobs.supplies.downloads import download_stanza

    folder = request.folder or resources_folder()
    return download_stanza(request.language, folder, reporter).name()


LINES_A_STEP: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedParses:
    """Result of importing a CoNLL-U file."""

    model: str
    n_kept: int
    n_texts: int
    warnings: Sequence[Problem]  # what was mended, and which sentences the corpus does not have


def import_conllu(
    store: "CorpusStore",
    file: BinaryIO,
    *,
    source: str,
    who: str,
    reporter: Reporter,
    name: str = "",
    n_bytes: int = 0,
) -> ImportedParses:
    """Stores the parses of those sentences of a file that the corpus has.

    Without a `name` the model's is in the first lines, or else the file's. `n_bytes` 0 = unknown.
    """
    lines, first_lines = tee(_lines(file, source, reporter, n_bytes))
    model = name or model_named_in(first_lines) or source.rpartition(".")[0] or source
    del first_lines  # it would hold all that follows
    reader = ConlluReader(lines, source)
    corpus = store.corpus()
    texts = KnownTexts(one.text for one in texts_of(corpus))
    unmatched = Unmatched(source)
    found = _Found(texts)
    for match in matched(reader, texts, cache(partial(texts_by_id, corpus))):
        if match.places:
            found.take(match)
        else:
            unmatched.note(*match.sentences)
    reader.check()
    found.check(source)
    if not found.n_kept:
        raise InputError.of(
            "No sentence of “{file}” ({n}) is in the corpus; nothing was kept.",
            "Parse the corpus's own sentences, and keep them in # text.",
            n=unmatched.n,
            file=source,
        )
    store.replace_parses(model, found.parses(reporter, model), who=who, source=source)
    return ImportedParses(
        model=model,
        n_kept=found.n_kept,
        n_texts=len(texts),
        warnings=tuple(chain(reader.warnings, unmatched.problems(), found.problems(source))),
    )


def _lines(file: BinaryIO, source: str, reporter: Reporter, n_bytes: int) -> Iterator[str]:
    with in_source(source):
        for number, line in enumerate(utf8_lines(file)):
            if number % LINES_A_STEP == 0:
                reporter.advance(file.tell() if n_bytes else 0, n_bytes, source)
            yield line


class _Found:
    """Matched parses, spooled until the whole file was read."""

    def __init__(self, texts: KnownTexts) -> None:
        self._texts = texts
        self._parses: list[str] = []
        self._lines: list[int] = []
        self._of_text = array("q", [-1]) * len(texts)  # Index of a text's parse; -1 = none.
        self._is_exact = bytearray(len(texts))
        self._clashes: list[tuple[int, int]] = []
        self._n_loose = 0

    @property
    def n_kept(self) -> int:
        """Number of texts with a parse."""
        return sum(at >= 0 for at in self._of_text)

    def take(self, match: ParseMatch) -> None:
        """Assigns a parse to its text, exact match first, else the only one but for blanks."""
        # A second parse, or several such texts, is a clash.
        words = [one.sentence.text for one in match.sentences]
        digests = {sha256_of(" ".join(words)), sha256_of("".join(words))}
        exact = [at for at in match.places if match.has_id or self._texts.digest_at(at) in digests]
        line, conllu = (
            match.sentences[0].line,
            conllu_of(tuple(one.sentence for one in match.sentences)),
        )
        if not exact and len(match.places) > 1:
            self._clashes.append((line, line))
            return
        self._n_loose += not exact
        for place in exact or match.places:
            before = self._of_text[place]
            if before >= 0 and self._is_exact[place] == bool(exact):
                if self._parses[before] != conllu:
                    self._clashes.append((self._lines[before], line))
                continue
            if before < 0 or exact:
                self._of_text[place] = len(self._parses)
                self._is_exact[place] = bool(exact)
        self._parses.append(conllu)
        self._lines.append(line)

    def check(self, source: str) -> None:
        """Raises unless parses and texts match one to one."""
        raise_if_any(
            Problem(
                what="Apart from blanks, the sentence matches several of the corpus's."
                if first == second
                else "The sentence has another parse in line {first}.",
                hint="Write the corpus's own text after # text."
                if first == second
                else "Keep one of the two.",
                fields={"first": first},
                source=source,
                line=second,
            )
            for first, second in self._clashes
        )

    def problems(self, source: str) -> Iterator[Problem]:
        """Yields the warning that sentences matched only up to blanks."""
        if self._n_loose:
            yield Problem(
                what="{n} {n:sentence was matched though its blanks differ|sentences were matched "
                "though their blanks differ} from the corpus's.",
                fields={"n": self._n_loose},
                source=source,
            )

    def parses(self, reporter: Reporter, model: str) -> Iterator[tuple[str, str]]:
        """Yields the digest of each text that has a parse, with it."""
        for place, at in enumerate(self._of_text):
            reporter.advance(place, len(self._of_text), model)
            if at >= 0:
                yield self._texts.digest_at(place), self._parses[at]


BYTES_AT_ONCE: Final = 1 << 18
# Before later chunks, so that their byte order mark counts as text.
_NO_FIRST_LINE: Final = b"\n"


def utf8_lines(file: BinaryIO) -> Iterator[str]:
    """Yields the lines of a file without their ends, whatever these are."""
    lead, n_bytes, n_lines = b"", 0, 0
    while piece := b"".join(file.readlines(BYTES_AT_ONCE)):
        try:
            text = decode(lead + piece, "utf-8").text
        except CorpusFormatError as error:
            n_before = n_bytes - len(lead), n_lines - len(lead)
            raise CorpusFormatError(
                _further(problem, *n_before) for problem in error.problems
            ) from error
        lines = text[len(lead) :].removesuffix("\n").split("\n")
        yield from lines
        n_bytes, n_lines = n_bytes + len(piece), n_lines + len(lines)
        lead = _NO_FIRST_LINE


def _further(problem: Problem, n_bytes: int, n_lines: int) -> Problem:
    """Shifts the position of a chunk's problem to the file's."""
    fields, offset = problem.fields, problem.fields.get("offset")
    if isinstance(offset, int):
        fields = {**fields, "offset": offset + n_bytes}
    line = None if problem.line is None else problem.line + n_lines
    return replace(problem, fields=fields, line=line)
