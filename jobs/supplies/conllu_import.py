"""Parses from a CoNLL-U file into a stored corpus."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, tee
from typing import BinaryIO, Final

from awase.core.errors import CorpusFormatError, InputError, Problem, in_source, raise_if_any
from awase.core.language.conllu import ConlluReader, conllu_of, sha256_of
from awase.core.language.matching import KnownTexts, ParseMatch, Unmatched, matched, model_named_in
from awase.core.language.stored_parses import texts_by_id, texts_of
from awase.core.progress import Reporter
from awase.core.text.encoding import decode
from awase.storage.store import CorpusStore

LINES_A_STEP: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedParses:
    """Result of importing a CoNLL-U file."""

    model: str
    n_kept: int
    n_texts: int
    warnings: Sequence[Problem]  # what was mended, and which sentences the corpus does not have


def import_conllu(
    store: CorpusStore,
    file: BinaryIO,
    *,
    source: str,
    who: str,
    reporter: Reporter,
    name: str = "",
    n_bytes: int = 0,
) -> ImportedParses:
    """Stores the parses of those sentences of a file that the corpus has.

    Args:
        name: Name of the model; empty = from the first lines, or else the file's name.
        n_bytes: Size, for progress; 0 = unknown.
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
            "None of the {n} sentences of “{file}” is in the corpus; nothing was kept.",
            "Parse the corpus's own sentences, and keep them in # text.",
            n=unmatched.n,
            file=source,
        )
    store.take_parses(model, found.parses(reporter, model), who=who, source=source)
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
                what="But for blanks the sentence is several of the corpus's."
                if first == second
                else "The sentence has another parse in line {first}.",
                hint="Write the corpus's own text behind # text."
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
