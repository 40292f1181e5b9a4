"""Files in and out of `awase parse`: CoNLL-U, and basic elements for ROUGE-1.5.5."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from awase.cli.output.messages import print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.core.errors import InputError
from awase.jobs.files.reading import STANDARD_INPUT, is_stream, open_argument
from awase.jobs.files.writing import Target, write_folder, write_whole_file

if TYPE_CHECKING:
    from awase.storage.store import CorpusStore


def print_models(store: "CorpusStore") -> None:
    """Prints how many parses each model made, and how many sentences lack one."""
    from awase.core.parsing.corpus_texts import distinct_texts, lacking
    from awase.jobs.parsing.running import n_parsed

    corpus = store.corpus()
    texts = distinct_texts(corpus)
    for model in store.parse_models():
        n_there = n_parsed(store, texts, model)
        missing = lacking(corpus, partial(store.parsed, model))
        gaps = ", ".join(f"{n} {kind.value}" for kind, n in missing.items())
        say(f"{model}: {n_there} of {len(texts)} sentences; lacking: {gaps or 'none'}")
    if not store.parse_models():
        say(f"{store.location}: no parses.")


def take_file(store: "CorpusStore", source: Path, name: str | None, who: str) -> None:
    """Keeps the parses of a CoNLL-U file whose sentences the corpus has."""
    from awase.jobs.parsing.conllu_import import import_conllu

    opened: AbstractContextManager[BinaryIO] = (
        nullcontext(sys.stdin.buffer) if str(source) == STANDARD_INPUT else open_argument(source)
    )
    with opened as file, ProgressBar("Reading") as bar:
        taken = import_conllu(
            store, file, source=source.name, who=who, reporter=bar, name=name or "",
            n_bytes=0 if is_stream(source) else os.path.getsize(source),
        )  # fmt: skip
    print_problems("warning", taken.warnings)
    say(
        f"{store.location}: kept the parses of {taken.n_kept} of {taken.n_texts} sentences, "
        f"as by {taken.model}."
    )


def write_file(store: "CorpusStore", target: Target, parser: str | None) -> None:
    """Writes one model's parses of the corpus's sentences as CoNLL-U."""
    from awase.core.parsing.conllu import sha256_of, with_ids
    from awase.core.parsing.corpus_texts import texts_by_id
    from awase.core.parsing.matching import MODEL_COMMENT

    target.check()
    model = _model(store, parser)
    ids: dict[str, str] = {}
    for id_, text in texts_by_id(store.corpus()).items():
        ids.setdefault(sha256_of(text), id_)
    n_written = 0

    def pieces() -> Iterator[str]:
        nonlocal n_written
        yield f"{MODEL_COMMENT}{model}\n\n"
        for digest, conllu in store.each_parse(model):
            if digest in ids:
                n_written += 1
                yield with_ids(conllu, ids[digest])

    write_whole_file(target, pieces())
    say(f"{target.path}: written, {n_written} parses by {model}.", err=True)


def write_elements(store: "CorpusStore", target: Target, parser: str | None) -> None:
    """Writes basic elements and settings for ROUGE-1.5.5 into an empty or new folder."""
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.metrics.rouge.be import SETTINGS, be_files
    from awase.jobs.supplies.parses import supplies_of

    target.check_folder()
    corpus = store.corpus()
    options = (("parser", parser),) if parser else ()
    supplies = supplies_of(store, corpus, [MetricRequest(name="be", options=options)])
    with ProgressBar("Writing") as bar:
        n_files = write_folder(target, be_files(corpus, supplies, bar))
    say(
        f"{target.path}: {n_files - 1} files of basic elements.\n"
        f"Compare them there: cd {target.path} && awase rouge155 -3 HMR -a {SETTINGS}",
        err=True,
    )


def _model(store: "CorpusStore", parser: str | None) -> str:
    known = store.parse_models()
    model = parser or next(iter(known), None)
    if model is None or model not in known:
        raise InputError.of(
            "The corpus has no parses by “{model}”." if parser else "The corpus has no parses.",
            "It has those by {known}." if known else "Parse it first (awase parse CORPUS).",
            model=model or "",
            known=", ".join(known),
        )
    return model
