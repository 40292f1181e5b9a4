"""`awase rouge`: ROUGE of texts in files, folders or pipes, without a corpus."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli import options
from awase.cli.corpora import column_options, separators_option
from awase.cli.output.messages import ProgressBar, print_problems, print_taken_as
from awase.cli.output.report import Output, Report, emit
from awase.core.errors import InputError, Problem, Reporter
from awase.core.reports.grid import Shown

if TYPE_CHECKING:
    from awase.core.formats.reading.roles import Declared, TakenAs
    from awase.core.metrics.rouge.family import RougeStream, StreamItem
    from awase.core.metrics.significance import CellKey, MeanInterval, Resampling, ScoreArrays
    from awase.core.records.score import Score


@options.command(
    "rouge",
    "awase rouge system.txt reference.txt",
    "awase rouge - ref1.txt ref2.txt -m rouge-2:stem=yes -m rouge-su:gap=4 < system.txt",
    "awase rouge lead.txt ref.txt --system bart=bart.txt --interval",
    "awase rouge predictions.jsonl --column prediction --reference-column highlights --json",
    "awase rouge predictions.parquet --column prediction -m rouge-2",
    "awase rouge system/ reference/ --level topic -o scores.parquet",
)
@click.argument("hyp")
@click.argument("ref", nargs=-1)
@options.metrics_option("rouge", what="ROUGE metric (awase metrics); repeatable.",
                told="rouge-1, rouge-2, rouge-l")  # fmt: skip
@options.systems_option("Another system; repeatable.", "NAME=FILE")
@click.option(
    "--name", metavar="NAME", help="Name of the system of HYP.  [default: that of its file]"
)
@column_options()
@options.sentences_option()
@separators_option()
@click.option("--encoding", metavar="NAME", default="utf-8", show_default=True)
@options.shown_level_option("Show only means of systems, or every item as well.")
@options.interval_option("bootstrap", "none")
@options.resamples_option(10_000, "Number of resamples of items.")
@options.seed_option(1)
@options.confidence_option()
@options.output_options()
def command(
    hyp: str,
    ref: tuple[str, ...],
    metrics: tuple[str, ...],
    systems: tuple[str, ...],
    name: str | None,
    columns: "Declared",
    sentences: str | None,
    separators: str,
    encoding: str,
    level: str | None,
    interval: str,
    n_resamples: int,
    seed: int,
    confidence: float,
    output: Output,
) -> None:
    """Score the texts in HYP against those in every REF: one text per line, a table, or folders.

    Tables are JSON, JSON lines, CSV, TSV, Parquet, Excel and ODS. - is standard input. Without REF,
    HYP is a table that also has the references. Texts are scored as they are read, so there may be
    millions. Items are numbered, or have the ids of the file. How the input was read is reported;
    ambiguous input is refused.
    """
    from awase.core.metrics.registry import requests_of
    from awase.core.metrics.rouge.family import RougeStream
    from awase.core.metrics.significance import Resampling
    from awase.core.text.sentences import check_split
    from awase.jobs.files.text_lines import TextFileLayout
    from awase.jobs.files.text_pairs import TextPairs, items_of

    if sentences is not None:
        check_split(sentences)
    options.check_counts(
        "n_resamples", "seed", "confidence", where=interval != "none", needs="--interval"
    )
    name = name or ("stdin" if hyp == "-" else Path(hyp).name.partition(".")[0] or hyp)
    named = _systems(name, hyp, systems)
    layout = TextFileLayout(
        declared=columns, way=sentences, separates=separators == "all", encoding=encoding
    )
    pairs = TextPairs(systems=named, references=ref, layout=layout)
    resampling = None
    if interval == "bootstrap":
        resampling = Resampling(n_resamples=n_resamples, seed=seed, level=confidence)
    stream = RougeStream([*named], requests_of(metrics), keeps_values=resampling is not None)
    with ProgressBar("Scoring") as bar:
        taken_as: list[TakenAs] = []
        run = _Run(stream, items_of(pairs, bar, taken_as), bar, resampling, taken_as)
        emit(run.report(output, level), output)
    print_taken_as(taken_as)
    print_problems("warning", run.warnings())


def _systems(name: str, hyp: str, others: Iterable[str]) -> dict[str, str]:
    named = {name: hyp}
    for text in others:
        other, equals, place = text.partition("=")
        if not equals or not other or not place:
            raise click.UsageError(f"“{text}” is not a system: write --system NAME=FILE.")
        if other in named:
            raise click.UsageError(f"Two systems are called “{other}”; --name calls the first.")
        named[other] = place
    return named


class _Run:
    """A streaming run: items are scored while the output is written."""

    def __init__(
        self,
        stream: "RougeStream",
        items: "Iterator[StreamItem]",
        reporter: Reporter,
        resampling: "Resampling | None",
        taken_as: "list[TakenAs]",
    ) -> None:
        self._stream = stream
        self._items = items
        self._reporter = reporter
        self._resampling = resampling
        self._taken_as = taken_as
        self._intervals: dict[CellKey, MeanInterval] = {}

    def report(self, output: Output, level: str | None) -> Report:
        from awase.cli.output.score_output import score_members, score_rows
        from awase.core.reports.score_report import report_of_means

        def scores() -> "Iterable[Score]":
            return self._means_alone() if level == "system" else self._scores()

        return Report(
            shown=lambda: self._shown(by_item=level == "topic"),
            json=lambda: score_members(
                scores(),
                self._made(()),
                self.warnings,
                (one.record() for one in self._taken_as),
            ),
            grid=lambda: report_of_means(self._made(self._means_alone())),
            rows=lambda: score_rows(scores(), self._made(()), output.form),
        )

    def warnings(self) -> tuple[Problem, ...]:
        from awase.core.metrics.significance import without_interval

        too_few = () if self._resampling is None else without_interval([self._stream.n_items])
        return (*self._stream.problems(), *too_few)

    def _scores(self) -> "Iterator[Score]":
        """Yields the items' scores, then the means."""
        from awase.jobs.files.text_pairs import scored_pairs

        return chain(scored_pairs(self._stream, self._items), self._means())

    def _means(self) -> "Iterator[Score]":
        if not self._stream.n_items:
            raise InputError.of("There is nothing to score: the files are empty.")
        means = self._stream.means()
        if self._resampling is not None:
            # Filled before the first mean is written, which looks here.
            self._intervals.update(self._stream.intervals(self._resampling, self._reporter))
        yield from means

    def _means_alone(self) -> "tuple[Score, ...]":
        from awase.jobs.files.text_pairs import portions

        for some in portions(self._items):
            self._stream.add(some)
        return tuple(self._means())

    def _made(self, scores: "tuple[Score, ...]") -> "ScoreArrays":
        from awase.core.metrics.significance import ScoreArrays
        from awase.core.records.score import ScoreTable

        lines = () if self._resampling is None else (self._resampling.interval_signature(),)
        return ScoreArrays(
            table=ScoreTable(scores=scores),
            intervals=None if self._resampling is None else self._intervals,
            resampling=lines,
            columns=self._stream.columns(),
        )

    def _shown(self, *, by_item: bool) -> Shown:
        from awase.cli.output.score_output import score_table

        scores = tuple(self._scores()) if by_item else self._means_alone()
        return score_table(self._made(scores), by_topic=by_item)
