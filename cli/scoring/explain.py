"""`awase explain`: what a value of a metric rests on, unit by unit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from awase.cli.arguments.corpora import open_corpus, subset_for
from awase.cli.arguments.options import (
    MODEL_HELP,
    PYRAMID,
    CommandOptions,
    edus_option,
    metric_option,
    oracles_option,
    output_options,
    supplier_for,
    systems_option,
    topics_option,
)
from awase.cli.output.messages import one_line, print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.core.errors import InputError

if TYPE_CHECKING:
    from awase.cli.output.forms import CommandResult, Output
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.metrics.pseudo_pyramid import Explained


SUBTREE = "subtree"
_COLUMNS = (
    "topic", "length", "system", "unit", "text", "weight", "found", "found_by", "common_tokens",
    "tokens",
)  # fmt: skip
One = TypeVar("One")

_EXAMPLES = """\b
Examples:
  awase explain tsc3.awase --topic 0310 --system lead
  awase explain tsc3.awase -m pseudo-pyramid:unit=sentence --topic 0310 --json
  awase explain tsc3.awase -m subtree --model FOLDER --topic 0310 --system lead
"""


@click.command("explain", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@metric_option(PYRAMID, "pseudo-pyramid or subtree, with its options.")
@click.option("--model", metavar="FOLDER", help=MODEL_HELP)
@topics_option()
@systems_option()
@oracles_option()
@edus_option()
@output_options()
def command(
    corpus: str,
    metric: str,
    model: str | None,
    topics: tuple[str, ...],
    systems: tuple[str, ...],
    oracles: Path | None,
    edus: Path | None,
    output: "Output",
) -> None:
    """Show what the scores of each output in CORPUS rest on.

    For pseudo-pyramid: which oracle units it found, at what weight, and missed; a unit that was
    found twice is paid once. For subtree: the scores by length of subtrees, and each subtree of the
    output and of each reference with its best partner.
    """
    from awase.cli.output.forms import give
    from awase.jobs.explaining import explain_pyramids, explain_subtrees

    request = _explainable(metric)
    opened = open_corpus(corpus, (request,))
    print_problems("warning", opened.warnings)
    chosen = subset_for(opened.corpus, topics, systems).part_of(opened.corpus)
    supplier = supplier_for(opened.supplies, (request,), model=model, oracles=oracles, edus=edus)
    if request.name == SUBTREE:
        from awase.cli.scoring.explain_subtree import (
            PAIR_COLUMNS,
            pair_record,
            pair_rows,
            print_pair,
        )

        with ProgressBar("Explaining") as bar:
            pairs = explain_subtrees(chosen, request, bar, supplier)
        give(_found(pairs, pair_record, print_pair, pair_rows, PAIR_COLUMNS), output)
        return
    with ProgressBar("Explaining") as bar:
        found = explain_pyramids(chosen, request, bar, supplier)
    give(_found(found.explained, _record, _print, _rows, _COLUMNS), output)


def _explainable(metric: str) -> "MetricRequest":
    """Returns the request for the one metric that is to be explained."""
    from awase.core.metrics.registry import requests_of

    (request, *others) = requests_of([metric])
    if request.name not in (PYRAMID, SUBTREE) or others:
        raise InputError.of(
            "Only {metric} and {other} can be explained.",
            "Use -m {metric} or -m {other}.",
            metric=PYRAMID,
            other=SUBTREE,
        )
    return request


def _found(
    explained: Sequence[One],
    record: Callable[[One], dict[str, Any]],
    show: Callable[[One], None],
    rows: Callable[[One], Iterator[Mapping[str, object]]],
    columns: Sequence[str],
) -> "CommandResult":
    from awase.cli.output.forms import of_many_records

    def print_all() -> None:
        for number, one in enumerate(explained):
            if number:
                say()
            show(one)

    return of_many_records(
        print_all,
        lambda: [("explained", map(record, explained))],
        lambda: chain.from_iterable(map(rows, explained)),
        columns=columns,
    )


def _rows(one: "Explained") -> Iterator[dict[str, object]]:
    """Yields a record for each unit of the oracles, with what found it."""
    from awase.core.metrics.kit.signature import weight_text

    found = {match.oracle_idx: match for match in one.matching.matches}
    for idx, unit in enumerate(one.pyramid.units):
        match = found.get(idx)
        values = (
            one.topic, one.length, one.system, unit.unit.id, unit.unit.text,
            weight_text(unit.weight), match is not None,
            None if match is None else one.units[match.system_idx],
            None if match is None else match.common, len(unit.tokens),
        )  # fmt: skip
        yield dict(zip(_COLUMNS, values, strict=True))


def _print(one: "Explained") -> None:
    from awase.core.metrics.kit.signature import weight_text

    value = "undefined" if one.value is None else f"{float(one.value):.4f}"
    length = f" {one.length}" if one.length else ""
    say(
        f"{one.topic}{length} {one.system}: {weight_text(one.matching.paid)} / "
        f"{weight_text(one.pyramid.upper)} = {value}"
    )
    found = {match.oracle_idx: match for match in one.matching.matches}
    for idx, unit in enumerate(one.pyramid.units):
        mark = "found " if idx in found else "missed"
        say(
            f"  {mark}  weight {weight_text(unit.weight)}  {unit.unit.id}  "
            f"{one_line(unit.unit.text)}"
        )
        if idx in found:
            match = found[idx]
            text = one_line(one.units[match.system_idx])
            say(f"          by   {match.common}/{len(unit.tokens)} tokens  {text}")
        for other in one.matching.others:
            if other.oracle_idx == idx and other.system_idx not in _matched(one):
                text = one_line(one.units[other.system_idx])
                say(f"          again, not paid  {text}")
    for text in _useless(one):
        say(f"  in no oracle  {one_line(text)}")


def _matched(one: "Explained") -> set[int]:
    return {match.system_idx for match in one.matching.matches}


def _useless(one: "Explained") -> Sequence[str]:
    alike = _matched(one) | {match.system_idx for match in one.matching.others}
    return [text for idx, text in enumerate(one.units) if idx not in alike]


def _record(one: "Explained") -> dict[str, Any]:
    """Returns the explanation as JSON holds it."""
    from awase.core.metrics.kit.signature import weight_text

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
