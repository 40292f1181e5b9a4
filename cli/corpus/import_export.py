"""`awase import`: the files of one command, or none of them. `awase export`: a corpus as a file."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli import options
from awase.cli.corpora import (
    Reading,
    counts_text,
    is_stored,
    opened_store,
    read_corpus,
    reading_options,
    store_to_read,
)
from awase.cli.output.messages import (
    ProgressBar,
    counted,
    print_problems,
    print_taken_as,
    say,
    warning_record,
)
from awase.cli.output.report import Output, Report, emit, output_target, print_data, report_of_facts
from awase.core.errors import EnvironmentProblem, InputError
from awase.storage.addresses import is_url, without_password

if TYPE_CHECKING:
    from awase.core.formats.importing import FilesRead
    from awase.core.formats.reading.requests import ReadRequest
    from awase.core.formats.registry import Format
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.records.corpus import Corpus
    from awase.core.records.digests import Ownership
    from awase.jobs.exporting import ExportPlan
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """Settings of an import."""

    reading: Reading
    files: "Sequence[ReadRequest]"
    metrics: "Sequence[MetricRequest]"


_ALLOWING = "If you trust these files, add --allow-outside."


@options.corpus_command(
    "import",
    "awase import tsc3.awase corpus.json",
    "awase import tsc3.awase --topic 0310 documents/*.sgml",
    "awase import tsc3.awase --topic 0310 --abstract short --annotator 1 0310.align",
    "awase import tsc3.awase systems.extracts",
    "awase import realsumm.awase --format parallel-text FOLDER --aliases names.tsv",
    "awase import runs.awase today.jsonl --score rouge",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@reading_options()
@options.who_option("imports")
@click.option("--score", "metrics", metavar="NAME[:OPTION=VALUE,…]", multiple=True,
              help="Then print what awase score -m prints for CORPUS; repeatable.")  # fmt: skip
@options.output_options()
@click.pass_context
def import_command(
    ctx: click.Context,
    corpus: str,
    files: tuple[Path, ...],
    reading: Reading,
    who: str,
    metrics: tuple[str, ...],
    output: Output,
) -> None:
    """Import FILES into CORPUS, an .awase file or a database URL, which is created if necessary.

    Some formats are folders: name the folder.

    All files of one command are imported together: if one has a problem, or a metric of --score is
    unknown, nothing is changed.
    """
    options.check_counts(
        "output_format", "as_json", "output_file", "bom", "force",
        where=not metrics, needs="an import without --score; run awase score after it",
    )  # fmt: skip
    asked = _Settings(
        reading=reading,
        files=reading.requests(files),
        metrics=_requests_of(metrics),
    )
    read, made = _import(corpus, asked, who)
    emit(_report(without_password(corpus), read), output)
    if metrics:
        from awase.cli.corpora import as_opened
        from awase.cli.scoring.score import score

        opened = None if made is None else as_opened(made, asked.metrics)
        ctx.invoke(score, corpus=corpus, metrics=metrics, opened=opened)


def _report(corpus: str, read: "FilesRead") -> Report:
    added = read.added.as_dict()
    members = {
        "corpus": corpus,
        "added": added,
        "taken_as": [one.record() for one in read.taken_as],
        "warnings": [warning_record(one) for one in read.warnings],
    }
    shown = [f"{corpus}: added {counts_text(added)}."]
    return replace(report_of_facts(added), shown=lambda: shown, json=members.items)


def _requests_of(metrics: Sequence[str]) -> "Sequence[MetricRequest]":
    if not metrics:
        return ()
    from awase.core.metrics.registry import requests_of

    return requests_of(metrics)


def _import(location: str, asked: _Settings, who: str) -> "tuple[FilesRead, Corpus | None]":
    """Returns what was read, and the corpus if just created."""
    if not is_url(location) and not os.path.exists(Path(location)):
        if not location.lower().endswith(".awase"):
            raise InputError.of(
                "There is no corpus “{location}”, and the name of a new one must end in .awase.",
                "Write: awase import {stem}.awase FILE…",
                location=location, stem=Path(location).stem,
            )  # fmt: skip
        return _import_into_new(location, asked, who)

    try:
        stored = _stored(location, who)
    except EnvironmentProblem:
        if not is_url(location):
            raise
        # An empty database is an error like any other here; only creating a corpus reports it.
        with suppress(EnvironmentProblem):
            return _import_into_new(location, asked, who)
        raise
    from awase.jobs.importing import sources

    with stored, stored.snapshot() as before:
        read = _read_all(before, asked)
    with opened_store(location, who=who) as store, ProgressBar("Writing") as bar:
        store.add(read.addition, who=who, source=sources(asked.files), reporter=bar)
    return read, None


def _stored(location: str, who: str) -> "CorpusStore":
    """Opens the corpus read-only, or migrates an older file."""
    # So a refused import leaves no trace and no backup.
    from awase.storage.store import CorpusStore

    try:
        store = CorpusStore.open(location, who=who, read_only=True)
    except EnvironmentProblem:
        store = opened_store(location, who=who)
    print_problems("warning", store.warnings)
    return store


def _import_into_new(
    location: str, asked: _Settings, who: str
) -> "tuple[FilesRead, Corpus | None]":
    from awase.core.records.corpus import Corpus
    from awase.jobs.importing import create_with, sources

    read = _read_all(Corpus(), asked)
    name, source = read.corpus.name or Path(location).stem, sources(asked.files)
    with ProgressBar("Writing") as bar:
        create_with(location, read, name=name, source=source, who=who, reporter=bar)
    return read, None if is_url(location) else read.corpus


def _read_all(corpus: "Corpus", asked: _Settings) -> "FilesRead":
    """Loads the files, each merging into those before it."""
    from awase.core.formats.reading.requests import OutsideFiles
    from awase.jobs.importing import read_all

    try:
        with ProgressBar("Reading") as bar:
            read = read_all(corpus, asked.files, bar, aliases=asked.reading.aliases)
    except OutsideFiles as error:
        problems = [replace(problem, hint=_ALLOWING) for problem in error.problems]
        raise OutsideFiles(problems) from error
    print_taken_as(read.taken_as)
    print_problems("warning", read.warnings)
    if asked.metrics:
        from awase.core.metrics.registry import signature_of

        for request in asked.metrics:
            signature_of(read.corpus, request)  # validates its options before anything is written
    return read


_STANDARD_OUTPUT = "-"
_WHOLE_CORPUS = "awase-json"


@options.corpus_command(
    "export",
    "awase export tsc3.awase tsc3.json",
    "awase export tsc3.awase - --format extract-lines",
    "awase export tsc3.awase 0310.align --topic 0310 --abstract short --annotator 1",
    "awase export tsc3.awase FOLDER --format parallel-text",
)
@click.argument("target", metavar="FILE")
@options.format_option("Format of the file")
@options.topic_option("Only this topic.")
@click.option("--abstract", metavar="ID", help="Only this abstract, for formats about one.")
@click.option("--annotator", metavar="NAME", help="Only this person's work.")
@click.option(
    "--with-sync",
    is_flag=True,
    help="Also write what copies of the corpus need to be merged again (awase-json).",
)
@click.option(
    "--unassisted",
    is_flag=True,
    help="Leave out entries that began with a suggestion, also from the gold.",
)
@options.force_option()
def export_command(
    corpus: str,
    target: str,
    format_id: str | None,
    topic: str | None,
    abstract: str | None,
    annotator: str | None,
    with_sync: bool,
    unassisted: bool,
    force: bool,
) -> None:
    """Write CORPUS to FILE; - is standard output, as Awase JSON unless a format is named.

    Some formats are folders, which must not exist yet or be empty.
    """
    from awase.core.records.topic import ids_of
    from awase.jobs.exporting import ExportPlan, export, pieces_of
    from awase.jobs.subset import check_known

    if with_sync and unassisted:
        raise InputError.of(
            "--with-sync and --unassisted exclude each other: when merged again, what is left out "
            "would count as undone.",
            "Leave one of them out.",
        )
    entry = _format_of(target, format_id)
    options.check_counts(
        "abstract", where="abstract" in entry.asks, needs="a format about one abstract"
    )
    place = None if target == _STANDARD_OUTPUT else output_target(Path(target), force=force)
    if entry.is_folder and place is None:
        raise InputError.of("Format “{id}” is a folder.", "Name the folder.", id=entry.id)
    options.check_counts("force", where=place is not None and not entry.is_folder, needs="a file")
    if place is not None:
        (place.check_folder if entry.is_folder else place.check)()
    with ProgressBar("Reading"):
        whole, ownership = _copy_of(corpus, entry) if with_sync else (read_corpus(corpus), None)
    if topic is not None:
        check_known("topic", (topic,), ids_of(whole.topics))
    plan = ExportPlan(
        format_id=entry.id,
        topic=topic,
        abstract=abstract,
        annotator=annotator,
        ownership=ownership,
        is_unassisted=unassisted,
    )
    with ProgressBar("Exporting") as bar:
        if place is None:
            pieces = pieces_of(whole, plan, bar)
            # Errors come before any output; Awase JSON has none.
            first = next(pieces, "") if entry.id == _WHOLE_CORPUS else "".join(pieces)
        else:
            n_files = export(whole, plan, place, bar)
    if unassisted:
        _report_omissions(whole, plan)
    if place is None:
        print_data(chain((first,), pieces))
        return
    if entry.is_folder:
        say(f"{target}: written as {entry.id}, {counted(n_files, 'file')}.", err=True)
        return
    say(f"{target}: written as {entry.id}.", err=True)
    if entry.id == _WHOLE_CORPUS:
        _report_parses(corpus)


def _copy_of(corpus: str, entry: "Format") -> "tuple[Corpus, Ownership]":
    """Returns a stored corpus with ids and versions, from one snapshot."""
    if entry.id != _WHOLE_CORPUS or not is_stored(corpus):
        raise InputError.of(
            "--with-sync is for Awase JSON that is written from a corpus file or a database.",
            "Leave it out, or name such a corpus.",
        )
    with store_to_read(corpus) as store:
        print_problems("warning", store.warnings)
        copy = store.copy()
    return copy.corpus, copy.ownership


def _report_omissions(corpus: "Corpus", plan: "ExportPlan") -> None:
    """Reports the entries of the export that began with a suggestion, on standard error."""
    from awase.core.agreement.effect_study import assisted_entries

    found = [
        entry
        for one in corpus.topics
        if plan.topic in (None, one.id)
        for entry in assisted_entries(one)
        if plan.abstract in (None, entry.abstract) and plan.annotator in (None, entry.annotator)
    ]
    say(
        f"Left out, as they began with a suggestion: {counted(len(found), 'entry', 'entries')}.",
        err=True,
    )
    for entry in found:
        say(f"  {entry}", err=True)


def _report_parses(corpus: str) -> None:
    """Reports parses, which JSON cannot hold."""
    if not is_stored(corpus):
        return
    with store_to_read(corpus) as store:
        models = store.parse_models()
    if models:
        say("It contains no parses; awase parse CORPUS --to FILE.conllu writes them.", err=True)


def _format_of(file: str, format_id: str | None) -> "Format":
    from awase.core.formats.registry import FORMATS, format_by_id, format_of_file

    if format_id is None and file == _STANDARD_OUTPUT:
        format_id = _WHOLE_CORPUS
    if format_id is None and file.lower().endswith(".awase"):
        raise InputError.of(
            "An .awase file is made by importing.",
            "Write: awase export CORPUS copy.json, then awase import {file} copy.json.",
            file=file,
        )
    entry = format_by_id(format_id) if format_id else format_of_file(file, for_writing=True)
    if not entry.writes:
        writable = ", ".join(known.id for known in FORMATS.values() if known.writes)
        raise InputError.of(
            "Format “{id}” can be read, not written.", "Use one of {writable}.",
            id=entry.id, writable=writable,
        )  # fmt: skip
    return entry
