"""`awase check`: whether a corpus is still what was written into it."""

from pathlib import Path

import click

from awase.cli.arguments.options import CommandOptions
from awase.cli.output.messages import EXIT_DATA, print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.storage.addresses import without_password

_EXAMPLES = """\b
Example:
  awase check tsc3.awase
"""


@click.command("check", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
def command(corpus: str) -> None:
    """Compare everything in CORPUS with the digests that were stored with it.

    What changed on the disk behind the program's back is named, and the newest backup in which
    nothing is damaged. The exit status is 1 then.
    """
    from awase.jobs.checking import check_corpus
    from awase.storage.store import CorpusStore

    with (
        CorpusStore.open(corpus, who="", read_only=True) as store,
        ProgressBar("Checking") as bar,
    ):
        found = check_corpus(store, bar)
    if not found.damage:
        say(f"{without_password(corpus)}: nothing is damaged.")
        return
    print_problems("damage", found.damage)
    if found.backup is not None:
        say(f"The newest backup without damage: {found.backup}", err=True)
        say(f"To take it: awase restore {Path(corpus)}", err=True)
    else:
        say(f"What can be read: awase rescue {Path(corpus)} NEW.awase", err=True)
    raise click.exceptions.Exit(EXIT_DATA)
