"""`awase time`: how long annotators worked, from the operation log of a corpus."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import open_corpus
from awase.cli.arguments.options import TIMES_BY, CommandOptions, output_options
from awase.cli.output.messages import print_problems
from awase.cli.output.progress import ProgressBar
from awase.core.errors import NOTHING, InputError

if TYPE_CHECKING:
    from awase.cli.output.forms import Output
    from awase.core.annotation.times import LoggedTime, TimesBy, TimeSpent
    from awase.jobs.team.standing import TimeReport


_EXAMPLES = """\b
Examples:
  awase time tsc3.awase
  awase time tsc3.awase --by sentence --annotator 1 --output-format csv
"""


@click.command("time", cls=CommandOptions, epilog=_EXAMPLES)
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
def command(
    corpus: str,
    by: str,
    annotator: str | None,
    output: "Output",
) -> None:
    """Tell how long annotators worked on CORPUS, as its operation log has it.

    Times are in seconds; a pause counts 30 seconds at most. Where no time was logged, it is
    undefined.
    """
    from awase.cli.output.forms import give, of_many_records
    from awase.core.annotation.times import TimesBy, TimeSpent
    from awase.jobs.team.standing import NAMES, figures_of, report_times

    opened = open_corpus(corpus, with_sources=False)
    print_problems("warning", opened.warnings)
    log = _log(corpus, opened.kind)
    with ProgressBar("Counting") as bar:
        report = report_times(opened.corpus.topics, log, TimesBy(by), bar, annotator=annotator)

    def records() -> Iterator[dict[str, object]]:
        return (_value(line, report.by) for line in report.lines)

    def json() -> Iterable[tuple[str, object]]:
        total = figures_of(report.total)
        return [("by", by), ("times", records()), ("total", total)]

    columns = [*NAMES[report.by], *figures_of(TimeSpent())]
    give(of_many_records(lambda: _print(report), json, records, columns=columns), output)


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


def _value(line: "TimeSpent", by: "TimesBy") -> dict[str, object]:
    from awase.jobs.team.standing import NAMES, figures_of

    return {title: getattr(line, title) for title in NAMES[by]} | figures_of(line)


def _print(report: "TimeReport") -> None:
    from awase.cli.output.tables import print_table
    from awase.core.annotation.times import TimesBy
    from awase.core.reports.grid import Column
    from awase.jobs.team.standing import NAMES

    by = report.by
    columns = [Column(title=title, is_number=title == "n") for title in NAMES[by]]
    measures = ["edits", "time"]
    if by is not TimesBy.SENTENCE:
        measures += ["sentences", "per sentence"]
    columns += [Column(title=title, is_number=True) for title in measures]
    groups = [(_row(line, by) for line in report.lines)] if report.lines else []
    names = ["all", *[""] * (len(NAMES[by]) - 1)]
    print_table(columns, [*groups, [[*names, *_cells(report.total, by)]]])


def _row(line: "TimeSpent", by: "TimesBy") -> list[str]:
    from awase.jobs.team.standing import NAMES

    return [*(str(getattr(line, title)) for title in NAMES[by]), *_cells(line, by)]


def _cells(line: "TimeSpent", by: "TimesBy") -> list[str]:
    from awase.core.annotation.times import TimesBy

    cells = [str(line.n_edits), _clock(line.active_ms)]
    if by is not TimesBy.SENTENCE:
        cells += [str(line.n_sentences), _clock(line.mean_ms)]
    return cells


def _clock(milliseconds: float | None) -> str:
    """Returns a time as people read it: 1:02:03, 4:05, 12.3 s; a dash where it is undefined."""
    if milliseconds is None:
        return NOTHING
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.1f} s"
    minutes, seconds = divmod(round(milliseconds / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
