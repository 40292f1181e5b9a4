"""`awase formats`: which files can be read and written."""

import click

from awase.cli.output.failures import print_problems
from awase.cli.output.tables import print_table
from awase.core.formats.registry import ADDED, FORMATS
from awase.core.reports.grid import Column


@click.command("formats", short_help="List the file formats.")
def command() -> None:
    """List the file formats that `awase import` reads and `awase export` writes."""
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
    print_problems("warning", ADDED.problems())
