"""`awase diff`: what differs between two corpora."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import read_corpus
from awase.cli.arguments.vocabulary import Spelled, output_options

if TYPE_CHECKING:
    from awase.cli.output.forms import Output
    from awase.jobs.comparing import Difference


_EXAMPLES = """\b
Examples:
  awase diff before.awase after.awase
  awase export tsc3.awase - | awase diff - copy.json --json
"""
_COLUMNS = ("change", "part", "topic", "id", "n", "old", "new")


@click.command("diff", cls=Spelled, epilog=_EXAMPLES)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@output_options()
def command(
    first: str,
    second: str,
    output: "Output",
) -> None:
    """Tell what differs between the corpora A and B: topics, texts, alignments, human scores.

    The status is 0 when nothing differs, else 1. Order of topics and of their parts is no
    difference.
    """
    from awase.cli.output.forms import give, of_records
    from awase.jobs.comparing import differences

    found = [*differences(read_corpus(first), read_corpus(second))]
    records = [asdict(one) for one in found]
    give(
        of_records(lambda: _print(found), {"differences": records}, records, columns=_COLUMNS),
        output,
    )
    if found:
        raise click.exceptions.Exit(1)


def _print(found: "list[Difference]") -> None:
    from awase.cli.output.tables import print_table
    from awase.core.reports.grid import Column

    if not found:
        click.echo("Nothing differs.")
        return
    columns = [Column(title=name, is_number=name == "n") for name in _COLUMNS]
    rows = [
        (one.change.value, one.part, one.topic, one.id, "" if one.n is None else str(one.n),
         one.old, one.new)
        for one in found
    ]  # fmt: skip
    print_table(columns, [rows])
