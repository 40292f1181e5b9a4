"""`awase progress`: how far everybody is with their work."""

import csv
import json
from io import StringIO
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from awase.jobs.team.progress import ProjectProgress

_EXAMPLES = """\b
Examples:
  awase progress tsc3.awase
  awase progress tsc3.awase --csv
"""


@click.command("progress", epilog=_EXAMPLES)
@click.argument("corpus")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
def command(corpus: str, as_json: bool, as_csv: bool) -> None:
    """Tell how far everybody is with CORPUS: work, speed, flags, agreement, due dates.

    Speed is of abstract sentences for which time was logged; agreement is the mean of alpha
    (alternatives) with each other person. What is undefined is a dash.
    """
    from awase.cli.output.progress import ProgressBar
    from awase.core.reports.progress_report import CSV_COLUMNS, progress_values
    from awase.jobs.team.progress import study_progress
    from awase.storage.store import CorpusStore

    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other.")
    with CorpusStore.open(corpus, who="", read_only=True) as store, ProgressBar("agreement") as bar:
        found = study_progress(store.corpus(), store.logged_times(), bar)
    if as_json:
        gate = None
        if found.gate is not None:
            gate = {
                "abstracts": [{"topic": job.topic, "abstract": job.abstract}
                              for job in found.gate.jobs],
                "sentences_left": dict(found.gate.n_left),
                "agreement": [
                    {"annotators": [*row.annotators], "alpha": row.alpha, "items": row.n_items}
                    for row in found.gate_rows
                ],
            }  # fmt: skip
        values = {"people": [*map(progress_values, found.people)], "calibration": gate}
        click.echo(json.dumps(values, ensure_ascii=False, allow_nan=False, indent=2))
        return
    if as_csv:
        text = StringIO()
        writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(progress_values, found.people))
        click.echo(text.getvalue(), nl=False)
        return
    _print_people(found)


def _print_people(found: "ProjectProgress") -> None:
    from awase.cli.output.tables import print_grid
    from awase.core.reports.agreement_report import names_text, number_text
    from awase.core.reports.progress_report import report_of_progress

    print_grid(report_of_progress(found.people))
    if found.gate is None:
        return
    left = ", ".join(f"{who} {n}" for who, n in found.gate.n_left.items())
    click.echo(f"\nfirst, for everybody: {len(found.gate.jobs)} abstracts; sentences left: {left}")
    for row in found.gate_rows:
        click.echo(f"  {names_text(row.annotators)}: alpha {number_text(row.alpha)}, "
                   f"{row.n_items} sentences")  # fmt: skip
    if found.gate_reason is not None:
        click.echo(f"  {found.gate_reason}")
    if found.gate.n_unassigned:
        click.echo(f"{found.gate.n_unassigned} abstracts are nobody's yet: awase assign")
