"""`awase assist-fit`: weights of suggestions fitted on a corpus's own confirmed work."""

from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import opened_store
from awase.cli.arguments.options import CommandOptions, output_options, who_option
from awase.cli.output.progress import ProgressBar

if TYPE_CHECKING:
    from awase.cli.output.forms import CommandResult, Output
    from awase.jobs.team.assisting import Refit


@click.command("assist-fit", cls=CommandOptions)
@click.argument("corpus")
@who_option("changes it")
@output_options()
def command(
    corpus: str,
    who: str,
    output: "Output",
) -> None:
    """Fit the weights of suggestions on the confirmed sentences of CORPUS.

    They are kept when either half of the topics is predicted better by weights of the other half
    than by those in use (average precision of another alternative). It takes 200 sentences;
    of more than 500 topics 500 at most are looked at.
    """
    from awase.cli.output.forms import give
    from awase.core.records.edits.verbs import EDIT_PROJECT
    from awase.jobs.changing import change_corpus
    from awase.jobs.team.assisting import fit_assistance, with_assist

    with opened_store(corpus, who=who) as store:
        with store.snapshot() as whole, ProgressBar("Fitting"):
            refit = fit_assistance(whole)
        if refit.weights:
            change_corpus(
                store, lambda before: with_assist(before, weights=refit.weights),
                verb=EDIT_PROJECT, names=("assistance",), who=who,
            )  # fmt: skip
    give(_found(refit), output)


def _found(refit: "Refit") -> "CommandResult":
    from awase.cli.output.forms import of_facts

    return of_facts(
        {
            "sentences": refit.n_sentences,
            "before": refit.before,
            "after": refit.after,
            "is_kept": bool(refit.weights),
        }
    )
