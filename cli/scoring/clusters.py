"""`awase clusters`: which words pruned metrics take for one, as a table or JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import open_corpus, subset_for
from awase.cli.arguments.options import (
    VECTORS_HELP,
    CommandOptions,
    metric_option,
    output_options,
    supplier_for,
    systems_option,
    topics_option,
)
from awase.cli.output.messages import print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.core.errors import NOTHING, InputError

if TYPE_CHECKING:
    from awase.cli.output.forms import Output
    from awase.core.metrics.pruned import ClusterReport

_ALL = "(all)"

_EXAMPLES = """\b
Examples:
  awase clusters tsc3.awase --topic 0310 --vectors vectors.bin
  awase clusters tsc3.awase -m pbe --topic 0310 --system lead --vectors vectors.bin
  awase clusters tsc3.awase -m prouge-1:vocabulary=topic,tokens=ja --vectors ja-ginza --json
"""


@click.command("clusters", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@metric_option("prouge-1", "prouge-1, prouge-2 or pbe.")
@click.option("--vectors", metavar="FILE", required=True, help=VECTORS_HELP)
@topics_option()
@systems_option()
@output_options()
def command(
    corpus: str,
    metric: str,
    vectors: str,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    output: "Output",
) -> None:
    """Show which words of CORPUS pruned ROUGE or pruned BE takes for one.

    Words are merged for each system with its references, or with vocabulary=topic for all systems
    of a topic at once.
    """
    from awase.cli.output.forms import give, of_many_records
    from awase.jobs.explaining import merging_request, words_that_count_as_one
    from awase.jobs.files.tables import TableForm

    request = merging_request(metric)
    opened = open_corpus(corpus, [request])
    chosen = subset_for(opened.corpus, topics, systems).scored_of(opened.corpus, [request])
    supplies = supplier_for(opened.supplies, [request], vectors=vectors)
    with ProgressBar("Merging words") as bar:
        reports = words_that_count_as_one(chosen, request, bar, supplies)
    print_problems("warning", opened.warnings)
    if not reports and output.form is not TableForm.JSON:
        raise InputError.of("There is nothing to compare.", "Import outputs and abstracts.")
    found = of_many_records(
        lambda: _print(reports),
        lambda: [("clusters", map(asdict, reports))],
        lambda: _records(reports),
        (reports[0].signature,) if reports else (),
        columns=[*next(_records(reports), ())],
    )
    give(found, output)


def _records(reports: Sequence["ClusterReport"]) -> Iterator[dict[str, object]]:
    """Yields a record for each set of words that count as one."""
    for one in reports:
        topic, length, system = _place(one)
        for merged in one.merged:
            yield {
                "topic": topic,
                "length": length,
                "system": system,
                "in_references": [*merged.in_references],
                "in_outputs": [*merged.in_outputs],
                "distance": merged.distance,
            }


def _print(reports: Sequence["ClusterReport"]) -> None:
    from awase.cli.output.tables import print_table
    from awase.core.reports.grid import columns_of

    head = ("topic", "length", "system")
    print_table(
        columns_of((*head, "words", "with vector", "merged"), 3),
        [
            (
                (*_place(one), *map(str, (one.n_words, one.n_with_vector, one.n_merges)))
                for one in reports
            )
        ],
    )
    if any(one.merged for one in reports):
        say()
        print_table(
            columns_of((*head, "in references", "in output", "distance"), 5),
            (_merged_rows(one) for one in reports if one.merged),
        )
    say()
    say(reports[0].signature)


def _merged_rows(one: "ClusterReport") -> Iterator[tuple[str, ...]]:
    for merged in one.merged:
        words = " ".join(merged.in_references), " ".join(merged.in_outputs)
        yield *_place(one), *words, f"{merged.distance:.3f}"


def _place(report: "ClusterReport") -> tuple[str, str, str]:
    return report.topic, report.length or NOTHING, report.system or _ALL
