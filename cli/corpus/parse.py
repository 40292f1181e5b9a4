"""`awase parse`: dependency parses of a corpus's sentences, computed or imported as CoNLL-U."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from awase.cli import options
from awase.cli.corpora import opened_store
from awase.cli.output.messages import EXIT_INTERRUPTED, ProgressBar, counted, print_problems, say
from awase.cli.output.report import output_target
from awase.core.errors import Cancelled, InputError
from awase.storage.addresses import is_url, without_password

if TYPE_CHECKING:
    from awase.core.language.engines import ParserRequest
    from awase.core.records.corpus import Corpus
    from awase.jobs.files.writing import Target
    from awase.jobs.supplies.parsing import Parsed
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """The parser options."""

    engine: str | None
    folder: Path | None
    package: str | None
    download: bool
    language: str | None
    compared: bool
    cpu: bool
    cluster: str | None

    @property
    def names_parser(self) -> bool:
        """Returns whether a parser or model was requested."""
        return self.download or any((self.engine, self.folder, self.package))

    def request(self, language: str) -> "ParserRequest":
        """Returns the request for a parser of `language`."""
        from awase.core.language.engines import ParserRequest

        return ParserRequest(
            language=language, folder=self.folder, package=self.package, gpu=not self.cpu
        )


_NAMES = [one.name for one in fields(_Options)]
_asked_options = options.combined(
    "asked", lambda given: _Options(**{name: given.pop(name) for name in _NAMES}),
    click.option("--engine", metavar="NAME", help="Parser: stanza or ginza; the first one "
                 "ready if left out."),
    click.option("--model", "folder", metavar="FOLDER", type=click.Path(path_type=Path),
                 help="Folder of stanza's models; stanza's own if left out."),
    click.option("--package", metavar="NAME", help="Name of the model; the first complete one "
                 "if left out."),
    click.option("--download", is_flag=True, help="Download the model first if it is missing."),
    click.option("--lang", "language", metavar="CODE", help="Parse the sentences in this language; "
                 "all if left out."),
    click.option("--compared", is_flag=True, help="Parse only what metrics compare: sentences of "
                 "outputs and references, not the other source sentences."),
    click.option("--cpu", is_flag=True, help="Do not use a GPU."),
    click.option("--cluster", metavar="ADDRESS",
                 help="Parse on the Dask cluster with this scheduler, where the parser named by "
                 "--engine is installed."),
)  # fmt: skip


@options.corpus_command(
    "parse",
    "awase parse tsc3.awase",
    "awase parse english.awase --engine stanza --download",
    "awase parse english.awase --model models/stanza --lang en",
    "awase parse tsc3.awase --from parsed-elsewhere.conllu",
    "awase parse tsc3.awase --to parses.conllu",
    "awase parse tsc3.awase --be elements",
)
@_asked_options
@click.option("--from", "source", metavar="FILE", type=click.Path(path_type=Path),
              help="Import parses from a CoNLL-U file instead.")  # fmt: skip
@click.option("--name", metavar="NAME", help="With --from: what made the parses.")
@click.option("--to", "target", metavar="FILE", type=click.Path(path_type=Path),
              help="Write the parses to a CoNLL-U file.")  # fmt: skip
@click.option("--be", "be_folder", metavar="FOLDER", type=click.Path(path_type=Path),
              help="Write basic elements as files for ROUGE-1.5.5 -3.")  # fmt: skip
@click.option("--parser", metavar="NAME", help="With --to, --be: whose parses; of "
              "the model with most if left out.")  # fmt: skip
@click.option("--list", "lists", is_flag=True, help="List the parses.")
@click.option("--remove", metavar="NAME", help="Remove the parses of this model.")
@options.force_option("With --to: replace FILE if it exists.")
@options.who_option("parses")
def parse_command(
    corpus: str,
    asked: _Options,
    source: Path | None,
    name: str | None,
    target: Path | None,
    be_folder: Path | None,
    parser: str | None,
    lists: bool,
    remove: str | None,
    force: bool,
    who: str,
) -> None:
    """Parse the sentences of CORPUS that have no parse, and store the parses in it.

    CORPUS is an .awase file or a database URL. If you stop it, the parses made so far are kept.
    """
    if sum(map(bool, (source, target, be_folder, lists, remove))) > 1:
        raise click.UsageError("Choose one of --from, --to, --be, --list and --remove.")
    reads_only = bool(target or be_folder or lists)
    options.check_counts(*_NAMES, where=not (reads_only or source or remove), needs="parsing")
    options.check_counts("name", where=source is not None, needs="--from")
    options.check_counts("parser", where=bool(target or be_folder), needs="--to or --be")
    options.check_counts("force", where=target is not None, needs="--to")
    options.check_counts("who", where=not reads_only, needs="what changes CORPUS")
    _check_keeps_parses(corpus)
    with opened_store(corpus, who=who, read_only=reads_only) as store:
        print_problems("warning", store.warnings)
        if lists:
            _print_models(store)
        elif remove:
            n_removed = store.remove_parses(remove, who=who)
            _report(f"removed {counted(n_removed, 'parse')}.")
        elif source:
            _take_file(store, source, name, who)
        elif target:
            _write_file(store, output_target(target, ".conllu", force=force), parser)
        elif be_folder:
            _write_elements(store, output_target(be_folder), parser)
        else:
            _parse(store, asked, who)


def _check_keeps_parses(location: str) -> None:
    if not is_url(location) and location.lower().endswith(".json"):
        raise InputError.of(
            "An Awase JSON file cannot store parses.",
            "Write: awase import {stem}.awase {location}, and parse that.",
            stem=Path(location).stem, location=location,
        )  # fmt: skip


def _parse(store: "CorpusStore", asked: _Options, who: str) -> None:
    from awase.core.language.stored_parses import languages_of

    corpus = store.corpus()
    languages = languages_of(corpus)
    if asked.language is not None:
        if asked.language not in languages:
            raise InputError.of(
                "The corpus has no sentence in “{language}”.",
                "It has: {known}.",
                language=asked.language, known=", ".join(languages) or "none",
            )  # fmt: skip
        languages = (asked.language,)
    for language in languages:
        _parse_language(store, corpus, language, asked, who)


def _parse_language(
    store: "CorpusStore", corpus: "Corpus", language: str, asked: _Options, who: str
) -> None:
    from awase.core.language.engines import engine_by_id, ready_engine
    from awase.jobs.supplies.parsing import n_parsed, parse, to_parse

    texts = _texts(corpus, language, asked)
    known = {} if asked.names_parser else store.parse_models()
    for model, n_parses in known.items():
        if n_parses >= len(texts) and n_parsed(store, texts, model) == len(texts):
            _report_done(language, model)
            return
    request = asked.request(language)
    if asked.cluster is not None:
        _parse_on_cluster(store, texts, asked, request, who)
        return
    if asked.download:
        _download(request, asked)
    engine = engine_by_id(asked.engine) if asked.engine else ready_engine(request)
    left = to_parse(store, texts, engine, request)
    if not left.texts:
        _report_done(language, left.parser.model)
        return
    try:
        with ProgressBar("Parsing") as bar:
            parsed = parse(store, left, who=who, reporter=bar)
    except (KeyboardInterrupt, Cancelled) as error:
        n_kept = n_parsed(store, left.texts, left.parser.model)
        of = counted(len(left.texts), "sentence was", "sentences were")
        say(f"Stopped; {n_kept} of {of} parsed and kept.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED) from error
    _report_parsed(language, parsed)


def _parse_on_cluster(
    store: "CorpusStore", texts: Sequence[str], asked: _Options, request: "ParserRequest", who: str
) -> None:
    from awase.jobs.supplies.parsing import parse_elsewhere

    if asked.engine is None:
        raise click.UsageError("--cluster needs --engine: which parser its workers have.")
    try:
        with options.workers_for(None, asked.cluster) as workers, ProgressBar("Parsing") as bar:
            parsed = parse_elsewhere(
                store, texts, asked.engine, request, workers, who=who, reporter=bar
            )
    except (KeyboardInterrupt, Cancelled) as error:
        say("Stopped; the parses received so far are kept.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED) from error
    _report_parsed(request.language, parsed)


def _report_parsed(language: str, parsed: "Parsed") -> None:
    new = counted(parsed.n_new, "sentence")
    _report(f"parsed {new} in {language} with {parsed.model}.")


def _texts(corpus: "Corpus", language: str, asked: _Options) -> Sequence[str]:
    """Returns the distinct sentences to parse."""
    from awase.core.language.stored_parses import distinct_texts

    texts = distinct_texts(corpus, language)
    if not asked.compared:
        return texts
    from awase.core.metrics.kit.runner import compared_texts

    compared = {*compared_texts(corpus)}
    return [text for text in texts if text in compared]


def _report_done(language: str, model: str) -> None:
    _report(f"every sentence in {language} has a parse by {model}.")


def _report(text: str) -> None:
    """Prints what became of the corpus, which is called as it was typed."""
    say(f"{without_password(click.get_current_context().params['corpus'])}: {text}")


def _download(request: "ParserRequest", asked: _Options) -> None:
    from awase.core.language.engines import engine_by_id
    from awase.core.language.stanza_parser import resources_folder
    from awase.jobs.supplies.parsing import download

    engine = engine_by_id(asked.engine or "stanza")
    if not engine.has_folder:
        raise InputError.of("{engine} has nothing to download.", engine=engine.title)
    missing = engine.missing(request)
    if missing is None:
        return
    if not engine.is_installed():
        print_problems("error", [missing])
        raise click.exceptions.Exit(1)
    with ProgressBar("Downloading") as bar:
        name = download(request, bar)
    say(f"{request.folder or resources_folder()}: has the model {name} now.", err=True)


def _print_models(store: "CorpusStore") -> None:
    """Prints the number of parses by model, and of unparsed sentences."""
    from awase.core.language.stored_parses import distinct_texts, lacking
    from awase.jobs.supplies.parsing import n_parsed

    corpus = store.corpus()
    texts = distinct_texts(corpus)
    for model in store.parse_models():
        n_there = n_parsed(store, texts, model)
        missing = lacking(corpus, partial(store.parsed, model))
        gaps = ", ".join(f"{n} {kind.value}" for kind, n in missing.items())
        all_texts = counted(len(texts), "sentence")
        say(f"{model}: {n_there} of {all_texts}; lacking: {gaps or 'none'}")
    if not store.parse_models():
        _report("no parses.")


def _take_file(store: "CorpusStore", source: Path, name: str | None, who: str) -> None:
    """Imports the parses of a CoNLL-U file for the corpus's sentences."""
    from awase.jobs.files.reading import STANDARD_INPUT, is_stream, open_argument
    from awase.jobs.supplies.parsing import import_conllu

    opened: AbstractContextManager[BinaryIO] = (
        nullcontext(sys.stdin.buffer) if str(source) == STANDARD_INPUT else open_argument(source)
    )
    with opened as file, ProgressBar("Reading") as bar:
        taken = import_conllu(
            store, file, source=source.name, who=who, reporter=bar, name=name or "",
            n_bytes=0 if is_stream(source) else os.path.getsize(source),
        )  # fmt: skip
    print_problems("warning", taken.warnings)
    texts = counted(taken.n_texts, "sentence")
    _report(f"kept the parses of {taken.n_kept} of {texts}, as by {taken.model}.")


def _write_file(store: "CorpusStore", target: "Target", parser: str | None) -> None:
    """Exports one model's parses as CoNLL-U."""
    from awase.core.language.conllu import sha256_of, with_ids
    from awase.core.language.engines import MODEL_COMMENT
    from awase.core.language.stored_parses import texts_by_id
    from awase.jobs.files.writing import write_whole_file

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
    say(f"{target.path}: written, {counted(n_written, 'parse')} by {model}.", err=True)


def _write_elements(store: "CorpusStore", target: "Target", parser: str | None) -> None:
    """Exports basic elements and settings for ROUGE-1.5.5 to an empty or new folder."""
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.metrics.rouge.be import SETTINGS, be_files
    from awase.jobs.files.writing import write_folder
    from awase.jobs.supplies.gathering import supplies_of

    target.check_folder()
    corpus = store.corpus()
    options = (("parser", parser),) if parser else ()
    supplies = supplies_of(store, corpus, [MetricRequest(name="be", options=options)])
    with ProgressBar("Writing") as bar:
        n_files = write_folder(target, be_files(corpus, supplies, bar))
    say(
        f"{target.path}: {counted(n_files - 1, 'file')} of basic elements.\n"
        f"Compare them there: cd {target.path} && awase rouge155 -3 HMR -a {SETTINGS}",
        err=True,
    )


def _model(store: "CorpusStore", parser: str | None) -> str:
    known = store.parse_models()
    model = parser or next(iter(known), None)
    if model is None or model not in known:
        raise InputError.of(
            "The corpus has no parses by “{model}”." if parser else "The corpus has no parses.",
            "It has parses by {known}." if known else "Parse it first (awase parse CORPUS).",
            model=model or "",
            known=", ".join(known),
        )
    return model
