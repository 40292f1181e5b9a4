"""`awase scores`: the scores that a corpus keeps."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import open_corpus, opened_store
from awase.cli.arguments.options import (
    CommandOptions,
    check_counts,
    check_wide,
    output_options,
    shown_level_option,
    who_option,
)
from awase.cli.output.messages import print_problems, say

if TYPE_CHECKING:
    from awase.cli.output.forms import CommandResult, Output
    from awase.core.records.corpus import Corpus
    from awase.core.records.score import KeptScores, ScoreTable


_EXAMPLES = """\b
Examples:
  awase scores tsc3.awase
  awase scores tsc3.awase --show 3 --output-format csv
  awase scores tsc3.awase --import bertscore.tsv --title BERTScore
  awase score tsc3.awase --output-format csv | awase scores --import - --wide
  awase score tsc3.awase --output-format csv | awase scores tsc3.awase --import -
"""


@click.command("scores", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus", required=False)
@click.option("--show", "shown", type=int, metavar="ID", help="Print the scores kept as ID.")
@click.option("--remove", "removed", type=int, metavar="ID", help="Remove the scores kept as ID.")
@click.option("--import", "file", metavar="FILE",
              help="Keep the scores of a table: topic, system, metric, value. Without CORPUS "
                   "print them.")  # fmt: skip
@click.option("--title", help="Of what is brought in.  [default: the file's name]")
@who_option("keeps them")
@shown_level_option("Show means of systems alone, or every topic, too.")
@output_options()
@click.option("--wide", "is_wide", is_flag=True,
              help="CSV and the like: the means, a row a system.")  # fmt: skip
def command(
    corpus: str | None,
    shown: int | None,
    removed: int | None,
    file: str | None,
    title: str | None,
    who: str,
    level: str | None,
    output: "Output",
    is_wide: bool,
) -> None:
    """List the scores kept in CORPUS, an .awase file or a database URL; or show one of them."""
    from awase.cli.output.forms import give

    _check_options(shown, removed, file, corpus, output, is_wide=is_wide)
    if sum(choice is not None for choice in (shown, removed, file)) > 1:
        raise click.UsageError("Choose one of --show, --remove and --import.")
    if corpus is None:
        if file is None:
            raise click.UsageError("Missing argument 'CORPUS'.")
        _print_scores(_table_of(Path(file), None), output, level, is_wide)
        return
    from awase.storage.addresses import without_password
    from awase.storage.store import CorpusStore

    if file is not None:
        _bring(corpus, Path(file), title or _title_of(file), who)
        return
    if removed is not None:
        with opened_store(corpus, who=who) as store:
            store.remove_score_run(removed)
        say(f"{without_password(corpus)}: removed scores {removed}.", err=True)
        return
    with CorpusStore.open(corpus, who="", read_only=True) as store:
        state, runs = store.state(), store.score_runs()
        run = None if shown is None else store.score_run(shown)
    if run is None:
        give(_listed(runs, state), output)
        return
    print_problems("warning", run.table.warnings)
    _print_scores(run.table, output, level, is_wide)
    say(_about(run.kept, state), err=True)


def _check_options(
    shown: int | None,
    removed: int | None,
    file: str | None,
    corpus: str | None,
    output: "Output",
    *,
    is_wide: bool,
) -> None:
    """Refuses options that would change nothing."""
    is_kept = file is not None and corpus is not None
    check_counts("title", where=is_kept, needs="--import and CORPUS")
    check_counts("who", where=is_kept or removed is not None, needs="--import or --remove")
    is_shown = shown is not None or (file is not None and corpus is None)
    check_counts("level", "is_wide", where=is_shown, needs="--show, or --import without CORPUS")
    printed = ("output_format", "as_json", "output_file", "bom", "force")
    check_counts(*printed, where=removed is None and not is_kept, needs="what prints scores")
    check_wide(output, is_wide=is_wide)


def _print_scores(table: "ScoreTable", output: "Output", level: str | None, is_wide: bool) -> None:
    from awase.cli.output.score_output import give_scores
    from awase.core.metrics.significance import ScoreArrays

    give_scores(
        ScoreArrays(table=table),
        output,
        level=level,
        warnings=table.warnings,
        is_wide=is_wide,
    )


def _title_of(file: str) -> str:
    return "standard input" if file == "-" else Path(file).name


def _bring(corpus: str, path: Path, title: str, who: str) -> None:
    from awase.cli.scoring.kept_scores import keep_table
    from awase.jobs.files.scores import selection_of_imported

    opened = open_corpus(corpus)
    table = _table_of(path, opened.corpus)
    selection = selection_of_imported()
    keep_table(corpus, table, title=title, who=who, state=opened.state, selection=selection)


def _table_of(path: Path, corpus: "Corpus | None") -> "ScoreTable":
    from awase.jobs.files.scores import table_of_scores

    table = table_of_scores(path, corpus)
    print_problems("warning", table.warnings)
    return table


def _listed(runs: "tuple[KeptScores, ...]", state: str) -> "CommandResult":
    from awase.cli.output.forms import of_records

    records = [
        {
            "id": run.id,
            "title": run.title,
            "who": run.who,
            "at": run.at,
            "what": _what(run),
            "up_to_date": run.corpus_state == state,
        }
        for run in runs
    ]
    return of_records(lambda: _print_list(runs, state), {"scores": records}, records)


def _print_list(runs: "tuple[KeptScores, ...]", state: str) -> None:
    from awase.cli.output.tables import print_table
    from awase.core.reports.grid import Column

    if not runs:
        say("No scores are kept. Keep some with: awase score CORPUS --keep TITLE")
        return
    columns = [
        Column(title="id", is_number=True),
        *(Column(title=title) for title in ("title", "who", "when (UTC)", "what", "state")),
    ]
    rows = [
        (str(run.id), run.title, run.who, run.at[:16].replace("T", " "), _what(run),
         _state(run, state))
        for run in runs
    ]  # fmt: skip
    print_table(columns, [rows])


def _what(run: "KeptScores") -> str:
    from awase.core.records.score import Origin

    if run.selection.origin is Origin.IMPORTED:
        return "imported"
    parts = [" ".join(run.selection.metrics)]
    if run.selection.topics is not None:
        parts.append(f"{len(run.selection.topics)} topics")
    if run.selection.systems is not None:
        parts.append(f"{len(run.selection.systems)} systems")
    return ", ".join(parts)


def _state(run: "KeptScores", state: str) -> str:
    return "up to date" if run.corpus_state == state else "out of date"


def _about(run: "KeptScores", state: str) -> str:
    by = f"by {run.who} with Awase {run.selection.program}"
    changed = "" if run.corpus_state == state else "; out of date: the corpus has changed since"
    return f"Kept {run.at[:16].replace('T', ' ')} UTC {by}{changed}."
