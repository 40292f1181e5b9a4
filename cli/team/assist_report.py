"""`awase assist-report`: what assistance did, against sentences shown without it."""

from typing import TYPE_CHECKING

import click

from awase.cli.arguments.options import CommandOptions, output_options
from awase.cli.output.messages import say
from awase.core.errors import NOTHING

if TYPE_CHECKING:
    from awase.cli.output.forms import CommandResult, Output
    from awase.jobs.team.assisting import AssistStudy


@click.command("assist-report", cls=CommandOptions)
@click.argument("corpus")
@output_options()
def command(
    corpus: str,
    output: "Output",
) -> None:
    """Compare sentences of CORPUS shown with help with those shown without.

    Medians of seconds and keys (difference as a share of control), how often the suggestion is in
    what was decided, the same where gold calls the suggestion wrong (the difference there is the
    anchor index), and alpha among all annotators. Intervals are of 95 %, from bootstrap samples of
    the topics, where there are eight or more. Sentences with decoys are in no group; those taken
    are listed, to be done again.
    """
    from awase.cli.output.forms import give
    from awase.cli.output.progress import ProgressBar
    from awase.jobs.team.assisting import study_assistance
    from awase.storage.store import CorpusStore

    with CorpusStore.open(corpus, who="", read_only=True) as store, ProgressBar("Comparing") as bar:
        study = study_assistance(store, bar)
    give(_found(study), output)


def _found(study: "AssistStudy") -> "CommandResult":
    from dataclasses import asdict

    from awase.cli.output.forms import of_records

    records: list[dict[str, object]] = [asdict(row) for row in study.compared]
    result = {
        "assisted": study.n_assisted,
        "control": study.n_control,
        "compared": records,
        "decoys": [asdict(one) for one in study.decoys],
    }

    def show() -> None:
        say(f"sentences  assisted {study.n_assisted}  control {study.n_control}")
        for row in study.compared:
            cells = (row.assisted, row.control, row.difference, row.low, row.high)
            texts = [NOTHING if cell is None else f"{cell:.3f}" for cell in cells]
            interval = "" if row.low is None else f" [{texts[3]}, {texts[4]}]"
            say(f"{row.what:<14} {texts[0]:>8} {texts[1]:>8}   {texts[2]}{interval}")
        if study.decoys:
            taken = [one for one in study.decoys if one.is_taken]
            say(f"decoys  seen {len(study.decoys)}  taken {len(taken)}")
            for one in taken:
                say(f"  {one.annotator}: {one.topic} {one.abstract} {one.n}")

    return of_records(
        show, result, records, (),
        columns=("what", "assisted", "control", "difference", "low", "high"),
    )  # fmt: skip
