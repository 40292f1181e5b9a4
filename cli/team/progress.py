"""`awase progress`: how far everybody is with their work."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.options import CommandOptions, output_options
from awase.cli.output.messages import say
from awase.core.reports.numbers import decimal_text

if TYPE_CHECKING:
    from awase.cli.output.forms import CommandResult, Output
    from awase.jobs.team.standing import ProjectProgress

_EXAMPLES = """\b
Examples:
  awase progress tsc3.awase
  awase progress tsc3.awase --output-format csv
"""


@click.command("progress", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@output_options()
def command(
    corpus: str,
    output: "Output",
) -> None:
    """Tell how far everybody is with CORPUS: work, speed, flags, agreement, due dates.

    Speed is of abstract sentences for which time was logged; agreement is the mean of alpha
    (alternatives) with each other person; taken are suggestions. What is undefined is a dash.
    """
    from awase.cli.output.forms import give
    from awase.cli.output.progress import ProgressBar
    from awase.jobs.team.standing import study_progress
    from awase.storage.store import CorpusStore

    with (
        CorpusStore.open(corpus, who="", read_only=True) as store,
        store.snapshot(with_sources=False) as whole,
        ProgressBar("Comparing") as bar,
    ):
        found = study_progress(whole, store.logged_times(), bar, store.logged_suggestions())
    give(_found(found), output)


def _found(found: "ProjectProgress") -> "CommandResult":
    from awase.cli.output.forms import of_records
    from awase.core.reports.progress_report import CSV_COLUMNS, progress_values

    records = [*map(progress_values, found.people)]
    result = {"people": records, "calibration": _gate(found)}
    return of_records(lambda: _print_people(found), result, records, columns=CSV_COLUMNS)


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


def _print_people(found: "ProjectProgress") -> None:
    from awase.cli.output.tables import print_grid
    from awase.core.reports.agreement_report import names_text
    from awase.core.reports.progress_report import report_of_progress

    print_grid(report_of_progress(found.people))
    if found.gate is None:
        return
    left = ", ".join(f"{who} {n}" for who, n in found.gate.n_left.items())
    say(f"\nfirst, for everybody: {len(found.gate.jobs)} abstracts; sentences left: {left}")
    for row in found.gate_rows:
        say(f"  {names_text(row.annotators)}: alpha {decimal_text(row.alpha)}, "
                   f"{row.n_items} sentences")  # fmt: skip
    if found.gate_reason is not None:
        say(f"  {found.gate_reason}")
    if found.gate.n_unassigned:
        say(f"{found.gate.n_unassigned} abstracts are nobody's yet: awase assign")
