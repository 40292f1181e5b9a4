"""`awase assist`: how annotators of a corpus are helped."""

from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import opened_store
from awase.cli.arguments.options import (
    CommandOptions,
    check_counts,
    output_options,
    seed_option,
    who_option,
)
from awase.cli.output.progress import ProgressBar

if TYPE_CHECKING:
    from awase.cli.output.forms import CommandResult, Output
    from awase.core.records.assist import AssistSettings
    from awase.core.records.corpus import Corpus

_EXAMPLES = """\b
Examples:
  awase assist tsc3.awase
  awase assist tsc3.awase --assist-level 3 --control 20 --seed 7
"""


@click.command("assist", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@click.option(
    "--assist-level", type=click.IntRange(0, 4), default=None,
    help="0 document order, 1 ranked, 2 marks, 3 and 4 suggestions.",
)  # fmt: skip
@click.option(
    "--control", type=click.IntRange(0, 90), default=None,
    help="Percent of sentences shown at level 1, to compare with; 0 = none.",
)  # fmt: skip
@click.option(
    "--decoys", type=click.IntRange(0, 10), default=None,
    help="Percent of the other sentences with wrong suggestions, to see who reads; 0 = none.",
)  # fmt: skip
@seed_option(None, "Of the draw of those sentences.")
@who_option("changes it")
@output_options()
def command(
    corpus: str,
    assist_level: int | None,
    control: int | None,
    decoys: int | None,
    seed: int | None,
    who: str,
    output: "Output",
) -> None:
    """Tell how annotators of CORPUS are helped, or change it.

    Everybody sees the same; a change shows when the corpus is opened next. With --control, keys are
    counted and `awase assist-report` compares.
    """
    from awase.cli.output.forms import give
    from awase.core.records.edits.verbs import EDIT_PROJECT
    from awase.jobs.changing import change_corpus
    from awase.jobs.team.assisting import with_assist

    def change(before: "Corpus") -> "Corpus":
        return with_assist(
            before, level=assist_level, control_percent=control, decoy_percent=decoys, seed=seed
        )

    is_change = any(one is not None for one in (assist_level, control, decoys, seed))
    check_counts("who", where=is_change, needs="a change")
    with opened_store(corpus, who=who, read_only=not is_change) as store:
        if is_change:
            with ProgressBar("Changing") as bar:
                change_corpus(
                    store, change, verb=EDIT_PROJECT, names=("assistance",), who=who, reporter=bar
                )
        settings = store.corpus().assist
    give(_found(settings), output)


def _found(settings: "AssistSettings") -> "CommandResult":
    from awase.cli.output.forms import of_facts

    return of_facts(
        {
            "level": settings.level,
            "control_percent": settings.control_percent,
            "decoy_percent": settings.decoy_percent,
            "seed": settings.seed,
            "has_own_weights": bool(settings.weights),
        }
    )
