"""`awase extract`: adds extractors' systems to a corpus, or prints the TSC-3 paper's table."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from awase.cli import options
from awase.cli.corpora import OpenedCorpus, open_corpus, opened_store, subset_for
from awase.cli.output.messages import ProgressBar, counted, print_problems
from awase.cli.output.report import Output, Report, emit, output_target, report_of
from awase.core.errors import NOTHING, InputError
from awase.core.reports.grid import (
    Shown,
    columns_of,
    decimal_text,
    grid_of_texts,
    records_of,
    tuple_fields,
)

if TYPE_CHECKING:
    from awase.core.analysis.extracting import Background, Extracted
    from awase.core.analysis.extractors import Extraction
    from awase.core.records.corpus import Corpus
    from awase.core.records.score import Score, ScoreTable
    from awase.jobs.extracting import NewExtracts
    from awase.jobs.files.writing import Target


PAPERS = "lead,tfidf,cluster,mmr"


@options.corpus_command(
    "extract",
    "awase extract tsc3.awase --table",
    "awase extract tsc3.awase --with lead,mmr:lambda=0.7",
    "awase extract tsc3.awase --with random --size 5 --name noise",
    "awase extract far.json --with oracle --to far-oracles.json",
)
@click.option("--with", "wanted", metavar="NAME[:OPTION=VALUE,…][,…]", multiple=True,
              default=[PAPERS], help=f"Extractors; may be repeated.  [default: {PAPERS}]"
              )  # fmt: skip
@click.option("--table", "as_table", is_flag=True,
              help="Print their scores, like tables 3 and 4 of the paper; change nothing.",
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
@options.seed_option(None, "For random.  [default: 0]")
@click.option("--annotator", metavar="NAME", help="Whose h.  [default: the first's]")
@options.topics_option()
@click.option("--to", "target", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Write the corpus with the systems to FILE, as Awase JSON.")  # fmt: skip
@options.who_option("extracts")
@options.workers_options()
@options.output_options("systems, and FILE, of the same name")
def command(
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
    All systems are added, or none.
    """
    from awase.core.analysis.extractors import extractions_of, needs_of
    from awase.jobs.extracting import ExtractionPlan, check_not_empty, make_extracts
    from awase.jobs.supplies.gathering import known_parses

    options.check_counts(
        "target", where=not as_table, needs="extracts that are kept, not with --table"
    )
    options.check_counts(
        "who", where=not as_table and target is None, needs="extracts that CORPUS keeps"
    )
    options.check_counts("force", where=not as_table or output.target is not None, needs="-o FILE")
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
    with options.workers_for(processes, cluster) as workers, ProgressBar("Extracting") as bar:
        made = make_extracts(chosen, plan, bar, known_parses(opened.supplies), workers)
    print_problems("warning", [*opened.warnings, *made.extracted.warnings])
    check_not_empty(made)
    if as_table:
        _emit_table(chosen, made.extracted, made.systems, annotator, output)
        return
    _keep(corpus, opened, made, place, who)
    emit(_report(corpus if target is None else str(target), made), output)


def _background(path: Path | None, tokens: str | None) -> "Background | None":
    from awase.core.analysis.extracting import background_of_corpus, label_of
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
    from awase.core.analysis.extracting import read_background
    from awase.core.text.encoding import decode

    return read_background(decode(content, "utf-8").text, path.name)


def _check_names(requests: "tuple[Extraction, ...]", names: tuple[str, ...]) -> None:
    if names and len(names) != len(requests):
        times, of = counted(len(names), "time"), counted(len(requests), "extractor")
        raise click.UsageError(f"--name is given {times} for {of}.")
    if len(set(names)) != len(names):
        raise click.UsageError("Two systems cannot have the same name.")


def _keep(
    location: str, opened: OpenedCorpus, made: "NewExtracts", target: "Target | None", who: str
) -> None:
    from awase.jobs.exporting import ExportPlan, pieces_of
    from awase.jobs.extracting import store_extracts
    from awase.jobs.files.writing import write_whole_file

    if target is not None:
        whole = made.added_to(opened.corpus)
        with ProgressBar("Writing") as bar:
            write_whole_file(target, pieces_of(whole, ExportPlan(format_id="awase-json"), bar))
    else:
        with opened_store(location, who=who) as store, ProgressBar("Writing") as bar:
            store_extracts(store, made, who=who, reporter=bar)


def _report(place: str, made: "NewExtracts") -> Report:
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
    whole = with_extracts(replace(corpus, topics=bare), made.extracts, (), ())
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
        yield "* provisional: the annotation it is based on is not finished"
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
