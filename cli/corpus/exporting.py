"""`awase export`: a corpus, or a part of it, becomes a file that is complete or not there."""

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.corpora import is_stored, read_corpus
from awase.cli.options import (
    CommandOptions,
    check_counts,
    force_option,
    format_option,
    topic_option,
)
from awase.cli.output.messages import ProgressBar, counted, say
from awase.core.errors import InputError

if TYPE_CHECKING:
    from awase.core.formats.registry import Format
    from awase.core.records.corpus import Corpus
    from awase.core.records.digests import Ownership


_STANDARD_OUTPUT = "-"
_WHOLE_CORPUS = "awase-json"


_EXAMPLES = """\b
Examples:
  awase export tsc3.awase tsc3.json
  awase export tsc3.awase - --format extract-lines
  awase export tsc3.awase 0310.align --topic 0310 --abstract short --annotator 1
  awase export tsc3.awase FOLDER --format parallel-text
"""


@click.command("export", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@click.argument("target", metavar="FILE")
@format_option("Format of the file")
@topic_option("Only this topic.")
@click.option("--abstract", metavar="ID", help="Only this abstract, for formats about one.")
@click.option("--annotator", metavar="NAME", help="Only this person's work.")
@click.option(
    "--with-sync",
    is_flag=True,
    help="Write what copies of the corpus need to be joined again, too (awase-json).",
)
@click.option(
    "--unassisted",
    is_flag=True,
    help="Leave out entries that began with a suggestion, and what gold has of them.",
)
@force_option()
def command(
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
    """Write CORPUS to FILE; - is standard output, as Awase JSON when no format is named.

    Some formats are folders, which must not exist yet or be empty.
    """
    from awase.cli.output.render import print_pieces
    from awase.cli.output.report import output_target
    from awase.core.records.topic import ids_of
    from awase.jobs.exporting import ExportPlan, export, pieces_of
    from awase.jobs.subset import check_known

    if with_sync and unassisted:
        raise InputError.of(
            "--with-sync and --unassisted exclude each other: joined again, what is left out "
            "would count as taken back.",
            "Leave one of them out.",
        )
    entry = _format_of(target, format_id)
    check_counts("abstract", where="abstract" in entry.asks, needs="a format about one abstract")
    place = None if target == _STANDARD_OUTPUT else output_target(Path(target), force=force)
    if entry.is_folder and place is None:
        raise InputError.of("Format “{id}” is a folder.", "Name the folder.", id=entry.id)
    check_counts("force", where=place is not None and not entry.is_folder, needs="a file")
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
        _tell_what_is_left_out(whole, topic)
    if place is None:
        print_pieces(chain((first,), pieces))
        return
    if entry.is_folder:
        say(f"{target}: written as {entry.id}, {counted(n_files, 'file')}.", err=True)
        return
    say(f"{target}: written as {entry.id}.", err=True)
    if entry.id == _WHOLE_CORPUS:
        _tell_what_stays(corpus)


def _copy_of(corpus: str, entry: "Format") -> "tuple[Corpus, Ownership]":
    """Returns a stored corpus with ids and versions, from one snapshot."""
    from awase.cli.output.messages import print_problems
    from awase.storage.store import CorpusStore

    if entry.id != _WHOLE_CORPUS or not is_stored(corpus):
        raise InputError.of(
            "--with-sync is for Awase JSON that is written from a corpus file or a database.",
            "Leave it out, or name such a corpus.",
        )
    with CorpusStore.open(corpus, who="", read_only=True) as store:
        print_problems("warning", store.warnings)
        copy = store.copy()
    return copy.corpus, copy.ownership


def _tell_what_is_left_out(corpus: "Corpus", topic: str | None) -> None:
    """Reports the entries that began with a suggestion, on standard error."""
    from awase.core.agreement.effect_study import assisted_entries

    found = [
        entry for one in corpus.topics if topic in (None, one.id) for entry in assisted_entries(one)
    ]
    say(
        f"Left out, as they began with a suggestion: {counted(len(found), 'entry', 'entries')}.",
        err=True,
    )
    for entry in found:
        say(f"  {entry}", err=True)


def _tell_what_stays(corpus: str) -> None:
    """Reports parses, which JSON cannot hold."""
    from awase.storage.store import CorpusStore

    if not is_stored(corpus):
        return
    with CorpusStore.open(corpus, who="", read_only=True) as store:
        models = store.parse_models()
    if models:
        say("Parses are not in it; awase parse CORPUS --to FILE.conllu writes them.", err=True)


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
