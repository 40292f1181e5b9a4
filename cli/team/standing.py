"""How far people are and how long they worked: `awase progress`, `awase time`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from awase.cli.corpora import open_corpus
from awase.cli.options import TIMES_BY, CommandOptions, output_options
from awase.cli.output.messages import counted, print_problems
from awase.cli.output.progress import ProgressBar
from awase.cli.output.report import Output, Report, emit, report_of
from awase.core.errors import NOTHING, InputError
from awase.core.reports.grid import Cell, Shown, grid_of_records, records_of
from awase.core.reports.numbers import decimal_text

if TYPE_CHECKING:
    from awase.core.annotation.times import LoggedTime
    from awase.jobs.team.standing import ProjectProgress, TimeReport

_EXAMPLES_OF_PROGRESS = """\b
Examples:
  awase progress tsc3.awase
  awase progress tsc3.awase --output-format csv
"""


@click.command("progress", cls=CommandOptions, epilog=_EXAMPLES_OF_PROGRESS)
@click.argument("corpus")
@output_options()
def progress(corpus: str, output: Output) -> None:
    """Tell how far everybody is with CORPUS: work, speed, flags, agreement, due dates.

    Speed is of abstract sentences for which time was logged; agreement is the mean of alpha
    (alternatives) with each other person; taken are suggestions. What is undefined is a dash.
    """
    from awase.jobs.team.standing import study_progress
    from awase.storage.store import CorpusStore

    with (
        CorpusStore.open(corpus, who="", read_only=True) as store,
        store.snapshot(with_sources=False) as whole,
        ProgressBar("Comparing") as bar,
    ):
        found = study_progress(whole, store.logged_times(), bar, store.logged_suggestions())
    emit(_report_of_progress(found), output)


def _report_of_progress(found: "ProjectProgress") -> Report:
    from awase.core.reports.progress_report import FIELDS

    json = {"people": [*records_of(FIELDS, found.people)], "calibration": _gate(found)}
    return report_of(FIELDS, found.people, shown=lambda: _progress_shown(found), json=json.items)


def _gate(found: "ProjectProgress") -> Mapping[str, object] | None:
    if found.gate is None:
        return None
    return {
        "abstracts": [{"topic": job.topic, "abstract": job.abstract} for job in found.gate.jobs],
        "sentences_left": dict(found.gate.n_left),
        "agreement": [
            {"annotators": [*row.annotators], "alpha": row.alpha, "items": row.n_items}
            for row in found.gate_rows
        ],
    }


def _progress_shown(found: "ProjectProgress") -> Shown:
    from awase.core.reports.agreement_report import names_text
    from awase.core.reports.progress_report import report_of_progress

    yield report_of_progress(found.people)
    if found.gate is None:
        return
    left = ", ".join(f"{who} {n}" for who, n in found.gate.n_left.items())
    jobs = counted(len(found.gate.jobs), "abstract")
    yield f"\nfirst, for everybody: {jobs}; sentences left: {left}"
    for row in found.gate_rows:
        yield (
            f"  {names_text(row.annotators)}: alpha {decimal_text(row.alpha)}, "
            f"{counted(row.n_items, 'sentence')}"
        )
    if found.gate_reason is not None:
        yield f"  {found.gate_reason}"
    if found.gate.n_unassigned:
        left = counted(found.gate.n_unassigned, "abstract is", "abstracts are")
        yield f"{left} nobody's yet: awase assign"


_EXAMPLES_OF_TIME = """\b
Examples:
  awase time tsc3.awase
  awase time tsc3.awase --by sentence --annotator 1 --output-format csv
"""


@click.command("time", cls=CommandOptions, epilog=_EXAMPLES_OF_TIME)
@click.argument("corpus")
@click.option(
    "--by",
    type=click.Choice(TIMES_BY),
    default="annotator",
    show_default=True,
    help="What a line is about.",
)
@click.option("--annotator", help="Count this annotator's work only.")
@output_options()
def time(corpus: str, by: str, annotator: str | None, output: Output) -> None:
    """Tell how long annotators worked on CORPUS, as its operation log has it.

    Times are in seconds; a pause counts 30 seconds at most. Where no time was logged, it is
    undefined.
    """
    from awase.core.annotation.times import TimesBy
    from awase.jobs.team.standing import report_times

    opened = open_corpus(corpus, with_sources=False)
    print_problems("warning", opened.warnings)
    log = _log(corpus, opened.kind)
    with ProgressBar("Counting") as bar:
        report = report_times(opened.corpus.topics, log, TimesBy(by), bar, annotator=annotator)
    emit(_report_of_times(report), output)


def _log(location: str, kind: str) -> "Sequence[LoggedTime]":
    if kind == "awase-json":
        raise InputError.of(
            "“{name}” has no operation log, so no times.",
            "Name the .awase file or the database in which people worked.",
            name=location,
        )
    from awase.storage.store import CorpusStore

    with CorpusStore.open(location, who="", read_only=True) as store:
        return store.logged_times()


def _report_of_times(report: "TimeReport") -> Report:
    from awase.jobs.team.standing import time_fields

    names, figures = time_fields(report.by, _clock)
    fields = [*names, *figures]

    def shown() -> Shown:
        table = grid_of_records(fields, report.lines)
        measures = (one.text_of(report.total) for one in figures if one.title)
        total = ("all", *[""] * (len(names) - 1), *measures)
        yield replace(table, rows=(*table.rows, tuple(Cell(text=text) for text in total)))

    def json() -> Iterator[tuple[str, object]]:
        yield "by", report.by.value
        yield "times", records_of(fields, report.lines)
        yield "total", next(records_of(figures, [report.total]))

    return report_of(fields, report.lines, shown=shown, json=json)


def _clock(milliseconds: float | None) -> str:
    """Formats a duration: 1:02:03, 4:05, 12.3 s; a dash if undefined."""
    if milliseconds is None:
        return NOTHING
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.1f} s"
    minutes, seconds = divmod(round(milliseconds / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
