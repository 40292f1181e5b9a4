"""`awase demo`: the demonstration corpora as files, their scores, and the window on them."""

from pathlib import Path

import click

from awase.core.metrics.registry import requests_of
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus

LANGUAGES = ("ja", "en")


_EXAMPLES = """\b
Examples:
  awase demo
  awase demo en corpora
  awase demo --window
"""


@click.command(
    "demo", short_help="Write the demonstration corpora and print their scores.", epilog=_EXAMPLES
)
@click.argument("language", type=click.Choice([*LANGUAGES, "all"]), default="all")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--window", is_flag=True, help="Open the window on a demonstration corpus instead.")
@click.pass_context
def command(ctx: click.Context, language: str, folder: Path, window: bool) -> None:
    """Write demo-ja.awase and demo-en.awase to FOLDER (default: here) and print their scores.

    A file that is there already is kept as it is, with all that was done to it.
    """
    if window:
        from awase.cli.main import show_window

        show_window(ctx, None, demo=True)
    from awase.jobs.demonstration import demonstration_file, make_demonstration

    for name in LANGUAGES if language == "all" else (language,):
        is_kept = demonstration_file(name, folder).exists()
        path = make_demonstration(name, folder, who="")
        click.echo(f"{path}: {'kept as it was' if is_kept else 'written'}\n")
        print_scores(_stored(path))
        click.echo()


def print_scores(corpus: Corpus) -> None:
    """Prints the table of the TSC-3 metrics."""
    from awase.cli.output.score_table import print_score_table
    from awase.jobs.scoring import DEFAULT_METRICS, Scores, score

    table = score(corpus, requests_of(DEFAULT_METRICS), Silent())
    print_score_table(Scores(table=table), by_topic=False)


def demonstration_corpus(language: str) -> Corpus:
    """Returns the demonstration corpus in `language`."""
    from awase.core.records.addition import merge
    from awase.jobs.demonstration import demonstration

    return merge(Corpus(), demonstration(language))


def _stored(path: Path) -> Corpus:
    from awase.storage.store import CorpusStore

    with CorpusStore.open(path, who="", read_only=True) as store:
        return store.corpus()
