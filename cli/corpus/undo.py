"""`awase undo`: the last act of a person is taken back."""

import click

from awase.cli.arguments.vocabulary import who_option

WHO = who_option("did it")


@click.command("undo")
@click.argument("corpus")
@WHO
def command(corpus: str, who: str | None) -> None:
    """Take back the last act of a person in CORPUS that stands: an edit, an import, a removal."""
    step(corpus, who, is_back=True)


def step(location: str, who: str | None, *, is_back: bool) -> None:
    """Goes one step back or forth in a person's history, and says which."""
    from awase.cli.corpus.importing import user_name
    from awase.storage.store import CorpusStore

    person = who or user_name()
    with CorpusStore.open(location, who=person) as store:
        history = store.history(person)
        steps = history.done if is_back else history.undone
        if is_back:
            store.undo(who=person)
        else:
            store.redo(who=person)
    edit = steps[-1].edit
    done = "taken back" if is_back else "done again"
    click.echo(f"{location}: {edit.verb} {edit.subject}".rstrip() + f": {done}.", err=True)
