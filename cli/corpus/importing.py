"""`awase import`: files join a corpus, all of them or none."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click

from awase.cli.arguments.aliases import read_aliases
from awase.cli.arguments.corpora import opened_store
from awase.cli.arguments.vocabulary import Command, format_option, topic_option, who_option
from awase.cli.output.corpus_counts import counts_text
from awase.cli.output.failures import print_problems, print_taken_as
from awase.cli.output.progress import ProgressBar
from awase.cli.output.streams import say
from awase.core.errors import EnvironmentProblem, InputError
from awase.storage.databases.addresses import is_url, without_password

if TYPE_CHECKING:
    from awase.core.formats.importing import FilesRead
    from awase.core.formats.registry import Format
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.records.corpus import Corpus
    from awase.core.records.parts.corpus_counts import CorpusCounts
    from awase.jobs.importing import ImportFile
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What the user said about the files."""

    format_id: str | None
    encoding: str | None
    topic: str | None
    abstract: str | None
    annotator: str | None
    language: str | None
    part: str | None
    aliases: Mapping[str, str]
    allow_outside: bool
    columns: Mapping[str, str]
    requests: "Sequence[MetricRequest]"


_ALLOWING = "If you know who wrote these files and what they ask for, add --allow-outside."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """How much joined the corpus, and all of it where it is a file that was made just now."""

    added: "CorpusCounts"
    corpus: "Corpus | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    """A file or folder that was named; a pipe is read once, as it cannot be read again."""

    path: Path
    streamed: bytes | None = None

    @classmethod
    def of(cls, path: Path) -> Self:
        """Returns the file, read already when it is a pipe."""
        from awase.jobs.files.reading import is_stream, read_argument

        streamed = read_argument(path) if is_stream(path) else None
        return cls(path=path, streamed=streamed)


_EXAMPLES = """\b
Examples:
  awase import tsc3.awase corpus.json
  awase import tsc3.awase --topic 0310 documents/*.sgml
  awase import tsc3.awase --topic 0310 --abstract short --annotator 1 0310.align
  awase import tsc3.awase systems.extracts
  awase import realsumm.awase --format parallel-text FOLDER --aliases names.tsv
  awase import runs.awase today.jsonl --score rouge
"""


@click.command("import", cls=Command, epilog=_EXAMPLES)
@click.argument("corpus")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@format_option("Format of the files")
@click.option("--encoding", metavar="NAME", help="Encoding of the files; found out when left out.")
@topic_option("Topic of the files, where they do not say.")
@click.option("--abstract", metavar="ID", help="Abstract of the files, where they do not say.")
@click.option("--annotator", metavar="NAME", help="Who made the alignment.")
@click.option("--language", type=click.Choice(["ja", "en"]), help="For splitting into sentences.")
@click.option("--part", metavar="NAME", help="Part of a folder, such as a language pair.")
@click.option(
    "--aliases",
    type=click.Path(path_type=Path),
    help="File of names: name in the files, tab, name of the system.",
)
@click.option("--column", "columns", metavar="ROLE=NAME", multiple=True,
              help="Which column of a table is what: document, reference, system, id; "
              "repeatable.")  # fmt: skip
@click.option("--allow-outside", is_flag=True, help="Read files that FILES name elsewhere, too.")
@who_option("imports")
@click.option("--score", "metrics", metavar="NAME[:OPTION=VALUE,…]", multiple=True,
              help="Then print what awase score -m prints of CORPUS; may be repeated.")  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    corpus: str,
    files: tuple[Path, ...],
    format_id: str | None,
    encoding: str | None,
    topic: str | None,
    abstract: str | None,
    annotator: str | None,
    language: str | None,
    part: str | None,
    aliases: Path | None,
    columns: tuple[str, ...],
    allow_outside: bool,
    who: str,
    metrics: tuple[str, ...],
) -> None:
    """Join FILES to CORPUS, an .awase file or a database URL, which is made when it is not there.

    Some formats are folders: name the folder.

    All files of one command join together: when one has a problem, or a metric of --score is not
    known, nothing is changed.
    """
    said = _Said(
        format_id=format_id,
        encoding=encoding,
        topic=topic,
        abstract=abstract,
        annotator=annotator,
        language=language,
        part=part,
        aliases=read_aliases(aliases),
        allow_outside=allow_outside,
        columns=_roles(columns),
        requests=_requests_of(metrics),
    )
    given = [_Given.of(file) for file in files]
    formats = [_format_of(file, said) for file in given]
    done = _import(corpus, given, formats, said, who)
    say(f"{without_password(corpus)}: added {counts_text(done.added.as_dict())}.")
    if metrics:
        from awase.cli.arguments.corpora import as_opened
        from awase.cli.scoring.score import command as score_command

        opened = None if done.corpus is None else as_opened(done.corpus, said.requests)
        ctx.invoke(score_command, corpus=corpus, metrics=metrics, opened=opened)


def _requests_of(metrics: Sequence[str]) -> "Sequence[MetricRequest]":
    if not metrics:
        return ()
    from awase.core.metrics.registry import requests_of

    return requests_of(metrics)


def _roles(columns: Sequence[str]) -> dict[str, str]:
    """Returns role to column."""
    from awase.core.formats.tables.text_table import ROLES

    roles: dict[str, str] = {}
    for text in columns:
        role, equals, name = text.partition("=")
        role = role.strip().lower().replace("-", " ")
        if not equals or role not in ROLES:
            raise click.UsageError(
                f"“{text}” is no column: write ROLE=NAME with one of {', '.join(ROLES)}."
            )
        roles[role] = name
    return roles


def _import(
    location: str, files: Sequence[_Given], formats: "Sequence[Format]", said: _Said, who: str
) -> _Done:
    if not is_url(location) and not os.path.exists(Path(location)):
        _check_new_name(location)
        return _import_into_new(location, files, formats, said, who)

    try:
        stored = _stored(location, who)
    except EnvironmentProblem:
        if not is_url(location):
            raise
        # An empty database is told like any other trouble; only making a corpus in it tells.
        with suppress(EnvironmentProblem):
            return _import_into_new(location, files, formats, said, who)
        raise
    with stored, stored.snapshot() as before:
        read = _read_all(before, files, formats, said)
    with opened_store(location, who=who) as store, ProgressBar("Writing") as bar:
        store.add(read.addition, who=who, source=_sources(files), reporter=bar)
    return _Done(added=read.added)


def _stored(location: str, who: str) -> "CorpusStore":
    """Returns the corpus, open.

    Nothing is opened for writing yet, so that a refused import leaves no trace and no backup; but
    an older file can only be read once it is converted.
    """
    from awase.storage.store import CorpusStore

    try:
        store = CorpusStore.open(location, who=who, read_only=True)
    except EnvironmentProblem:
        store = opened_store(location, who=who)
    print_problems("warning", store.warnings)
    return store


def _import_into_new(
    location: str, files: Sequence[_Given], formats: "Sequence[Format]", said: _Said, who: str
) -> _Done:
    from awase.core.records.corpus import Corpus

    read = _read_all(Corpus(), files, formats, said)
    _create(location, read, files, who)
    made = None if is_url(location) else read.corpus
    return _Done(added=read.added, corpus=made)


def _format_of(file: _Given, said: _Said) -> "Format":
    from awase.core.formats.registry import FORMATS, format_by_id
    from awase.jobs.importing import format_of_place

    if said.format_id:
        entry = format_by_id(said.format_id)
    else:
        entry = format_of_place(file.path, file.streamed)
    if not entry.reads:
        readable = ", ".join(known.id for known in FORMATS.values() if known.reads)
        raise InputError.of(
            "Format “{id}” can be written, not read.", "Use one of {readable}.",
            id=entry.id, readable=readable,
        )  # fmt: skip
    missing = [f"--{name}" for name in entry.needs if getattr(said, name) is None]
    if missing:
        raise click.UsageError(
            f"“{file.path}” is read as {entry.id}, which does not say everything: "
            f"give {', '.join(missing)}{_or_another_format(file.path, entry, said)}."
        )
    return entry


def _or_another_format(file: Path, entry: "Format", said: _Said) -> str:
    from awase.core.formats.registry import FORMATS

    if said.format_id:
        return ""
    others = [
        f"--format {other.id}"
        for other in FORMATS.values()
        if other is not entry and other.reads and file.name.lower().endswith(other.suffixes)
    ]
    return f"; or name another format: {', '.join(others)}" if others else ""


def _read_all(
    corpus: "Corpus", files: Sequence[_Given], formats: "Sequence[Format]", said: _Said
) -> "FilesRead":
    """Returns what the files hold together, each seeing the files before it."""
    from awase.core.formats.reading.folder import OutsideFiles
    from awase.jobs.importing import read_all

    try:
        with ProgressBar("Reading") as bar:
            read = read_all(
                corpus,
                _import_files(files, formats, said),
                bar,
                aliases=said.aliases,
                allow_outside=said.allow_outside,
            )
    except OutsideFiles as error:
        problems = [replace(problem, hint=_ALLOWING) for problem in error.problems]
        raise OutsideFiles(problems) from error
    print_taken_as(read.taken_as)
    print_problems("warning", read.warnings)
    _check_metrics(read.corpus, said.requests)
    return read


def _check_metrics(corpus: "Corpus", requests: "Sequence[MetricRequest]") -> None:
    """Refuses values of options before anything is written."""
    if requests:
        from awase.core.metrics.registry import signature_of

        for request in requests:
            signature_of(corpus, request)


def _import_files(
    files: Sequence[_Given], formats: "Sequence[Format]", said: _Said
) -> "list[ImportFile]":
    from awase.jobs.importing import ImportFile

    return [
        ImportFile(
            path=file.path,
            format_id=entry.id,
            source=str(file.path),
            encoding=said.encoding,
            topic=said.topic,
            abstract=said.abstract,
            annotator=said.annotator,
            language=said.language,
            part=said.part,
            streamed=file.streamed,
            columns=said.columns,
            # A file may name others from where a program is started that reads it.
            started_in=Path.cwd(),
        )
        for file, entry in zip(files, formats, strict=True)
    ]


def _sources(files: Sequence[_Given]) -> str:
    return ", ".join(file.path.name for file in files)


def _check_new_name(location: str) -> None:
    if not is_url(location) and not location.lower().endswith(".awase"):
        raise InputError.of(
            "There is no corpus “{location}”, and a new one has to end in .awase.",
            "Write: awase import {stem}.awase FILE…",
            location=location, stem=Path(location).stem,
        )  # fmt: skip


def _create(location: str, read: "FilesRead", files: Sequence[_Given], who: str) -> None:
    from awase.jobs.importing import create_with

    with ProgressBar("Writing") as bar:
        create_with(
            location,
            read,
            name=read.corpus.name or Path(location).stem,
            source=_sources(files),
            who=who,
            reporter=bar,
        )
