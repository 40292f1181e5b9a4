"""`awase agreement`: agreement of annotators, reasons and effects."""

from typing import TYPE_CHECKING

import click

from awase.cli.corpora import open_corpus
from awase.cli.options import (
    AGREEMENT_ROWS,
    CommandOptions,
    confidence_option,
    length_option,
    output_options,
    resamples_option,
    seed_option,
    workers_for,
    workers_options,
)
from awase.cli.output.messages import print_problems
from awase.cli.output.progress import ProgressBar
from awase.cli.output.report import Output, emit

if TYPE_CHECKING:
    from awase.core.agreement.distances import SetDistance
    from awase.core.records.corpus import Corpus

_EXAMPLES = """\b
Examples:
  awase agreement corpus.awase
  awase agreement corpus.awase --annotators A1,A2 --length short --json
  awase agreement corpus.awase --distance alternatives,function --by topic
  awase agreement corpus.awase --by sentence
  awase agreement corpus.awase --annotators A1,robot
  awase agreement corpus.awase --compare A1+A2:A1+robot
"""


def _distances(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> "tuple[SetDistance, ...]":
    from awase.core.agreement.distances import SetDistance

    names = [name.strip() for text in given for name in text.split(",")]
    known = [one.value for one in SetDistance]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.BadParameter(f"“{unknown[0]}” is not one of {', '.join(known)}.")
    return tuple(map(SetDistance, dict.fromkeys(names))) or tuple(SetDistance)


def _compares(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    found = []
    for text in given:
        first, _, second = text.partition(":")
        both = tuple(first.split("+")), tuple(second.split("+"))
        if not all(who.strip() for choice in both for who in choice):
            raise click.BadParameter(f"“{text}” is no comparison; write it as A+B:A+C.")
        found.append(both)
    return tuple(found)


@click.command("agreement", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@click.option("--annotators", "given_annotators", metavar="A,B,…", multiple=True,
              help="Whose agreement; “robot” takes the first candidate of each sentence.  "
              "[default: everybody]")  # fmt: skip
@click.option(
    "--compare",
    "compares",
    metavar="A+B:A+C",
    multiple=True,
    callback=_compares,
    help="Whether A and B agree more than A and C: the difference, with its interval.",
)
@length_option()
@click.option("--distance", "distances", metavar="LEVEL,…", multiple=True, callback=_distances,
              help="alternatives, function, support, equal, state, rank, links.  "
              "[default: all]")  # fmt: skip
@click.option("--by", type=click.Choice(AGREEMENT_ROWS), default=AGREEMENT_ROWS[0],
              show_default=True, help="What a row is, of the table and of CSV.")  # fmt: skip
@resamples_option(9999, "Resamples of topics, for intervals.")
@seed_option(1)
@confidence_option()
@output_options()
@workers_options()
def command(
    corpus: str,
    given_annotators: tuple[str, ...],
    compares: "tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]",
    length: str | None,
    distances: "tuple[SetDistance, ...]",
    by: str,
    n_resamples: int,
    seed: int,
    confidence: float,
    output: Output,
    processes: int | None,
    cluster: str | None,
) -> None:
    """Tell how far the annotators of CORPUS agree, why they differ and what that does.

    CORPUS is an .awase file, a database URL or an Awase JSON file.
    """
    from awase.cli.output.agreement_output import report_of_study
    from awase.core.agreement.results import AgreementRequest
    from awase.core.metrics.significance import Resampling
    from awase.core.reports.agreement_report import By
    from awase.jobs.team.standing import study_agreement

    opened = open_corpus(corpus)
    request = AgreementRequest(
        annotators=_annotators(opened.corpus, given_annotators),
        length=length,
        distances=distances,
        compares=compares,
        resampling=Resampling(n_resamples=n_resamples, seed=seed, level=confidence),
    )
    with workers_for(processes, cluster) as workers, ProgressBar("Comparing") as bar:
        study = study_agreement(opened.corpus, request, bar, workers)
    warnings = (*opened.warnings, *study.agreement.warnings)
    print_problems("warning", warnings)
    emit(report_of_study(study, warnings, By(by)), output)


def _annotators(corpus: "Corpus", given: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the given names, split at commas that are not part of a name."""
    from awase.core.records.topic import annotators_of

    known = annotators_of(corpus.topics)
    names = [name for text in given for name in ([text] if text in known else text.split(","))]
    return tuple(name.strip() for name in names if name.strip())
