"""`awase redo`: what was taken back last is done again."""

import click

from awase.cli.arguments.options import CommandOptions
from awase.cli.corpus.undo import WHO


@click.command("redo", cls=CommandOptions)
@click.argument("corpus")
@WHO
def command(corpus: str, who: str) -> None:
    """Do again what was taken back last in CORPUS."""
    from awase.cli.corpus.undo import step

    step(corpus, who, is_back=False)
