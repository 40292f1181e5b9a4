"""`awase score`: what systems' outputs are worth, as a table, JSON or CSV."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import (
    JSON_FILE,
    open_corpus,
    subset_for,
)
from awase.cli.arguments.options import (
    MODEL_HELP,
    PAIRED_TESTS,
    VECTORS_HELP,
    CommandOptions,
    check_counts,
    check_wide,
    confidence_option,
    edus_option,
    interval_option,
    metrics_option,
    oracles_option,
    output_options,
    resamples_option,
    seconds_allowed,
    seed_option,
    shown_level_option,
    supplier_for,
    systems_option,
    test_option,
    time_limit_options,
    topics_option,
    who_option,
    workers_for,
    workers_options,
)
from awase.cli.output.messages import errors_at_end, print_problems
from awase.cli.output.progress import ProgressBar
from awase.core.errors import InputError

if TYPE_CHECKING:
    from awase.cli.arguments.corpora import OpenedCorpus
    from awase.cli.output.forms import Output


_EXAMPLES = """\b
Examples:
  awase score tsc3.awase
  awase score tsc3.awase -m coverage -m coverage:strict=yes --level topic
  awase score tsc3.awase -m tsc3:first=3 --json
  awase score tsc3.awase --interval --baseline lead
  awase export tsc3.awase - | awase score - --output-format parquet -o scores.parquet
  awase score tsc3.awase -m rouge --keep "first run"
  awase score tsc3.awase -m prouge-1 -m rouge-we-1 --vectors vectors.bin
  awase score tsc3.awase -m subtree -m subtree:head=no --model FOLDER
"""


@click.command("score", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@metrics_option("tsc3")
@click.option("--vectors", metavar="FILE", help=VECTORS_HELP)
@click.option("--model", metavar="FOLDER", help=MODEL_HELP)
@topics_option()
@systems_option()
@oracles_option(", for pseudo-pyramid")
@edus_option()
@shown_level_option("Show means of systems alone, or every topic, too.")
@interval_option("bootstrap", "none")
@click.option("--baseline", metavar="SYSTEM", help="Test every other system against this one.")
@test_option(PAIRED_TESTS, PAIRED_TESTS[0],
             "How systems are tested, on the topics that both have.")  # fmt: skip
@resamples_option(10_000)
@seed_option(1)
@confidence_option()
@output_options()
@click.option("--wide", "is_wide", is_flag=True,
              help="CSV and the like: the means, a row a system.")  # fmt: skip
@click.option("--keep", "title", metavar="TITLE",
              help="Keep the scores in CORPUS (awase scores).")  # fmt: skip
@who_option("keeps them")
@time_limit_options(
    "For each abstract whose h, or oracle, is not easy; what rests on it is then undefined.",
    "Prove every h and every oracle, however long it takes.",
)
@workers_options()
def command(
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
    output: "Output",
    is_wide: bool,
    title: str | None,
    who: str,
    time_limit: float | None,
    settle: bool,
    processes: int | None,
    cluster: str | None,
    opened: "OpenedCorpus | None" = None,  # no option: as it is held by who has just written it
) -> None:
    """Score the systems of CORPUS, an .awase file, a database URL or an Awase JSON file."""
    from awase.cli.output.score_output import give_scores, undefined_in_short
    from awase.core.metrics.registry import read_sources, requests_of
    from awase.core.metrics.significance import PairedTest, Resampling
    from awase.core.records.score import ScoreTable
    from awase.jobs.scoring import (
        StatisticsPlan,
        check_not_empty,
        score,
        selection_of,
        with_statistics,
    )

    _check_options(interval, baseline, output, title, is_wide=is_wide)
    plan = StatisticsPlan(
        has_intervals=interval == "bootstrap",
        baseline=baseline or "",
        test=PairedTest(test),
        resampling=Resampling(n_resamples=n_resamples, seed=seed, level=confidence),
    )
    requests = requests_of(metrics)
    opened = opened or open_corpus(corpus, requests, with_sources=read_sources(requests))
    if title is not None and opened.kind == JSON_FILE:
        raise InputError.of(
            "An Awase JSON file keeps no scores.", "Import it into an .awase file first."
        )
    subset = subset_for(opened.corpus, topics, systems)
    allowed_s = seconds_allowed(time_limit, settle=settle)
    supplies = supplier_for(
        replace(opened.supplies, time_limit_s=allowed_s),
        requests,
        vectors=vectors,
        model=model,
        oracles=oracles,
        edus=edus,
    )
    with workers_for(processes, cluster) as workers, ProgressBar("Scoring") as bar:
        table = ScoreTable(warnings=opened.warnings) + score(
            opened.corpus, requests, bar, subset=subset, supplies=supplies, workers=workers
        )
        check_not_empty(subset.part_of(opened.corpus), table)
        scores = with_statistics(table, plan, bar)
    if title is not None:
        from awase.cli.scoring.kept_scores import keep_table

        selection = selection_of(metrics, subset)
        keep_table(corpus, table, title=title, who=who, state=opened.state, selection=selection)
    warnings = [*table.warnings, *scores.warnings]
    with errors_at_end(table, warnings) as is_complete:
        print_problems("warning", undefined_in_short(table))
        give_scores(
            scores, output, level=level, warnings=warnings, is_wide=is_wide, is_complete=is_complete
        )


def _check_options(
    interval: str, baseline: str | None, output: "Output", title: str | None, *, is_wide: bool
) -> None:
    """Refuses options that would change nothing."""
    draws = interval != "none" or baseline is not None
    check_counts("n_resamples", "seed", where=draws, needs="--interval or --baseline")
    check_counts("confidence", where=interval != "none", needs="--interval")
    check_counts("test", where=baseline is not None, needs="--baseline")
    check_counts("who", where=title is not None, needs="--keep")
    check_wide(output, is_wide=is_wide)
