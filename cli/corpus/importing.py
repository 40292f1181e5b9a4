"""`awase import`: files join a corpus, all of them or none."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.corpora import Reading, counts_text, opened_store, reading_options
from awase.cli.options import CommandOptions, check_counts, output_options, who_option
from awase.cli.output.messages import ProgressBar, print_problems, print_taken_as
from awase.cli.output.report import Output, Report, emit, report_of_facts
from awase.core.errors import EnvironmentProblem, InputError
from awase.storage.addresses import is_url, without_password

if TYPE_CHECKING:
    from awase.core.formats.importing import FilesRead
    from awase.core.formats.reading.requests import ReadRequest
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.records.corpus import Corpus
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """Settings of an import."""

    reading: Reading
    files: "Sequence[ReadRequest]"
    metrics: "Sequence[MetricRequest]"

    @property
    def sources(self) -> str:
        """The log's name for the files."""
        return ", ".join(Path(file.source).name for file in self.files)


_ALLOWING = "If you know who wrote these files and what they ask for, add --allow-outside."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """What was read, and the corpus if just created."""

    read: "FilesRead"
    corpus: "Corpus | None" = None


_EXAMPLES = """\b
Examples:
  awase import tsc3.awase corpus.json
  awase import tsc3.awase --topic 0310 documents/*.sgml
  awase import tsc3.awase --topic 0310 --abstract short --annotator 1 0310.align
  awase import tsc3.awase systems.extracts
  awase import realsumm.awase --format parallel-text FOLDER --aliases names.tsv
  awase import runs.awase today.jsonl --score rouge
"""


@click.command("import", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@reading_options()
@who_option("imports")
@click.option("--score", "metrics", metavar="NAME[:OPTION=VALUE,…]", multiple=True,
              help="Then print what awase score -m prints of CORPUS; may be repeated.")  # fmt: skip
@output_options()
@click.pass_context
def command(
    ctx: click.Context,
    corpus: str,
    files: tuple[Path, ...],
    reading: Reading,
    who: str,
    metrics: tuple[str, ...],
    output: Output,
) -> None:
    """Join FILES to CORPUS, an .awase file or a database URL, which is made when it is not there.

    Some formats are folders: name the folder.

    All files of one command join together: when one has a problem, or a metric of --score is not
    known, nothing is changed.
    """
    check_counts(
        "output_format", "as_json", "output_file", "bom", "force",
        where=not metrics, needs="an import without --score; run awase score after it",
    )  # fmt: skip
    asked = _Asked(
        reading=reading,
        files=reading.requests(files),
        metrics=_requests_of(metrics),
    )
    done = _import(corpus, asked, who)
    emit(_report(without_password(corpus), done.read), output)
    if metrics:
        from awase.cli.corpora import as_opened
        from awase.cli.scoring.score import score

        opened = None if done.corpus is None else as_opened(done.corpus, asked.metrics)
        ctx.invoke(score, corpus=corpus, metrics=metrics, opened=opened)


def _report(corpus: str, read: "FilesRead") -> Report:
    from awase.cli.output.score_output import warning_record

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


def _import(location: str, asked: _Asked, who: str) -> _Done:
    if not is_url(location) and not os.path.exists(Path(location)):
        _check_new_name(location)
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
    with stored, stored.snapshot() as before:
        read = _read_all(before, asked)
    with opened_store(location, who=who) as store, ProgressBar("Writing") as bar:
        store.add(read.addition, who=who, source=asked.sources, reporter=bar)
    return _Done(read=read)


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


def _import_into_new(location: str, asked: _Asked, who: str) -> _Done:
    from awase.core.records.corpus import Corpus

    read = _read_all(Corpus(), asked)
    _create(location, read, asked.sources, who)
    made = None if is_url(location) else read.corpus
    return _Done(read=read, corpus=made)


def _read_all(corpus: "Corpus", asked: _Asked) -> "FilesRead":
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
    _check_metrics(read.corpus, asked.metrics)
    return read


def _check_metrics(corpus: "Corpus", requests: "Sequence[MetricRequest]") -> None:
    """Validates option values before anything is written."""
    if requests:
        from awase.core.metrics.registry import signature_of

        for request in requests:
            signature_of(corpus, request)


def _check_new_name(location: str) -> None:
    if not is_url(location) and not location.lower().endswith(".awase"):
        raise InputError.of(
            "There is no corpus “{location}”, and a new one has to end in .awase.",
            "Write: awase import {stem}.awase FILE…",
            location=location, stem=Path(location).stem,
        )  # fmt: skip


def _create(location: str, read: "FilesRead", source: str, who: str) -> None:
    from awase.jobs.importing import create_with

    with ProgressBar("Writing") as bar:
        create_with(
            location,
            read,
            name=read.corpus.name or Path(location).stem,
            source=source,
            who=who,
            reporter=bar,
        )
