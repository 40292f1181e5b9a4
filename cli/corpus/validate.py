"""`awase validate`: whether files can be read as they are, and what is odd in them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import is_corpus_file, open_corpus
from awase.cli.arguments.options import CommandOptions, output_options
from awase.cli.arguments.reading import Reading, reading_options
from awase.cli.output.messages import MAX_LINES, full_text, print_problems, print_taken_as, say
from awase.cli.output.progress import ProgressBar
from awase.core.errors import EnvironmentProblem, InputError, Problem

if TYPE_CHECKING:
    from awase.cli.output.forms import Output
    from awase.core.formats.reading.roles import TakenAs
    from awase.core.progress import Reporter
    from awase.core.records.differences import CorpusCounts

_CORPORA = ("awase-file", "database")
_EXAMPLES = """\b
Examples:
  awase validate tsc3.awase
  awase validate systems.jsonl documents/ --json
  zcat scores.csv.gz | awase validate -
"""


@click.command("validate", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("places", nargs=-1, required=True, metavar="FILE…")
@reading_options()
@output_options()
def command(
    places: tuple[str, ...],
    reading: Reading,
    output: "Output",
) -> None:
    """Tell whether corpora, and files of any format, can be read, and what is odd in them.

    Nothing is changed. The status is 0 when all can be read, else 1; what is odd is told and
    changes no status. Damage of a corpus file is what awase check looks for.
    """
    from awase.cli.arguments.corpora import counts_text
    from awase.cli.output.forms import give, of_records

    records: list[dict[str, object]] = []
    errors: list[Problem] = []
    warnings: list[Problem] = []
    taken_as: list[TakenAs] = []
    kinds: list[str] = []
    with ProgressBar("Reading") as bar:
        for at, place in enumerate(places):
            bar.advance(at, len(places), place)
            found: list[Problem] = []
            holds = ""
            try:
                counts, kind, found = _read(place, reading, bar, taken_as)
                holds = counts_text(counts.as_dict())
                kinds.append(kind)
                warnings += found
            except InputError as error:
                kind, own = "", [one.in_source(place) for one in error.problems]
                errors += own
                records += [_record(place, kind, "error", one) for one in own]
            except EnvironmentProblem as error:
                kind = ""
                errors.append(error.problem)
                records.append(_record(place, kind, "error", error.problem))
            records += [_record(place, kind, "warning", one) for one in found]
            if holds:
                records.append({"file": place, "format": kind, "kind": "holds", "message": holds})
    reading.check_used([kind for kind in kinds if kind not in _CORPORA])
    record = {"findings": records, "taken_as": [one.record() for one in taken_as]}
    give(of_records(lambda: _print(records), record, records), output)
    print_taken_as(taken_as)
    print_problems("warning", warnings)
    print_problems("error", errors[:MAX_LINES])
    if errors:
        raise click.exceptions.Exit(1)


def _read(
    place: str, reading: Reading, reporter: "Reporter", taken_as: "list[TakenAs]"
) -> "tuple[CorpusCounts, str, list[Problem]]":
    """Returns how much a place holds, its format, and what is odd; adds what was taken as what."""
    from awase.core.formats.reading.findings import corpus_warnings
    from awase.core.records.corpus import Corpus
    from awase.core.records.differences import CorpusCounts

    if reading.format_id is None and is_corpus_file(place):
        opened = open_corpus(place)
        counts = CorpusCounts.of(opened.corpus)
        return counts, opened.kind, [*opened.warnings, *corpus_warnings(opened.corpus)]
    from awase.core.progress import Silent
    from awase.jobs.importing import read_all

    file = reading.request(Path(place))
    read = read_all(Corpus(), [file], Silent(), allow_outside=reading.allow_outside)
    taken_as += read.taken_as
    return read.added, file.format_id, [*read.warnings]


def _record(place: str, kind: str, what: str, problem: Problem) -> dict[str, object]:
    return {"file": place, "format": kind, "kind": what, "message": full_text(problem)}


def _print(records: list[dict[str, object]]) -> None:
    for record in records:
        if record["kind"] == "holds":
            say(f"{record['file']} ({record['format']}): {record['message']}")
