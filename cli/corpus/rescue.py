"""`awase rescue`: what can still be read of a damaged file, as a new corpus."""

from pathlib import Path

import click

from awase.cli.arguments.options import CommandOptions, who_option
from awase.cli.output.messages import print_problems, say
from awase.cli.output.progress import ProgressBar

_EXAMPLES = """\b
Example:
  awase rescue damaged.awase rescued.awase
"""


@click.command("rescue", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("damaged", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("corpus", type=click.Path(path_type=Path, dir_okay=False))
@who_option("rescues")
def command(damaged: Path, corpus: Path, who: str) -> None:
    """Write everything that can be read of DAMAGED into the new file CORPUS.

    DAMAGED stays as it is. What could not be had is told.
    """
    from awase.jobs.checking import rescue

    with ProgressBar("Rescuing") as bar:
        rescued = rescue(damaged, corpus, who=who, reporter=bar)
    print_problems("lost", rescued.lost)
    say(f"{corpus}: {rescued.n_topics} topics, {rescued.n_entries} aligned sentences.")
