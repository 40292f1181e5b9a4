"""`awase score`, `scores` for stored ones, and `report`."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli import options
from awase.cli.corpora import JSON_FILE, open_corpus, opened_store, store_to_read, subset_for
from awase.cli.output.messages import ProgressBar, counted, errors_at_end, print_problems, say
from awase.cli.output.report import Output, Report, emit, output_target, report_of
from awase.core.errors import InputError
from awase.core.reports.grid import Field
from awase.storage.addresses import without_password

if TYPE_CHECKING:
    from awase.cli.corpora import OpenedCorpus
    from awase.core.records.corpus import Corpus
    from awase.core.records.score import KeptScores, ScoreTable, Selection


@options.corpus_command(
    "score",
    "awase score tsc3.awase",
    "awase score tsc3.awase -m coverage -m coverage:strict=yes --level topic",
    "awase score tsc3.awase -m tsc3:first=3 --json",
    "awase score tsc3.awase --interval --baseline lead",
    "awase export tsc3.awase - | awase score - --output-format parquet -o scores.parquet",
    'awase score tsc3.awase -m rouge --keep "first run"',
    "awase score tsc3.awase -m prouge-1 -m rouge-we-1 --vectors vectors.bin",
    "awase score tsc3.awase -m subtree -m subtree:head=no --model FOLDER",
)
@options.metrics_option("tsc3")
@click.option("--vectors", metavar="FILE", help=options.VECTORS_HELP)
@click.option("--model", metavar="FOLDER", help=options.MODEL_HELP)
@options.topics_option()
@options.systems_option()
@options.oracles_option(", for pseudo-pyramid")
@options.edus_option()
@options.shown_level_option("Show only means of systems, or every topic as well.")
@options.interval_option("bootstrap", "none")
@click.option("--baseline", metavar="SYSTEM", help="Test every other system against this one.")
@options.test_option(options.PAIRED_TESTS, options.PAIRED_TESTS[0],
             "Test between systems, on their common topics.")  # fmt: skip
@options.resamples_option(10_000)
@options.seed_option(1)
@options.confidence_option()
@options.output_options()
@click.option("--wide", "is_wide", is_flag=True,
              help="CSV and similar: the means, one row per system.")  # fmt: skip
@click.option("--keep", "title", metavar="TITLE",
              help="Keep the scores in CORPUS (awase scores).")  # fmt: skip
@options.who_option("keeps them")
@options.time_limit_options(
    "For each abstract whose h, or oracle, is hard; after that, what is based on it is undefined.",
    "Prove every h and every oracle, however long it takes.",
)
@options.workers_options()
def score(
    corpus: str,
    metrics: tuple[str, ...],
    vectors: str | None,
    model: str | None,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    oracles: Path | None,
    edus: Path | None,
    level: str | None,
    interval: str,
    baseline: str | None,
    test: str,
    n_resamples: int,
    seed: int,
    confidence: float,
    output: Output,
    is_wide: bool,
    title: str | None,
    who: str,
    time_limit_s: float | None,
    processes: int | None,
    cluster: str | None,
    opened: "OpenedCorpus | None" = None,  # no option: the corpus just written, already loaded
) -> None:
    """Score the systems of CORPUS, an .awase file, a database URL or an Awase JSON file."""
    from awase.cli.output.score_output import emit_scores, undefined_in_short
    from awase.core.metrics.registry import read_sources, requests_of
    from awase.core.metrics.significance import PairedTest, Resampling
    from awase.core.records.score import ScoreTable
    from awase.jobs import scoring

    _check_options_of_score(interval, baseline, output, title, is_wide=is_wide)
    plan = scoring.StatisticsPlan(
        has_intervals=interval == "bootstrap",
        baseline=baseline or "",
        test=PairedTest(test),
        resampling=Resampling(n_resamples=n_resamples, seed=seed, level=confidence),
    )
    requests = requests_of(metrics)
    opened = opened or open_corpus(corpus, requests, with_sources=read_sources(requests))
    if title is not None and opened.kind == JSON_FILE:
        raise InputError.of(
            "An Awase JSON file cannot store scores.", "Import it into an .awase file first."
        )
    subset = subset_for(opened.corpus, topics, systems)
    supplies = options.supplier_for(
        replace(opened.supplies, time_limit_s=time_limit_s),
        requests,
        vectors=vectors,
        model=model,
        oracles=oracles,
        edus=edus,
    )
    with options.workers_for(processes, cluster) as workers, ProgressBar("Scoring") as bar:
        table = ScoreTable(warnings=opened.warnings) + scoring.score(
            opened.corpus, requests, bar, subset=subset, supplies=supplies, workers=workers
        )
        scoring.check_not_empty(subset.part_of(opened.corpus), table)
        scores = scoring.with_statistics(table, plan, bar)
    if title is not None:
        selection = scoring.selection_of(metrics, subset)
        _keep(corpus, table, title=title, who=who, state=opened.state, selection=selection)
    warnings = [*table.warnings, *scores.warnings]
    with errors_at_end(table, warnings) as is_complete:
        print_problems("warning", undefined_in_short(table))
        emit_scores(
            scores, output, level=level, warnings=warnings, is_wide=is_wide, is_complete=is_complete
        )


def _check_options_of_score(
    interval: str, baseline: str | None, output: Output, title: str | None, *, is_wide: bool
) -> None:
    """Refuses options without effect."""
    draws = interval != "none" or baseline is not None
    options.check_counts("n_resamples", "seed", where=draws, needs="--interval or --baseline")
    options.check_counts("confidence", where=interval != "none", needs="--interval")
    options.check_counts("test", where=baseline is not None, needs="--baseline")
    options.check_counts("who", where=title is not None, needs="--keep")
    options.check_wide(output, is_wide=is_wide)


def _keep(
    location: str,
    table: "ScoreTable",
    *,
    title: str,
    who: str,
    state: str,
    selection: "Selection",
) -> None:
    """Stores scores in the corpus at `location`, and prints their number."""
    with opened_store(location, who=who) as store, ProgressBar("Writing"):
        kept = store.keep_scores(
            table, title=title, who=who, corpus_state=state, selection=selection
        )
    say(f"{without_password(location)}: kept as scores {kept.id}, “{kept.title}”.", err=True)


@options.command(
    "scores",
    "awase scores tsc3.awase",
    "awase scores tsc3.awase --show 3 --output-format csv",
    "awase scores tsc3.awase --import bertscore.tsv --title BERTScore",
    "awase score tsc3.awase --output-format csv | awase scores --import - --wide",
    "awase score tsc3.awase --output-format csv | awase scores tsc3.awase --import -",
)
@click.argument("corpus", required=False)
@click.option("--show", "shown", type=int, metavar="ID", help="Print the scores kept as ID.")
@click.option("--remove", "removed", type=int, metavar="ID", help="Remove the scores kept as ID.")
@click.option("--import", "file", metavar="FILE",
              help="Keep the scores of a table: topic, system, metric, value. Without CORPUS, "
                  "print them.")  # fmt: skip
@click.option("--title", help="Title of imported scores.  [default: the file's name]")
@options.who_option("keeps them")
@options.shown_level_option("Show only means of systems, or every topic as well.")
@options.output_options()
@click.option("--wide", "is_wide", is_flag=True,
              help="CSV and similar: the means, one row per system.")  # fmt: skip
def scores(
    corpus: str | None,
    shown: int | None,
    removed: int | None,
    file: str | None,
    title: str | None,
    who: str,
    level: str | None,
    output: Output,
    is_wide: bool,
) -> None:
    """List the scores kept in CORPUS, an .awase file or a database URL; or show one of them."""
    _check_options_of_scores(shown, removed, file, corpus, output, is_wide=is_wide)
    if sum(choice is not None for choice in (shown, removed, file)) > 1:
        raise click.UsageError("Choose one of --show, --remove and --import.")
    if corpus is None:
        if file is None:
            raise click.UsageError("Missing argument 'CORPUS'.")
        _emit_table(_table_of(Path(file), None), output, level, is_wide)
        return
    if file is not None:
        name = "standard input" if file == "-" else Path(file).name
        _bring(corpus, Path(file), title or name, who)
        return
    if removed is not None:
        with opened_store(corpus, who=who) as store:
            store.remove_score_run(removed)
        say(f"{without_password(corpus)}: removed scores {removed}.", err=True)
        return
    with store_to_read(corpus) as store:
        state, runs = store.state(), store.score_runs()
        run = None if shown is None else store.score_run(shown)
    if run is None:
        emit(_stored_report(runs, state), output)
        return
    print_problems("warning", run.table.warnings)
    _emit_table(run.table, output, level, is_wide)
    say(_about(run.kept, state), err=True)


def _check_options_of_scores(
    shown: int | None,
    removed: int | None,
    file: str | None,
    corpus: str | None,
    output: Output,
    *,
    is_wide: bool,
) -> None:
    """Refuses options without effect."""
    is_kept = file is not None and corpus is not None
    options.check_counts("title", where=is_kept, needs="--import and CORPUS")
    options.check_counts("who", where=is_kept or removed is not None, needs="--import or --remove")
    is_shown = shown is not None or (file is not None and corpus is None)
    options.check_counts(
        "level", "is_wide", where=is_shown, needs="--show, or --import without CORPUS"
    )
    printed = ("output_format", "as_json", "output_file", "bom", "force")
    options.check_counts(
        *printed, where=removed is None and not is_kept, needs="what prints scores"
    )
    options.check_wide(output, is_wide=is_wide)


def _emit_table(table: "ScoreTable", output: Output, level: str | None, is_wide: bool) -> None:
    from awase.cli.output.score_output import emit_scores
    from awase.core.metrics.significance import ScoreArrays

    emit_scores(
        ScoreArrays(table=table),
        output,
        level=level,
        warnings=table.warnings,
        is_wide=is_wide,
    )


def _bring(corpus: str, path: Path, title: str, who: str) -> None:
    from awase.jobs.importing import selection_of_imported

    opened = open_corpus(corpus)
    table = _table_of(path, opened.corpus)
    selection = selection_of_imported()
    _keep(corpus, table, title=title, who=who, state=opened.state, selection=selection)


def _table_of(path: Path, corpus: "Corpus | None") -> "ScoreTable":
    from awase.jobs.importing import table_of_scores

    table = table_of_scores(path, corpus)
    print_problems("warning", table.warnings)
    return table


def _stored_report(runs: "tuple[KeptScores, ...]", state: str) -> Report:
    fields: list[Field[KeptScores]] = [
        Field("id", "id", is_number=True),
        Field("title", "title"),
        Field("who", "who"),
        Field("at", "when (UTC)", text=lambda run: run.at[:16].replace("T", " ")),
        Field("what", "what", _what),
        Field("up_to_date", "state", lambda run: run.corpus_state == state,
              lambda run: "up to date" if run.corpus_state == state else "out of date"),
    ]  # fmt: skip
    empty = "No scores are kept. Keep some with: awase score CORPUS --keep TITLE"
    return report_of(fields if runs else (), runs, "scores", empty=empty)


def _what(run: "KeptScores") -> str:
    from awase.core.records.score import Origin

    if run.selection.origin is Origin.IMPORTED:
        return "imported"
    parts = [" ".join(run.selection.metrics)]
    if run.selection.topics is not None:
        parts.append(counted(len(run.selection.topics), "topic"))
    if run.selection.systems is not None:
        parts.append(counted(len(run.selection.systems), "system"))
    return ", ".join(parts)


def _about(run: "KeptScores", state: str) -> str:
    by = f"by {run.who} with Awase {run.selection.program}"
    changed = "" if run.corpus_state == state else "; out of date: the corpus has changed since"
    return f"Kept {run.at[:16].replace('T', ' ')} UTC {by}{changed}."


@options.corpus_command(
    "report",
    "awase report tsc3.awase tsc3.html",
    "awase report tsc3.awase tsc3.html -m tsc3 -m rouge:tokens=unicode --system lead --system mmr",
)
@click.argument("page", type=click.Path(dir_okay=False, path_type=Path))
@options.metrics_option("tsc3")
@click.option("--vectors", metavar="FILE", help=options.VECTORS_HELP)
@click.option("--model", metavar="FOLDER", help=options.MODEL_HELP)
@options.topics_option()
@options.systems_option()
@options.interval_option("bootstrap", "none", default="bootstrap")
@options.force_option("Replace PAGE if it exists.")
def report(
    corpus: str,
    page: Path,
    metrics: tuple[str, ...],
    vectors: str | None,
    model: str | None,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    interval: str,
    force: bool,
) -> None:
    """Write a report on the systems of CORPUS to PAGE, one self-contained HTML file."""
    from awase.core.metrics.registry import requests_of
    from awase.core.reports.html_report import html_pieces
    from awase.jobs import scoring
    from awase.jobs.files.writing import write_whole_file

    target = output_target(page, ".html", ".htm", force=force)
    target.check()
    requests = requests_of(metrics)
    opened = open_corpus(corpus, requests)
    subset = subset_for(opened.corpus, topics, systems)
    plan = scoring.ReportPlan(
        requests=requests, subset=subset, has_intervals=interval == "bootstrap"
    )
    with ProgressBar("Reporting") as bar:
        content = scoring.report(
            opened.corpus,
            plan,
            bar,
            made=datetime.now(UTC),
            supplies=options.supplier_for(opened.supplies, requests, vectors=vectors, model=model),
            found_reading=opened.warnings,
        )
    print_problems("warning", content.table.warnings)
    with ProgressBar("Writing"):  # of many topics hundreds of megabytes
        write_whole_file(target, html_pieces(content))
    say(f"{page}: {counted(len(content.corpus.topics), 'topic')}.")
