"""Parses from a CoNLL-U file into a stored corpus."""

from dataclasses import dataclass

from awase.core.errors import CorpusFormatError, InputError, Problem
from awase.core.parsing.conllu import read_conllu
from awase.core.parsing.corpus_texts import distinct_texts
from awase.core.parsing.matching import match, model_named_in
from awase.core.text.encoding import decode
from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedParses:
    """What came of a file.

    Attributes:
        model: Under which name the parses are kept.
        n_kept: Sentences of the corpus that have a parse from the file.
        n_texts: Sentences that the corpus has.
        warnings: What was mended, and which sentences the corpus does not have.
    """

    model: str
    n_kept: int
    n_texts: int
    warnings: tuple[Problem, ...]


def import_conllu(
    store: CorpusStore, data: bytes, *, source: str, who: str, name: str = ""
) -> ImportedParses:
    """Keeps the parses of those sentences of a file that the corpus has.

    Args:
        store: Open for writing.
        data: The file, in UTF-8.
        source: Its name, for messages and the log.
        who: The person.
        name: What made the parses; empty = as the file's first lines say, or else the file's name.

    Raises:
        InputError: The file is damaged, or none of its sentences is the corpus's.
        EnvironmentProblem: They cannot be written.
    """
    try:
        text = decode(data, "utf-8").text
    except CorpusFormatError as error:
        raise CorpusFormatError(problem.in_source(source) for problem in error.problems) from error
    file = read_conllu(text, source)
    texts = distinct_texts(store.corpus_on_demand())
    matches = match(file.sentences, texts)
    if not matches.parses:
        raise InputError.of(
            "None of the {n} sentences of “{file}” is in the corpus; nothing was kept.",
            "Parse the corpus's own sentences, and keep them in # text.",
            n=len(file.sentences),
            file=source,
        )
    model = name or model_named_in(text) or source.rpartition(".")[0] or source
    store.add_parses(model, matches.parses, who=who, source=source)
    return ImportedParses(
        model=model,
        n_kept=len(matches.parses),
        n_texts=len(texts),
        warnings=(*file.warnings, *matches.warnings(source)),
    )
