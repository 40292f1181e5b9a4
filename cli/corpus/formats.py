"""`awase formats`: which files can be read and written."""

from typing import TYPE_CHECKING

import click

from awase.cli.arguments.options import CommandOptions, output_options
from awase.cli.output.messages import print_problems

if TYPE_CHECKING:
    from awase.cli.output.forms import Output


@click.command("formats", cls=CommandOptions)
@output_options()
def command(output: "Output") -> None:
    """List the file formats that `awase import` reads and `awase export` writes."""
    from awase.cli.output.forms import give, of_records
    from awase.core.formats.registry import ADDED, FORMATS

    records = [
        {
            "id": entry.id,
            "title": entry.title,
            "endings": [*entry.suffixes],
            "is_folder": entry.is_folder,
            "reads": entry.reads,
            "writes": entry.writes,
            "needs": [*entry.needs],
            "may_need": [*entry.may_need],
        }
        for entry in FORMATS.values()
    ]
    give(of_records(_print, {"formats": records}, records), output)
    print_problems("warning", ADDED.problems())


def _print() -> None:
    from awase.cli.output.tables import print_table
    from awase.core.formats.registry import FORMATS
    from awase.core.reports.grid import Column

    columns = [Column(title=title) for title in ("format", "what", "endings", "does", "needs")]
    rows = [
        (
            entry.id,
            entry.title,
            " ".join((*entry.suffixes, *(["folder"] if entry.is_folder else []))),
            " ".join(
                word for word, can in (("reads", entry.reads), ("writes", entry.writes)) if can
            ),
            " ".join(
                [f"--{name}" for name in entry.needs] + [f"[--{name}]" for name in entry.may_need]
            ),
        )
        for entry in FORMATS.values()
    ]
    print_table(columns, [rows])
