"""`awase agreement`: how far annotators agree, why they do not, and what that does."""

import click

from awase.cli.arguments.corpora import open_corpus
from awase.cli.output.failures import print_problems
from awase.cli.output.progress import ProgressBar
from awase.core.agreement.measures.distances import Distance
from awase.core.agreement.study.request import AgreementRequest
from awase.core.annotation.overview import annotators_of
from awase.core.metrics.tables.significance import MOST_RESAMPLES, Resampling
from awase.core.records.corpus import Corpus
from awase.core.reports.agreement_report import By

MAX_WARNINGS = 20

_EXAMPLES = """\b
Examples:
  awase agreement corpus.awase
  awase agreement corpus.awase --annotators A1,A2 --length short --json
  awase agreement corpus.awase --distance alternatives,function --by topic
  awase agreement corpus.awase --by sentence
  awase agreement corpus.awase --annotators A1,robot
"""


def _distances(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[Distance, ...]:
    names = [name.strip() for text in given for name in text.split(",")]
    known = [one.value for one in Distance]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.BadParameter(f"“{unknown[0]}” is not one of {', '.join(known)}.")
    return tuple(map(Distance, dict.fromkeys(names))) or tuple(Distance)


@click.command("agreement", short_help="Tell how far the annotators agree.", epilog=_EXAMPLES)
@click.argument("corpus")
@click.option("--annotators", "given_annotators", metavar="A,B,…", multiple=True,
              help="Whose agreement; “robot” takes the first candidate of each sentence.  "
              "[default: everybody]")  # fmt: skip
@click.option("--length", metavar="LENGTH", help="Only abstracts of this length class.")
@click.option("--distance", "distances", metavar="LEVEL,…", multiple=True, callback=_distances,
              help="alternatives, function, support, equal, state, rank, links.  "
              "[default: all]")  # fmt: skip
@click.option("--by", type=click.Choice([one.value for one in By]), default=By.PAIR.value,
              show_default=True, help="What a row is, of the table and of CSV.")  # fmt: skip
@click.option("--n", "n_resamples", type=click.IntRange(1, MOST_RESAMPLES), default=9999,
              show_default=True, help="Resamples of topics, for intervals.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the rows as CSV, whole.")
@click.option("--latex", "as_latex_", is_flag=True, help="Print the table for LaTeX.")
def command(
    corpus: str,
    given_annotators: tuple[str, ...],
    length: str | None,
    distances: tuple[Distance, ...],
    by: str,
    n_resamples: int,
    seed: int,
    as_json: bool,
    as_csv: bool,
    as_latex_: bool,
) -> None:
    """Tell how far the annotators of CORPUS agree, why they differ and what that does.

    CORPUS is an .awase file, a database URL or an Awase JSON file.
    """
    if as_json + as_csv + as_latex_ > 1:
        raise click.UsageError("Choose one of --json, --csv and --latex.")
    from awase.jobs.team.agreement import study_agreement

    opened = open_corpus(corpus)
    request = AgreementRequest(
        annotators=_annotators(opened.corpus, given_annotators),
        length=length,
        distances=distances,
        resampling=Resampling(n_resamples=n_resamples, seed=seed),
    )
    with ProgressBar("Comparing") as bar:
        study = study_agreement(opened.corpus, request, bar)
    warnings = (*opened.warnings, *study.agreement.warnings)
    print_problems("warning", warnings, MAX_WARNINGS)
    from awase.cli.output import agreement_output
    from awase.core.reports.agreement_report import agreement_csv, report_of_agreement
    from awase.core.reports.score_text import as_latex

    if as_json:
        agreement_output.print_json(study, warnings)
    elif as_csv:
        click.echo(agreement_csv(study, By(by)), nl=False)
    elif as_latex_:
        click.echo(as_latex(report_of_agreement(study, By(by))), nl=False)
    else:
        agreement_output.print_agreement(study, By(by))


def _annotators(corpus: Corpus, given: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names given, which commas part unless a name has one itself."""
    known = annotators_of(corpus.topics)
    names = [name for text in given for name in ([text] if text in known else text.split(","))]
    return tuple(name.strip() for name in names if name.strip())
