"""`awase explain`: what a value of the pseudo-pyramid metric rests on, unit by unit."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from awase.cli.corpora import open_corpus, with_systems, with_topics
from awase.cli.failures import one_line, tell_problems
from awase.cli.oracle import with_edus
from awase.cli.progress import ProgressBar
from awase.cli.score import with_oracles
from awase.core.metrics.pseudo_pyramid_family import METRIC, Explained, explain, explainable_request
from awase.core.metrics.rational import weight_text

_EXAMPLES = """\b
Examples:
  awase explain tsc3.awase --topic 0310 --system lead
  awase explain tsc3.awase -m pseudo-pyramid:unit=sentence --topic 0310 --json
"""


@click.command("explain", short_help="Show what pseudo-pyramid scores rest on.", epilog=_EXAMPLES)
@click.argument("corpus")
@click.option("-m", "--metric", default=METRIC, show_default=True, metavar="NAME[:OPTION=VALUE,…]",
              help="pseudo-pyramid with its options.")  # fmt: skip
@click.option("--topic", "topics", metavar="ID", multiple=True, help="Only this topic; repeatable.")
@click.option("--system", "systems", metavar="NAME", multiple=True,
              help="Only this system; repeatable.")  # fmt: skip
@click.option("--oracles", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Oracles found before (awase oracle -o).")  # fmt: skip
@click.option("--edus", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="EDUs of your own segmenter, for unit=edu-file.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(
    corpus: str,
    metric: str,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    oracles: Path | None,
    edus: Path | None,
    as_json: bool,
) -> None:
    """Show, for each output in CORPUS, which oracle units it found, at what weight, and missed.

    A unit that was found twice is paid once.
    """
    request = explainable_request(metric)
    opened = open_corpus(corpus, (request,))
    tell_problems("warning", opened.warnings)
    chosen = with_systems(with_topics(opened.corpus, topics), systems)
    supplies = with_edus(with_oracles(opened.supplies, oracles), edus)
    with ProgressBar("Explaining") as bar:
        explained = explain(chosen, request, bar, supplies)
    if as_json:
        click.echo(json.dumps([*map(_record, explained)], ensure_ascii=False, indent=2))
        return
    for number, one in enumerate(explained):
        if number:
            click.echo()
        _print(one)


def _print(one: Explained) -> None:
    value = "undefined" if one.value is None else f"{float(one.value):.4f}"
    length = f" {one.length}" if one.length else ""
    click.echo(
        f"{one.topic}{length} {one.system}: {weight_text(one.matching.paid)} / "
        f"{weight_text(one.pyramid.upper)} = {value}"
    )
    found = {match.oracle_idx: match for match in one.matching.matches}
    for idx, unit in enumerate(one.pyramid.units):
        mark = "found " if idx in found else "missed"
        click.echo(
            f"  {mark}  weight {weight_text(unit.weight)}  {unit.unit.id}  "
            f"{one_line(unit.unit.text)}"
        )
        if idx in found:
            match = found[idx]
            text = one_line(one.units[match.system_idx])
            click.echo(f"          by   {match.common}/{len(unit.tokens)} tokens  {text}")
        for other in one.matching.others:
            if other.oracle_idx == idx and other.system_idx not in _matched(one):
                text = one_line(one.units[other.system_idx])
                click.echo(f"          again, not paid  {text}")
    for text in _useless(one):
        click.echo(f"  in no oracle  {one_line(text)}")


def _matched(one: Explained) -> set[int]:
    return {match.system_idx for match in one.matching.matches}


def _useless(one: Explained) -> Sequence[str]:
    alike = _matched(one) | {match.system_idx for match in one.matching.others}
    return [text for idx, text in enumerate(one.units) if idx not in alike]


def _record(one: Explained) -> dict[str, Any]:
    """Returns the explanation as JSON holds it."""
    found = {match.oracle_idx: match for match in one.matching.matches}
    return {
        "topic": one.topic,
        "length": one.length,
        "system": one.system,
        "value": None if one.value is None else float(one.value),
        "paid": weight_text(one.matching.paid),
        "upper": weight_text(one.pyramid.upper),
        "units": list(one.units),
        "oracle": [
            {
                "unit": unit.unit.id,
                "text": unit.unit.text,
                "weight": weight_text(unit.weight),
                "found_by": found[idx].system_idx if idx in found else None,
                "common_tokens": found[idx].common if idx in found else None,
                "tokens": len(unit.tokens),
                "also_found_by": [
                    other.system_idx for other in one.matching.others if other.oracle_idx == idx
                ],
            }
            for idx, unit in enumerate(one.pyramid.units)
        ],
    }
