"""`awase merge`: files that were handed out are joined to the main file."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import opened_store
from awase.cli.arguments.options import CommandOptions, output_options, who_option
from awase.cli.output.messages import print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.storage.addresses import without_password

if TYPE_CHECKING:
    from awase.cli.output.forms import CommandResult, Output
    from awase.core.merging.plan import MergePlan


_COLUMNS = ("topic", "abstract", "annotator", "n", "fate", "kept_as")
_EXAMPLES = """\b
Examples:
  awase merge tsc3.awase a1.awase a2.awase a3.awase
  awase merge tsc3.awase a2.awase --preview
  awase merge tsc3.awase anna.awase --as Anna=A1
"""


@click.command("merge", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("main")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--preview", "is_preview", is_flag=True, help="Only tell what would be done.")
@click.option(
    "--as", "names", metavar="THEIRS=OURS", multiple=True,
    help="Take the work of annotator THEIRS as that of OURS.",
)  # fmt: skip
@who_option("takes back")
@output_options()
def command(
    main: str,
    files: tuple[Path, ...],
    is_preview: bool,
    names: tuple[str, ...],
    who: str,
    output: "Output",
) -> None:
    """Join FILES, copies of MAIN that people worked on, to MAIN: all of them, or nothing.

    It can be repeated, and undone by awase undo. Where one person worked in two places, both are
    kept, the second as PERSON~2. A backup is made first.
    """
    from awase.cli.output.forms import give
    from awase.jobs.team.copies import preview, take_back

    called = dict(_pair(name) for name in names)
    with (
        opened_store(main, who=who, read_only=is_preview) as store,
        ProgressBar("Taking back") as bar,
    ):
        if is_preview:
            plan = preview(store, files, names=called, reporter=bar)
        else:
            plan, _ = take_back(store, files, who=who, names=called, reporter=bar)
    give(_found(main, plan, is_preview=is_preview), output)


def _pair(text: str) -> tuple[str, str]:
    theirs, separator, ours = text.partition("=")
    if not (theirs and separator and ours):
        raise click.UsageError(f"--as {text}: write it as THEIRS=OURS.")
    return theirs, ours


def _print(main: str, plan: "MergePlan", *, is_preview: bool) -> None:
    from awase.core.merging.plan import MergeOutcome

    print_problems("warning", plan.remarks)
    counts = ", ".join(f"{plan.count(fate)} {fate.value}" for fate in MergeOutcome)
    scores = f", {plan.n_human_scores} human scores" if plan.n_human_scores else ""
    word = "would be taken back" if is_preview else "taken back"
    say(f"{without_password(main)}: {word}: {counts}{scores}.")


def _found(main: str, plan: "MergePlan", *, is_preview: bool) -> "CommandResult":
    from awase.cli.output.forms import of_many_records

    def records() -> Iterator[dict[str, object]]:
        for one in plan.entries:
            key = one.key
            values = key.topic, key.abstract, key.annotator, key.n, one.fate.value, one.kept_as
            yield dict(zip(_COLUMNS, values, strict=True))

    def json() -> Iterable[tuple[str, object]]:
        told = {"human_scores": plan.n_human_scores, "warnings": [*map(str, plan.remarks)]}
        return [("entries", records()), *told.items()]

    return of_many_records(
        lambda: _print(main, plan, is_preview=is_preview), json, records, columns=_COLUMNS
    )
