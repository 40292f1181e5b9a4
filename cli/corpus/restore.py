"""`awase restore`: a backup takes the place of its corpus, which is kept beside it."""

from pathlib import Path

import click

from awase.cli.arguments.options import CommandOptions
from awase.cli.output.messages import say
from awase.cli.output.progress import ProgressBar

_EXAMPLES = """\b
Examples:
  awase restore tsc3.awase
  awase restore tsc3.awase tsc3.awase-backups/20261127T093000Z-1204.awase
"""


@click.command("restore", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("backup", required=False, type=click.Path(path_type=Path, dir_okay=False))
def command(corpus: Path, backup: Path | None) -> None:
    """Put BACKUP in the place of the corpus FILE.

    BACKUP is the newest one in FILE-backups in which nothing is damaged, unless it is named. What
    is in FILE now is kept beside it under a dated name, with what SQLite keeps beside it: never
    copy a backup over a corpus by hand.
    """
    from awase.jobs.checking import restore

    with ProgressBar("Restoring") as bar:
        done = restore(corpus, backup, bar)
    say(str(done))
