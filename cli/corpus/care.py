"""Steps back and damage: `awase undo`, `redo`, `check`, `rescue` and `restore`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.corpora import opened_store
from awase.cli.options import CommandOptions, who_option
from awase.cli.output.messages import EXIT_DATA, counted, print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.storage.addresses import without_password

if TYPE_CHECKING:  # records take time to load, and help needs none
    from awase.core.records.edit import Edit

_EXAMPLES_OF_CHECK = """\b
Example:
  awase check tsc3.awase
"""
_EXAMPLES_OF_RESCUE = """\b
Example:
  awase rescue damaged.awase rescued.awase
"""
_EXAMPLES_OF_RESTORE = """\b
Examples:
  awase restore tsc3.awase
  awase restore tsc3.awase tsc3.awase-backups/20261127T093000Z-1204.awase
"""
_WHO = who_option("did it")
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("undo", cls=CommandOptions)
@click.argument("corpus")
@_WHO
def undo(corpus: str, who: str) -> None:
    """Take back the last act of a person in CORPUS that stands: an edit, an import, a removal."""
    with opened_store(corpus, who=who) as store, ProgressBar("Taking back") as bar:
        steps = store.history(who).done
        store.undo(who=who, reporter=bar)
    _say_step(corpus, steps[-1].edit, "taken back")


@click.command("redo", cls=CommandOptions)
@click.argument("corpus")
@_WHO
def redo(corpus: str, who: str) -> None:
    """Do again what was taken back last in CORPUS."""
    with opened_store(corpus, who=who) as store, ProgressBar("Doing again") as bar:
        steps = store.history(who).undone
        store.redo(who=who, reporter=bar)
    _say_step(corpus, steps[-1].edit, "done again")


def _say_step(corpus: str, edit: "Edit", what: str) -> None:
    act = f"{without_password(corpus)}: {edit.verb} {edit.subject}".rstrip()
    say(f"{act}: {what}.", err=True)


@click.command("check", cls=CommandOptions, epilog=_EXAMPLES_OF_CHECK)
@click.argument("corpus")
def check(corpus: str) -> None:
    """Compare everything in CORPUS with the digests that were stored with it.

    What changed on the disk behind the program's back is named, and the newest backup in which
    nothing is damaged. The exit status is 1 then.
    """
    from awase.jobs.checking import check_corpus
    from awase.storage.store import CorpusStore

    with CorpusStore.open(corpus, who="", read_only=True) as store, ProgressBar("Checking") as bar:
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


@click.command("rescue", cls=CommandOptions, epilog=_EXAMPLES_OF_RESCUE)
@click.argument("damaged", type=_FILE)
@click.argument("corpus", type=_FILE)
@who_option("rescues")
def rescue(damaged: Path, corpus: Path, who: str) -> None:
    """Write everything that can be read of DAMAGED into the new file CORPUS.

    DAMAGED stays as it is. What could not be had is told.
    """
    from awase.jobs import checking

    with ProgressBar("Rescuing") as bar:
        rescued = checking.rescue(damaged, corpus, who=who, reporter=bar)
    print_problems("lost", rescued.lost)
    topics = counted(rescued.n_topics, "topic")
    say(f"{corpus}: {topics}, {counted(rescued.n_entries, 'aligned sentence')}.")


@click.command("restore", cls=CommandOptions, epilog=_EXAMPLES_OF_RESTORE)
@click.argument("corpus", metavar="FILE", type=_FILE)
@click.argument("backup", required=False, type=_FILE)
def restore(corpus: Path, backup: Path | None) -> None:
    """Put BACKUP in the place of the corpus FILE.

    BACKUP is the newest one in FILE-backups in which nothing is damaged, unless it is named. What
    is in FILE now is kept beside it under a dated name, with what SQLite keeps beside it: never
    copy a backup over a corpus by hand.
    """
    from awase.jobs import checking

    with ProgressBar("Restoring") as bar:
        done = checking.restore(corpus, backup, bar)
    say(str(done))
