"""`awase demo`: the demonstration corpora as files, their scores, and the window on them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.options import CommandOptions, check_counts
from awase.cli.output.messages import say

if TYPE_CHECKING:
    from awase.core.records.corpus import Corpus


LANGUAGES = ("ja", "en")


_EXAMPLES = """\b
Examples:
  awase demo
  awase demo en corpora
  awase demo --window
"""


@click.command("demo", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("language", type=click.Choice([*LANGUAGES, "all"]), default="all")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--window", is_flag=True, help="Open the window on a demonstration corpus instead.")
@click.pass_context
def command(ctx: click.Context, language: str, folder: Path, window: bool) -> None:
    """Write demo-ja.awase and demo-en.awase to FOLDER (default: here) and print their scores.

    A file that is there already is kept as it is, with all that was done to it.
    """
    from awase.cli.window import print_scores

    if window:
        check_counts("language", "folder", where=False, needs="files, not with --window")
        from awase.cli.window import show_window

        show_window(ctx, None, demo=True)
    from awase.jobs.demonstration import demonstration_file, make_demonstration

    for name in LANGUAGES if language == "all" else (language,):
        is_kept = demonstration_file(name, folder).exists()
        path = make_demonstration(name, folder, who="")
        say(f"{path}: {'kept as it was' if is_kept else 'written'}\n")
        print_scores(_stored(path))
        say()


def _stored(path: Path) -> "Corpus":
    from awase.storage.store import CorpusStore

    with CorpusStore.open(path, who="", read_only=True) as store:
        return store.corpus()
