"""`awase report`: scores, plots and where systems fail, on one HTML page."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from awase.cli.arguments.corpora import (
    only_systems,
    open_corpus,
    scored_part,
    with_systems,
    with_topics,
)
from awase.cli.arguments.language_models import MODEL_HELP, with_encoders
from awase.cli.arguments.word_vectors import HELP, vectors_for
from awase.cli.exporting import write_whole_file
from awase.cli.output.failures import tell_problems
from awase.cli.output.progress import ProgressBar
from awase.cli.output.score_output import MAX_WARNINGS
from awase.cli.score import check_not_empty
from awase.core.errors import EnvironmentProblem
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.score import ScoreTable
from awase.core.version import VERSION

_EXAMPLES = """\b
Examples:
  awase report tsc3.awase tsc3.html
  awase report tsc3.awase tsc3.html -m tsc3 -m rouge:tokens=unicode --system lead --system mmr
"""


@click.command("report", short_help="Write an HTML report about the systems.", epilog=_EXAMPLES)
@click.argument("corpus")
@click.argument("page", type=click.Path(dir_okay=False, path_type=Path))
@click.option("-m", "--metric", "metrics", metavar="NAME[:OPTION=VALUE,…]", multiple=True,
              default=["tsc3"], help="Metric (awase metrics); may be repeated.  "
              "[default: tsc3]")  # fmt: skip
@click.option("--vectors", metavar="FILE", help=HELP)
@click.option("--model", metavar="FOLDER", help=MODEL_HELP)
@click.option("--topic", "topics", metavar="ID", multiple=True, help="Only this topic; repeatable.")
@click.option("--system", "systems", metavar="NAME", multiple=True,
              help="Only this system; repeatable.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace PAGE if it exists.")
def command(
    corpus: str,
    page: Path,
    metrics: tuple[str, ...],
    vectors: str | None,
    model: str | None,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    force: bool,
) -> None:
    """Write all about the systems of CORPUS to PAGE, one HTML file that loads nothing."""
    from awase.core.reports.composing import composed
    from awase.core.reports.html_report import html_report

    if page.exists() and not force:
        raise EnvironmentProblem(
            "“{path}” exists.", "Choose another name, or say --force.", path=str(page)
        )
    requests = requests_of(metrics)
    opened = open_corpus(corpus, requests)
    chosen = with_systems(with_topics(opened.corpus, topics), systems)
    supplies = replace(opened.supplies, vectors=vectors_for(requests, vectors))
    supplies = with_encoders(supplies, requests, model)
    scored = scored_part(with_topics(opened.corpus, topics), systems, requests)
    with ProgressBar("Scoring") as bar:
        scores = only_systems(score_corpus(scored, requests, bar, supplies), systems)
    table = ScoreTable(warnings=opened.warnings) + scores
    check_not_empty(chosen, table)
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    made = f"{moment}, Awase {VERSION}"
    with ProgressBar("Inspecting") as bar:
        content = composed(chosen, requests, table, made=made, reporter=bar)
    tell_problems("warning", table.warnings, MAX_WARNINGS)
    write_whole_file(page, html_report(content))
    click.echo(f"{page}: {len(chosen.topics)} topics.")
