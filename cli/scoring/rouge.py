"""`awase rouge`: ROUGE of texts in files or pipes, without a corpus; and `awase extract`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from awase.cli.corpora import (
    OpenedCorpus,
    column_options,
    open_corpus,
    opened_store,
    separators_option,
    subset_for,
)
from awase.cli.options import (
    CommandOptions,
    check_counts,
    confidence_option,
    interval_option,
    metrics_option,
    output_options,
    resamples_option,
    seed_option,
    sentences_option,
    shown_level_option,
    systems_option,
    topics_option,
    who_option,
    workers_for,
    workers_options,
)
from awase.cli.output.messages import ProgressBar, counted, print_problems, print_taken_as
from awase.cli.output.report import Output, Report, emit, output_target, report_of
from awase.core.errors import NOTHING, InputError, Problem, Reporter
from awase.core.reports.grid import (
    Shown,
    columns_of,
    decimal_text,
    grid_of_texts,
    records_of,
    tuple_fields,
)

if TYPE_CHECKING:
    from awase.core.analysis.extract_sources import Background
    from awase.core.analysis.extracting import Extracted
    from awase.core.analysis.extractors import Extraction
    from awase.core.formats.reading.roles import Declared, TakenAs
    from awase.core.metrics.rouge.family import RougeStream, StreamItem
    from awase.core.metrics.significance import CellKey, MeanInterval, Resampling, ScoreArrays
    from awase.core.records.corpus import Corpus
    from awase.core.records.score import Score, ScoreTable
    from awase.jobs.extracting import MadeExtracts
    from awase.jobs.files.writing import Target


_EXAMPLES = """\b
Examples:
  awase rouge system.txt reference.txt
  awase rouge - ref1.txt ref2.txt -m rouge-2:stem=yes -m rouge-su:gap=4 < system.txt
  awase rouge lead.txt ref.txt --system bart=bart.txt --interval
  awase rouge predictions.jsonl --column prediction --reference-column highlights --json
  awase rouge predictions.parquet --column prediction -m rouge-2
  awase rouge system/ reference/ --level topic -o scores.parquet
"""


@click.command("rouge", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("hyp")
@click.argument("ref", nargs=-1)
@metrics_option("rouge", what="ROUGE metric (awase metrics); may be repeated.",
                told="rouge-1, rouge-2, rouge-l")  # fmt: skip
@systems_option("A further system; repeatable.", "NAME=FILE")
@click.option("--name", metavar="NAME", help="Of the system of HYP.  [default: its file's]")
@column_options()
@sentences_option()
@separators_option()
@click.option("--encoding", metavar="NAME", default="utf-8", show_default=True)
@shown_level_option("Show means of systems alone, or every item, too.")
@interval_option("bootstrap", "none")
@resamples_option(10_000, "How often items are drawn anew.")
@seed_option(1)
@confidence_option()
@output_options()
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
    """Score the texts in HYP against those in every REF: a text a line, a table, or folders.

    Tables are JSON, JSON lines, CSV, TSV, Parquet, Excel and ODS. - is standard input. Without REF,
    HYP is a table that has the references, too. Texts are scored as they are read, so that there
    may be millions. Items are numbered, or have the ids of the file. What was taken for what is
    told; what can be read in several ways is refused.
    """
    from awase.core.metrics.registry import requests_of
    from awase.core.metrics.rouge.family import RougeStream
    from awase.core.metrics.significance import Resampling
    from awase.core.text.sentences import check_split
    from awase.jobs.files.text_lines import TextFileLayout
    from awase.jobs.files.text_pairs import TextPairs, items_of

    if sentences is not None:
        check_split(sentences)
    check_counts("n_resamples", "seed", "confidence", where=interval != "none", needs="--interval")
    named = _systems(name or _name_of(hyp), hyp, systems)
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


def _name_of(place: str) -> str:
    return "stdin" if place == "-" else Path(place).name.partition(".")[0] or place


def _systems(name: str, hyp: str, others: Iterable[str]) -> dict[str, str]:
    named = {name: hyp}
    for text in others:
        other, equals, place = text.partition("=")
        if not equals or not other or not place:
            raise click.UsageError(f"“{text}” is no system: write --system NAME=FILE.")
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
                lambda: (one.record() for one in self._taken_as),
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


PAPERS = "lead,tfidf,cluster,mmr"

_EXAMPLES_OF_EXTRACT = """\b
Examples:
  awase extract tsc3.awase --table
  awase extract tsc3.awase --with lead,mmr:lambda=0.7
  awase extract tsc3.awase --with random --size 5 --name noise
  awase extract far.json --with oracle --to far-oracles.json
"""


@click.command("extract", cls=CommandOptions, epilog=_EXAMPLES_OF_EXTRACT)
@click.argument("corpus")
@click.option("--with", "wanted", metavar="NAME[:OPTION=VALUE,…][,…]", multiple=True,
              default=[PAPERS], help=f"Extractors; may be repeated.  [default: {PAPERS}]"
              )  # fmt: skip
@click.option("--table", "as_table", is_flag=True,
              help="Print how they score, like tables 3 and 4 of the paper; change nothing.",
              )  # fmt: skip
@click.option("--name", "names", metavar="SYSTEM", multiple=True,
              help="Names of the systems, in the order of the extractors.  [default: the "
              "extractor's with a digest of its options]")  # fmt: skip
@click.option("--size", metavar="h|N", help="Sentences to extract.  [default: h]")
@click.option("--tokens", metavar="ID", help="Tokeniser.  [default: by the topic's language]")
@click.option("--background", "background_file", metavar="FILE",
              type=click.Path(path_type=Path, dir_okay=False),
              help="Document frequencies, or a corpus to count them in.  [default: CORPUS]",
              )  # fmt: skip
@seed_option(None, "For random.  [default: 0]")
@click.option("--annotator", metavar="NAME", help="Whose h.  [default: the first's]")
@topics_option()
@click.option("--to", "target", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Write the corpus with the systems to FILE, as Awase JSON.")  # fmt: skip
@who_option("extracts")
@workers_options()
@output_options("systems, and FILE, of the same name")
def extract_command(
    corpus: str,
    wanted: tuple[str, ...],
    as_table: bool,
    names: tuple[str, ...],
    size: str | None,
    tokens: str | None,
    background_file: Path | None,
    seed: int | None,
    annotator: str | None,
    topics: tuple[str, ...],
    target: Path | None,
    processes: int | None,
    cluster: str | None,
    who: str,
    output: Output,
) -> None:
    """Put extracts of the topics' sentences into CORPUS as systems, for each length class.

    CORPUS is an .awase file or a database URL; with --table or --to also an Awase JSON file.
    All systems join CORPUS or none does.
    """
    from awase.core.analysis.extractors import extractions_of, needs_of
    from awase.jobs.extracting import ExtractionPlan, check_not_empty, make_extracts
    from awase.jobs.supplies.gathering import known_parses

    check_counts("target", where=not as_table, needs="extracts that are kept, not with --table")
    check_counts("who", where=not as_table and target is None, needs="extracts that CORPUS keeps")
    check_counts("force", where=not as_table or output.target is not None, needs="-o FILE")
    place = None if target is None else output_target(target, ".json", force=output.force)
    if place is not None:
        place.check()
    background = _background(background_file, tokens)
    given = {
        "size": size,
        "tokens": tokens,
        "seed": None if seed is None else str(seed),
        "annotator": annotator,
        "background": background.label if background else None,
    }
    requests = extractions_of(wanted, {key: text for key, text in given.items() if text})
    _check_names(requests, names)
    opened = open_corpus(corpus, needs_of(requests))
    if not as_table and target is None and opened.kind == "awase-json":
        raise InputError.of(
            "“{corpus}” is a JSON file, which is never changed.",
            "Add --to FILE.json for a new one, or --table to see the scores.",
            corpus=corpus,
        )
    chosen = subset_for(opened.corpus, topics).part_of(opened.corpus)
    plan = ExtractionPlan(
        requests=requests, names=names, replaces=output.force or as_table, background=background
    )
    with workers_for(processes, cluster) as workers, ProgressBar("Extracting") as bar:
        made = make_extracts(chosen, plan, bar, known_parses(opened.supplies), workers)
    print_problems("warning", [*opened.warnings, *made.warnings])
    check_not_empty(made)
    if as_table:
        _emit_table(chosen, made.extracted, made.systems, annotator, output)
        return
    _keep(corpus, opened, made, place, who)
    emit(_report(corpus if target is None else str(target), made), output)


def _background(path: Path | None, tokens: str | None) -> "Background | None":
    from awase.core.analysis.extract_sources import background_of_corpus, label_of
    from awase.core.text.tokenisers import BY_LANGUAGE, tokeniser_id
    from awase.jobs.files.reading import read_argument

    if path is None:
        return None
    content = read_argument(path)
    begin = content[:16]
    if path.suffix.lower() in (".awase", ".json") or begin.startswith(b"SQLite format 3"):
        opened = open_corpus(str(path)).corpus
        label = label_of(path.name, repr([topic.documents for topic in opened.topics]))
        return background_of_corpus(opened, tokeniser_id(tokens or BY_LANGUAGE), label)
    from awase.core.analysis.extract_sources import read_background
    from awase.core.text.encoding import decode

    return read_background(decode(content, "utf-8").text, path.name)


def _check_names(requests: "tuple[Extraction, ...]", names: tuple[str, ...]) -> None:
    if names and len(names) != len(requests):
        times, of = counted(len(names), "time"), counted(len(requests), "extractor")
        raise click.UsageError(f"--name is given {times} for {of}.")
    if len(set(names)) != len(names):
        raise click.UsageError("Two systems cannot have the same name.")


def _keep(
    location: str, opened: OpenedCorpus, made: "MadeExtracts", target: "Target | None", who: str
) -> None:
    from awase.core.records.addition import with_extracts
    from awase.jobs.exporting import ExportPlan, pieces_of
    from awase.jobs.extracting import store_extracts
    from awase.jobs.files.writing import write_whole_file

    if target is not None:
        whole = with_extracts(opened.corpus, made.extracted.extracts, made.systems)
        with ProgressBar("Writing") as bar:
            write_whole_file(target, pieces_of(whole, ExportPlan(format_id="awase-json"), bar))
    else:
        with opened_store(location, who=who) as store, ProgressBar("Writing") as bar:
            store_extracts(store, made, who=who, reporter=bar)


def _report(place: str, made: "MadeExtracts") -> Report:
    counts = made.extracted.n_by_system()
    fields = tuple_fields("system", "extracts", "signature")
    rows = [(name, counts[name], signature) for name, signature in made.signatures.items()]

    def shown() -> Shown:
        added = counted(counts.total(), "extract")
        yield f"{place}: added {added} of {counted(len(made.systems), 'system')}."
        yield from (f"  {name}: {signature}" for name, _, signature in rows)

    json = {"corpus": place, "systems": [*records_of(fields, rows)]}
    return report_of(fields, rows, shown=shown, json=json.items)


_METRICS: Final = {"precision": "Prec.", "coverage": "Cov.", "weighted-coverage": "W.C."}


def _emit_table(
    corpus: "Corpus",
    made: "Extracted",
    systems: "Mapping[str, Extraction]",
    annotator: str | None,
    output: Output,
) -> None:
    """Emits the TSC-3 scores of the extracts only, for people extractors by length class."""
    from awase.cli.output.score_output import emit_scores, undefined_in_short
    from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR
    from awase.core.metrics.kit.signature import option_text
    from awase.core.metrics.registry import requests_of, score_corpus
    from awase.core.metrics.significance import ScoreArrays
    from awase.core.records.addition import with_extracts
    from awase.core.records.topic import map_topics

    bare = map_topics(corpus.topics, lambda topic: replace(topic, outputs=()))
    whole = with_extracts(replace(corpus, topics=bare), made.extracts, ())
    metric = f"tsc3:annotator={option_text(annotator or FIRST_ANNOTATOR)}"
    with ProgressBar("Scoring") as bar:
        table = score_corpus(whole, requests_of([metric]), bar)
    print_problems("warning", [*table.warnings, *undefined_in_short(table)])
    emit_scores(
        ScoreArrays(table=table),
        output,
        level=None,
        warnings=table.warnings,
        shown=lambda: _table(table, systems),
    )


def _table(table: "ScoreTable", systems: "Mapping[str, Extraction]") -> Shown:
    means: dict[tuple[str, str | None], dict[str, Score]] = {}
    for score in table.scores:
        if score.topic is None:
            means.setdefault((score.system, score.length), {})[score.metric] = score
    titles = _titles(systems)
    lengths = dict.fromkeys(length for _, length in means)
    groups = [
        [
            [titles[name], length or NOTHING, *_cells(means[name, length])]
            for length in lengths
            if (name, length) in means
        ]
        for name in systems
    ]
    yield grid_of_texts(columns_of(("method", "length", *_METRICS.values(), "topics"), 2), groups)
    yield ""
    shown = [score for row in means.values() for score in row.values()]
    if any(score.provisional for score in shown):
        yield "* provisional: the annotation it rests on is not finished"
    yield from (f"{titles[name]}: {request.signature}" for name, request in systems.items())
    yield from dict.fromkeys(score.signature for score in shown)


def _titles(systems: "Mapping[str, Extraction]") -> dict[str, str]:
    """Returns the extractors' names if distinct, otherwise the systems'."""
    names = [request.extractor for request in systems.values()]
    return {
        system: request.extractor
        if names.count(request.extractor) == 1 and system == request.system
        else system
        for system, request in systems.items()
    }


def _cells(scores: "Mapping[str, Score]") -> list[str]:
    cells = []
    for metric in _METRICS:
        score = scores[metric]
        text = "undefined" if score.value is None else decimal_text(score.value)
        cells.append(text + ("*" if score.provisional else " "))
    return [*cells, str(max(score.n_topics for score in scores.values()))]
