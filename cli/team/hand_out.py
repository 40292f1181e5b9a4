"""`awase hand-out`: one person's work as a file of their own."""

from pathlib import Path

import click

from awase.cli.arguments.options import CommandOptions, who_option
from awase.cli.output.messages import say
from awase.cli.output.progress import ProgressBar

_EXAMPLES = """\b
Example:
  awase hand-out tsc3.awase --to A2 a2.awase
"""


@click.command("hand-out", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--to", "person", metavar="PERSON", required=True, help="Who takes it along.")
@who_option("hands out")
def command(corpus: str, file: Path, person: str, who: str) -> None:
    """Write PERSON's topics and alignments from CORPUS into the new FILE.

    Others' alignments, the gold and human scores are not in it. Without assignments it has every
    topic. What comes back is joined by awase merge.
    """
    from awase.jobs.team.copies import hand_out
    from awase.storage.store import CorpusStore

    with (
        CorpusStore.open(corpus, who="", read_only=True) as store,
        ProgressBar("Handing out") as bar,
    ):
        made = hand_out(store, person, file, who=who, reporter=bar)
    say(f"{file}: {made.n_topics} topics, {made.n_sentences} abstract sentences.")
