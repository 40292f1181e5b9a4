"""`awase correlate`: metrics with human scores."""

from dataclasses import replace
from pathlib import Path

import click

from awase.cli import options
from awase.cli.corpora import open_corpus
from awase.cli.output.messages import ProgressBar, errors_at_end
from awase.cli.output.report import Output, emit


@options.corpus_command(
    "correlate",
    "awase correlate realsumm.awase --human litepyramid -m rouge:stem=yes,tokens=unicode",
    "awase correlate realsumm.awase -m rouge-2 -m rouge-l --component r --test permutation",
    "awase correlate duc.awase --human coverage --scores metrics.csv --level topic --json",
    "awase correlate tsc3.awase --human readability --length short --suggest-outliers",
)
@click.option("--human", "measure", metavar="MEASURE", help="Human measure; "
              "optional if there is only one.")  # fmt: skip
@options.metrics_option(told="tsc3, without --scores")
@click.option("--scores", "score_files", type=click.Path(path_type=Path), multiple=True,
              help="File with scores of metrics; repeatable.")  # fmt: skip
@click.option("--scores-format", type=click.Choice(["score-table", "wmt-scores", "sacrerouge"]),
              help="Format of these files; from their extensions if left out.")  # fmt: skip
@click.option("--vectors", metavar="FILE", help=options.VECTORS_HELP)
@click.option("--model", metavar="FOLDER", help=options.MODEL_HELP)
@click.option("--component", type=click.Choice(["r", "p", "f"]),
              help="Only recall, precision or F of metrics that have them.")  # fmt: skip
@options.level_option()
@click.option("--coefficient", "coefficients", type=click.Choice(options.COEFFICIENTS),
              multiple=True, help="Repeatable.  [default: r, rho, tau-b]")  # fmt: skip
@options.interval_option(default="bootstrap",
                 what="Bootstrap as well as closed form, closed form only, or none.")  # fmt: skip
@options.confidence_option()
@click.option("--resample", "unit", type=click.Choice(options.UNITS), default="both",
              show_default=True, help="What is resampled or permuted.")  # fmt: skip
@options.resamples_option(9999, "Resamples, and permutations.")
@options.seed_option(0)
@options.test_option(options.PAIR_TESTS, None, "Compare all pairs of metrics.")
@click.option("--annotator", "annotators", metavar="NAME", multiple=True,
              help="Only the judgements of this annotator; expert-* matches all names that begin "
                  "so; repeatable.")  # fmt: skip
@click.option("--annotators", "joining", default="mean", show_default=True, metavar="HOW",
              help="Several annotators: mean, z, majority or majority:K.")  # fmt: skip
@options.length_option("Length class of the metrics' scores.")
@options.topics_option()
@options.systems_option()
@click.option("--subset", "kind", type=click.Choice(options.SYSTEM_KINDS),
              help="Only systems that copy from the source, or only the others.")  # fmt: skip
@click.option("--exclude", metavar="NAME", multiple=True,
              help="Leave this system out; repeatable.")  # fmt: skip
@click.option("--exclude-from", "exclude_file", metavar="FILE", type=click.Path(path_type=Path),
              help="Leave out the systems named in FILE, one per line.")  # fmt: skip
@click.option("--reference-system", "references", metavar="NAME", multiple=True,
              help="This name is a reference, not a system; repeatable.")  # fmt: skip
@click.option("--not-a-reference", "kept", metavar="NAME", multiple=True,
              help="This name is a system, though it looks like a reference.")  # fmt: skip
@click.option("--aliases", type=click.Path(path_type=Path),
              help="Aliases file: name, tab or comma, the system's name.")  # fmt: skip
@click.option("--suggest-outliers", is_flag=True,
              help="List systems far from the others; they stay in.")  # fmt: skip
@options.output_options()
def correlate_command(
    corpus: str,
    measure: str | None,
    metrics: tuple[str, ...],
    score_files: tuple[Path, ...],
    scores_format: str | None,
    vectors: str | None,
    model: str | None,
    component: str | None,
    level: str,
    coefficients: tuple[str, ...],
    interval: str,
    unit: str,
    n_resamples: int,
    seed: int,
    test: str | None,
    annotators: tuple[str, ...],
    joining: str,
    length: str | None,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    kind: str | None,
    exclude: tuple[str, ...],
    exclude_file: Path | None,
    references: tuple[str, ...],
    kept: tuple[str, ...],
    aliases: Path | None,
    suggest_outliers: bool,
    confidence: float,
    output: Output,
) -> None:
    """Correlate metrics with the human scores of CORPUS.

    CORPUS is an .awase file, a database URL or an Awase JSON file.
    """
    from awase.cli.output.study_output import report_of_correlations
    from awase.core.metrics.correlating import HumanSide, SystemKind
    from awase.core.metrics.registry import requests_of
    from awase.core.statistics.coefficients import PAPERS, Coefficient, Joining, Level
    from awase.core.statistics.correlation_inference import ResamplingUnit
    from awase.core.statistics.study import PairTest, StudyRequest
    from awase.jobs.correlating import CorrelationPlan, check, correlate
    from awase.jobs.importing import metric_scores
    from awase.jobs.subset import chosen_by_names

    draws = interval == "bootstrap" or test == "permutation"
    needs = "--interval bootstrap or --test permutation"
    options.check_counts("n_resamples", "seed", "unit", where=draws, needs=needs)
    options.check_counts("confidence", where=interval != "none", needs="--interval")
    options.check_counts("scores_format", where=bool(score_files), needs="--scores")
    study = StudyRequest(
        level=Level(level),
        coefficients=tuple(map(Coefficient, dict.fromkeys(coefficients))) or PAPERS,
        has_bootstrap=interval == "bootstrap",
        unit=ResamplingUnit(unit),
        n_resamples=n_resamples,
        seed=seed,
        test=PairTest(test) if test else None,
        excluded=tuple(dict.fromkeys((*exclude, *options.names_in(exclude_file)))),
        confidence=confidence,
    )
    side = HumanSide(
        measure=measure,
        annotators=annotators,
        joining=Joining.parse(joining),
        length=length,
        component=component,
        kind=SystemKind(kind) if kind else None,
        aliases=options.read_aliases(aliases),
        references=references,
        kept=kept,
    )
    requests = requests_of(metrics or (() if score_files else ("tsc3",)))
    opened = open_corpus(corpus, requests)
    plan = CorrelationPlan(
        requests=requests, side=side, study=study, subset=chosen_by_names(topics, systems)
    )
    check(opened.corpus, plan.subset)
    supplies = options.supplier_for(opened.supplies, requests, vectors=vectors, model=model)
    with ProgressBar("Correlating") as bar:
        correlated = correlate(
            opened.corpus, plan, bar, supplies=supplies, found_reading=opened.warnings,
            others=metric_scores(score_files, scores_format, length),
        )  # fmt: skip
    suggestions = correlated.far_systems if suggest_outliers else None
    with errors_at_end(correlated.table, correlated.study.warnings) as is_complete:
        report = report_of_correlations(correlated.study, suggestions, interval)
        emit(replace(report, is_complete=is_complete), output)
