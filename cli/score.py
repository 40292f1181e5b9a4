"""`awase score`: what systems' outputs are worth, as a table, JSON or CSV."""

import csv
import json
import sys
from dataclasses import replace
from pathlib import Path

import click

from awase.cli.corpora import open_corpus, with_systems, with_topics
from awase.cli.failures import tell_problems
from awase.cli.progress import ProgressBar
from awase.cli.word_vectors import HELP, vectors_for
from awase.core.errors import Problem, ScoringUndefinedError
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.supplies import Supplies
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable

MAX_WARNINGS = 20
_COLUMNS = ("topic", "length", "system", "metric", "value", "signature", "provisional")


_EXAMPLES = """\b
Examples:
  awase score tsc3.awase
  awase score tsc3.awase -m coverage -m coverage:strict=yes --per-topic
  awase score tsc3.awase -m tsc3:first=3 --json
  awase score tsc3.awase -m prouge-1 -m rouge-we-1 --vectors vectors.bin
"""


@click.command("score", short_help="Score the systems of a corpus.", epilog=_EXAMPLES)
@click.argument("corpus")
@click.option("-m", "--metric", "metrics", metavar="NAME[:OPTION=VALUE,…]", multiple=True,
              default=["tsc3"], help="Metric (awase metrics); may be repeated.  "
              "[default: tsc3]")  # fmt: skip
@click.option("--vectors", metavar="FILE", help=HELP)
@click.option("--topic", "topics", metavar="ID", multiple=True, help="Only this topic; repeatable.")
@click.option("--system", "systems", metavar="NAME", multiple=True,
              help="Only this system; repeatable.")  # fmt: skip
@click.option("--oracles", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Oracles found before (awase oracle -o), for pseudo-pyramid.")  # fmt: skip
@click.option("--edus", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="EDUs of your own segmenter, for unit=edu-file.")  # fmt: skip
@click.option("--per-topic", is_flag=True, help="Show every topic in the table, not only means.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print every score as CSV.")
def command(
    corpus: str,
    metrics: tuple[str, ...],
    vectors: str | None,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    oracles: Path | None,
    edus: Path | None,
    per_topic: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Score the systems of CORPUS, an .awase file, a database URL or an Awase JSON file."""
    if as_json and as_csv:
        raise click.UsageError("Choose one of --json and --csv.")
    requests = requests_of(metrics)
    opened = open_corpus(corpus, requests)
    chosen = with_systems(with_topics(opened.corpus, topics), systems)
    supplies = replace(opened.supplies, vectors=vectors_for(requests, vectors))
    supplies = with_oracles(supplies, oracles)
    if edus is not None:
        from awase.cli.oracle import with_edus

        supplies = with_edus(supplies, edus)
    with ProgressBar("Scoring") as bar:
        table = ScoreTable(warnings=opened.warnings) + score_corpus(chosen, requests, bar, supplies)
    check_not_empty(chosen, table)
    tell_problems("warning", [*table.warnings, *undefined_in_short(table)], MAX_WARNINGS)
    if as_json:
        click.echo(json.dumps(_as_json(table), ensure_ascii=False, allow_nan=False, indent=2))
    elif as_csv:
        _print_csv(table)
    else:
        from awase.cli.score_table import print_score_table

        print_score_table(table, by_topic=per_topic)


def with_oracles(supplies: Supplies, path: Path | None) -> Supplies:
    """Returns the supplies with the oracles in a file, where one is named."""
    if path is None:
        return supplies
    from awase.core.oracles.oracle_file import read_oracles
    from awase.core.text.encoding import decode

    text = decode(path.read_bytes(), "utf-8").text
    return replace(supplies, oracles=read_oracles(text, str(path)))


def check_not_empty(corpus: Corpus, table: ScoreTable) -> None:
    """Does nothing when anything was scored.

    Raises:
        ScoringUndefinedError: Nothing was.
    """
    if not table.scores:
        n_outputs = sum(len(topic.outputs) for topic in corpus.topics)
        missing = Problem(
            what="There is nothing to score: {outputs} outputs, none of which answers an abstract.",
            hint="Import extracts, and an abstract of the same topic and length.",
            fields={"outputs": n_outputs},
        )
        raise ScoringUndefinedError([*table.warnings, missing])


def _as_json(table: ScoreTable) -> dict[str, object]:
    return {
        "scores": [_record(score) for score in table.scores],
        "warnings": [
            *map(warning_record, table.warnings),
            *(_undefined_record(score, score.reason) for score in table.scores if score.reason),
        ],
    }


def _record(score: Score) -> dict[str, object]:
    values = (
        score.topic,
        score.length,
        score.system,
        score.metric,
        None if score.value is None else float(score.value),
        score.signature,
        score.provisional,
    )
    return dict(zip(_COLUMNS, values, strict=True))


def warning_record(problem: Problem) -> dict[str, object]:
    """Returns the warning as JSON commands print it: its message, then its fields."""
    return {"message": str(problem), **{k: v for k, v in problem.fields.items() if k != "message"}}


def _undefined_record(score: Score, reason: Problem) -> dict[str, object]:
    place = "as a mean over topics" if score.topic is None else f"in topic “{score.topic}”"
    place += f", length “{score.length}”" if score.length else ""
    return {
        **warning_record(reason),
        "message": f"{score.metric} of “{score.system}” is undefined {place}: {reason}",
        "topic": score.topic,
        "length": score.length,
        "system": score.system,
        "metric": score.metric,
        "signature": score.signature,
    }


def undefined_in_short(table: ScoreTable) -> list[Problem]:
    """Returns one problem for each metric and kind of reason, with the first case in full."""
    cases: dict[tuple[str, str], list[Score]] = {}
    for score in table.scores:
        if score.reason is not None and score.topic is not None:
            cases.setdefault((score.metric, score.reason.what), []).append(score)
    return [
        Problem(
            what="{metric} is undefined for {systems} in {topics}; "
            "for “{system}” in topic “{topic}”{length}: {reason}",
            fields={
                "metric": metric,
                "systems": _counted(len({score.system for score in scores}), "system"),
                "topics": _counted(len({score.topic for score in scores}), "topic"),
                "system": scores[0].system,
                "topic": scores[0].topic or "",
                "length": f", length “{scores[0].length}”" if scores[0].length else "",
                "reason": str(scores[0].reason),
            },
        )
        for (metric, _), scores in cases.items()
    ]


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _print_csv(table: ScoreTable) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for score in table.scores:
        writer.writerow(
            ["" if cell is None else _csv_cell(cell) for cell in _record(score).values()]
        )


def _csv_cell(cell: object) -> object:
    return str(cell).lower() if isinstance(cell, bool) else cell
