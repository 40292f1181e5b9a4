"""Copies of a corpus for people: `awase hand-out` writes them, `awase merge` joins them again."""

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.corpora import opened_store
from awase.cli.options import CommandOptions, output_options, who_option
from awase.cli.output.messages import counted, print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.cli.output.report import Output, Report, emit, report_of
from awase.core.reports.grid import Field, Shown, records_of
from awase.storage.addresses import without_password

if TYPE_CHECKING:
    from awase.core.team.merging import Merged, MergePlan

_EXAMPLES_OF_HAND_OUT = """\b
Example:
  awase hand-out tsc3.awase --to A2 a2.awase
"""


@click.command("hand-out", cls=CommandOptions, epilog=_EXAMPLES_OF_HAND_OUT)
@click.argument("corpus")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--to", "person", metavar="PERSON", required=True, help="Who takes it along.")
@who_option("hands out")
def hand_out(corpus: str, file: Path, person: str, who: str) -> None:
    """Write PERSON's topics and alignments from CORPUS into the new FILE.

    Others' alignments, the gold and human scores are not in it. Without assignments it has every
    topic. What comes back is joined by awase merge.
    """
    from awase.jobs.team import copies
    from awase.storage.store import CorpusStore

    opened = CorpusStore.open(corpus, who="", read_only=True)
    with opened as store, ProgressBar("Handing out") as bar:
        made = copies.hand_out(store, person, file, who=who, reporter=bar)
    topics = counted(made.n_topics, "topic")
    say(f"{file}: {topics}, {counted(made.n_sentences, 'abstract sentence')}.")


_EXAMPLES_OF_MERGE = """\b
Examples:
  awase merge tsc3.awase a1.awase a2.awase a3.awase
  awase merge tsc3.awase a2.awase --preview
  awase merge tsc3.awase anna.awase --as Anna=A1
"""


@click.command("merge", cls=CommandOptions, epilog=_EXAMPLES_OF_MERGE)
@click.argument("main")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--preview", "is_preview", is_flag=True, help="Only tell what would be done.")
@click.option(
    "--as", "names", metavar="THEIRS=OURS", multiple=True,
    help="Take the work of annotator THEIRS as that of OURS.",
)  # fmt: skip
@who_option("takes back")
@output_options()
def merge(
    main: str,
    files: tuple[Path, ...],
    is_preview: bool,
    names: tuple[str, ...],
    who: str,
    output: Output,
) -> None:
    """Join FILES, copies of MAIN that people worked on, to MAIN: all of them, or nothing.

    It can be repeated, and undone by awase undo. Where one person worked in two places, both are
    kept, the second as PERSON~2. A backup is made first.
    """
    from awase.jobs.team.copies import preview, take_back

    called = dict(_pair(name) for name in names)
    opened = opened_store(main, who=who, read_only=is_preview)
    with opened as store, ProgressBar("Taking back") as bar:
        if is_preview:
            plan = preview(store, files, names=called, reporter=bar)
        else:
            plan, _ = take_back(store, files, who=who, names=called, reporter=bar)
    emit(_report(main, plan, is_preview=is_preview), output)


def _pair(text: str) -> tuple[str, str]:
    theirs, separator, ours = text.partition("=")
    if not (theirs and separator and ours):
        raise click.UsageError(f"--as {text}: write it as THEIRS=OURS.")
    return theirs, ours


def _report(main: str, plan: "MergePlan", *, is_preview: bool) -> Report:
    from awase.core.team.merging import MergeOutcome

    fields: list[Field[Merged]] = [
        *(
            Field(name, value=attrgetter(f"key.{name}"))
            for name in ("topic", "abstract", "annotator", "n")
        ),
        Field("fate", value=lambda one: one.fate.value),
        Field("kept_as"),
    ]

    def shown() -> Shown:
        print_problems("warning", plan.remarks)
        counts = ", ".join(f"{plan.count(fate)} {fate.value}" for fate in MergeOutcome)
        scores = f", {plan.n_human_scores} human scores" if plan.n_human_scores else ""
        word = "would be taken back" if is_preview else "taken back"
        return [f"{without_password(main)}: {word}: {counts}{scores}."]

    def json() -> Iterator[tuple[str, object]]:
        yield "entries", records_of(fields, plan.entries)
        yield "human_scores", plan.n_human_scores
        yield "warnings", [*map(str, plan.remarks)]

    return report_of(fields, plan.entries, shown=shown, json=json)
