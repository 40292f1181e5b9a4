"""`awase report`: scores, plots and where systems fail, on one HTML page."""

from datetime import UTC, datetime
from pathlib import Path

import click

from awase.cli.arguments.corpora import open_corpus, subset_for
from awase.cli.arguments.options import (
    MODEL_HELP,
    VECTORS_HELP,
    CommandOptions,
    force_option,
    interval_option,
    metrics_option,
    supplier_for,
    systems_option,
    topics_option,
)
from awase.cli.output.messages import print_problems, say
from awase.cli.output.progress import ProgressBar

_EXAMPLES = """\b
Examples:
  awase report tsc3.awase tsc3.html
  awase report tsc3.awase tsc3.html -m tsc3 -m rouge:tokens=unicode --system lead --system mmr
"""


@click.command("report", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@click.argument("page", type=click.Path(dir_okay=False, path_type=Path))
@metrics_option("tsc3")
@click.option("--vectors", metavar="FILE", help=VECTORS_HELP)
@click.option("--model", metavar="FOLDER", help=MODEL_HELP)
@topics_option()
@systems_option()
@interval_option("bootstrap", "none", default="bootstrap")
@force_option("Replace PAGE when it is there.")
def command(
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
    """Write all about the systems of CORPUS to PAGE, one HTML file that loads nothing."""
    from awase.cli.output.report import output_target
    from awase.core.metrics.registry import requests_of
    from awase.core.reports.html_report import html_pieces
    from awase.jobs.files.writing import write_whole_file
    from awase.jobs.reporting import ReportPlan, report

    target = output_target(page, force=force)
    target.check()
    requests = requests_of(metrics)
    opened = open_corpus(corpus, requests)
    subset = subset_for(opened.corpus, topics, systems)
    plan = ReportPlan(requests=requests, subset=subset, has_intervals=interval == "bootstrap")
    with ProgressBar("Reporting") as bar:
        content = report(
            opened.corpus,
            plan,
            bar,
            made=datetime.now(UTC),
            supplies=supplier_for(opened.supplies, requests, vectors=vectors, model=model),
            found_reading=opened.warnings,
        )
    print_problems("warning", content.table.warnings)
    with ProgressBar("Writing"):  # of many topics hundreds of megabytes
        write_whole_file(target, html_pieces(content))
    say(f"{page}: {len(content.corpus.topics)} topics.")
