"""`awase assist-report`: what assistance did, against sentences shown without it."""

from typing import TYPE_CHECKING

import click

from awase.cli.arguments.vocabulary import Spelled, output_options

if TYPE_CHECKING:
    from awase.cli.output.forms import Found, Output
    from awase.core.assist.study import AssistItem, Compared


@click.command("assist-report", cls=Spelled)
@click.argument("corpus")
@output_options()
def command(
    corpus: str,
    output: "Output",
) -> None:
    """Compare sentences of CORPUS shown with help with those shown without.

    Medians of seconds and keys (difference as a share of control), how often the suggestion is in
    what was decided, and the same where gold calls the suggestion wrong: the difference there is
    the anchor index. Intervals are of 95 %, from bootstrap samples of the topics.
    """
    from awase.cli.output.forms import give
    from awase.jobs.team.assisting import compare_assistance
    from awase.storage.store import CorpusStore

    with CorpusStore.open(corpus, who="", read_only=True) as store:
        items, rows = compare_assistance(store)
    give(_found(items, rows), output)


def _found(items: "tuple[AssistItem, ...]", rows: "tuple[Compared, ...]") -> "Found":
    from dataclasses import asdict

    from awase.cli.output.forms import of_records

    records: list[dict[str, object]] = [asdict(row) for row in rows]
    n_control = sum(one.is_control for one in items)
    result = {"assisted": len(items) - n_control, "control": n_control, "compared": records}

    def show() -> None:
        click.echo(f"sentences  assisted {len(items) - n_control}  control {n_control}")
        for row in rows:
            cells = (row.assisted, row.control, row.difference, row.low, row.high)
            texts = ["–" if cell is None else f"{cell:.3f}" for cell in cells]
            click.echo(
                f"{row.what:<14} {texts[0]:>8} {texts[1]:>8}   {texts[2]} [{texts[3]}, {texts[4]}]"
            )

    return of_records(
        show, result, records, (),
        columns=("what", "assisted", "control", "difference", "low", "high"),
    )  # fmt: skip
