"""The table of `awase extract --table`: extractors by length class, as the TSC-3 paper has it."""

from collections.abc import Mapping
from dataclasses import replace

from awase.cli.output.forms import Output
from awase.cli.output.messages import print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.cli.output.score_output import give_scores, undefined_in_short
from awase.cli.output.tables import print_table
from awase.core.errors import NOTHING
from awase.core.extraction.extractors import Extraction
from awase.core.extraction.running import Extracted
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR
from awase.core.metrics.kit.signature import option_text
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.significance import ScoreArrays
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import with_extracts
from awase.core.records.score import Score, ScoreTable
from awase.core.records.topic import map_topics
from awase.core.reports.grid import columns_of
from awase.core.reports.numbers import decimal_text

METRICS = {"precision": "Prec.", "coverage": "Cov.", "weighted-coverage": "W.C."}


def scores_of_extracts(corpus: Corpus, made: Extracted, annotator: str | None) -> ScoreTable:
    """Returns the TSC-3 scores of the extracts, and of nothing else in the corpus."""
    bare = map_topics(corpus.topics, lambda topic: replace(topic, outputs=()))
    whole = with_extracts(replace(corpus, topics=bare), made.extracts, ())
    metric = f"tsc3:annotator={option_text(annotator or FIRST_ANNOTATOR)}"
    with ProgressBar("Scoring") as bar:
        return score_corpus(whole, requests_of([metric]), bar)


def give_extract_table(
    corpus: Corpus,
    made: Extracted,
    systems: Mapping[str, Extraction],
    annotator: str | None,
    output: Output,
) -> None:
    """Prints or writes the scores: for people the means, and below them every signature."""
    table = scores_of_extracts(corpus, made, annotator)
    print_problems("warning", [*table.warnings, *undefined_in_short(table)])
    give_scores(
        ScoreArrays(table=table),
        output,
        level=None,
        warnings=table.warnings,
        print_table=lambda: _print_table(table, systems),
    )


def _print_table(table: ScoreTable, systems: Mapping[str, Extraction]) -> None:
    means: dict[tuple[str, str | None], dict[str, Score]] = {}
    for score in table.scores:
        if score.topic is None:
            means.setdefault((score.system, score.length), {})[score.metric] = score
    titles = _titles(systems)
    columns = columns_of(("method", "length", *METRICS.values(), "topics"), 2)
    lengths = dict.fromkeys(length for _, length in means)
    groups = [
        [
            [titles[name], length or NOTHING, *_cells(means[name, length])]
            for length in lengths
            if (name, length) in means
        ]
        for name in systems
    ]
    print_table(columns, groups)
    say()
    if any(score.provisional for row in means.values() for score in row.values()):
        say("* provisional: the annotation it rests on is not finished")
    for name, request in systems.items():
        say(f"{titles[name]}: {request.signature}")
    for signature in dict.fromkeys(
        score.signature for row in means.values() for score in row.values()
    ):
        say(signature)


def _titles(systems: Mapping[str, Extraction]) -> dict[str, str]:
    """Returns the extractors' names where they differ, otherwise the systems'."""
    names = [request.extractor for request in systems.values()]
    return {
        system: request.extractor
        if names.count(request.extractor) == 1 and system == request.system
        else system
        for system, request in systems.items()
    }


def _cells(scores: Mapping[str, Score]) -> list[str]:
    cells = []
    for metric in METRICS:
        score = scores[metric]
        mark = "*" if score.provisional else " "
        text = "undefined" if score.value is None else decimal_text(score.value)
        cells.append(text + mark)
    return [*cells, str(max(score.n_topics for score in scores.values()))]
