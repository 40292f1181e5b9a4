"""`awase undo`: the last act of a person is taken back."""

import click

from awase.cli.arguments.corpora import opened_store
from awase.cli.arguments.options import CommandOptions, who_option
from awase.cli.output.messages import say
from awase.cli.output.progress import ProgressBar
from awase.storage.addresses import without_password

WHO = who_option("did it")


@click.command("undo", cls=CommandOptions)
@click.argument("corpus")
@WHO
def command(corpus: str, who: str) -> None:
    """Take back the last act of a person in CORPUS that stands: an edit, an import, a removal."""
    step(corpus, who, is_back=True)


def step(location: str, who: str, *, is_back: bool) -> None:
    """Goes one step back or forth in a person's history, and says which."""
    title = "Taking back" if is_back else "Doing again"
    with opened_store(location, who=who) as store, ProgressBar(title) as bar:
        history = store.history(who)
        steps = history.done if is_back else history.undone
        if is_back:
            store.undo(who=who, reporter=bar)
        else:
            store.redo(who=who, reporter=bar)
    edit = steps[-1].edit
    done = "taken back" if is_back else "done again"
    told = f"{without_password(location)}: {edit.verb} {edit.subject}".rstrip()
    say(f"{told}: {done}.", err=True)
