"""`awase diff`: what differs between two corpora."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import read_corpus
from awase.cli.arguments.options import CommandOptions, output_options
from awase.cli.output.messages import say
from awase.cli.output.progress import ProgressBar

if TYPE_CHECKING:
    from awase.cli.output.forms import Output
    from awase.jobs.comparing import Difference


_EXAMPLES = """\b
Examples:
  awase diff before.awase after.awase
  awase export tsc3.awase - | awase diff - copy.json --json
"""
_COLUMNS = ("change", "part", "topic", "id", "n", "old", "new")


@click.command("diff", cls=CommandOptions, epilog=_EXAMPLES)
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
    from awase.cli.output.forms import give, of_many_records
    from awase.jobs.comparing import differences

    old, new = read_corpus(first), read_corpus(second)
    with ProgressBar("Comparing") as bar:
        found = differences(old, new, bar)

    def records() -> Iterator[dict[str, object]]:
        return map(asdict, found)

    give(
        of_many_records(
            lambda: _print(found),
            lambda: [("differences", records())],
            records,
            columns=_COLUMNS,
        ),
        output,
    )
    if found:
        raise click.exceptions.Exit(1)


def _print(found: "Sequence[Difference]") -> None:
    from awase.cli.output.tables import print_table
    from awase.core.reports.grid import Column

    if not found:
        say("Nothing differs.")
        return
    columns = [Column(title=name, is_number=name == "n") for name in _COLUMNS]
    rows = (
        (one.change.value, one.part, one.topic, one.id, "" if one.n is None else str(one.n),
         one.old, one.new)
        for one in found
    )  # fmt: skip
    print_table(columns, [rows])
