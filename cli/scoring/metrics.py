"""`awase metrics`: what can be asked of `awase score`."""

from pathlib import Path
from typing import Any

import click

from awase.cli.arguments.vocabulary import Spelled, output_options
from awase.cli.output.failures import tell_problems
from awase.cli.output.forms import Output, give, of_records
from awase.cli.output.tables import print_table
from awase.core.metrics.kit.metric import Metric
from awase.core.metrics.kit.options.option import Option
from awase.core.metrics.registry import ADDED, GROUPS, METRICS
from awase.core.reports.grid import Column


@click.command("metrics", cls=Spelled)
@output_options()
def command(output_format: str | None, as_json: bool, output_file: Path | None, bom: bool) -> None:
    """List the metrics and what their options mean; write them as name:option=value,…."""
    output = Output.of(output_format, as_json=as_json, output_file=output_file, bom=bom)
    records = [_record(metric) for metric in METRICS.values()]
    groups = [{"name": name, "metrics": [*members]} for name, members in GROUPS.items()]
    short = [
        {
            "metric": metric.name,
            "what": metric.what,
            "options": ",".join(f"{k}={v}" for k, v in metric.defaults.items()),
        }
        for metric in METRICS.values()
    ]
    give(of_records(_print, {"metrics": records, "groups": groups}, short), output)
    tell_problems("warning", ADDED.problems())


def _record(metric: Metric) -> dict[str, object]:
    """Returns a metric with its options and what they take, as JSON holds it."""
    return {
        "name": metric.name,
        "what": metric.what,
        "by": metric.by,
        "needs": [*metric.needs],
        "greatest": metric.greatest,
        "options": [_option(option) for option in metric.options],
    }


def _option(option: Option[Any]) -> dict[str, object]:
    values = [{"value": choice.value, "what": choice.what} for choice in option.choices]
    if option.form_what:
        values.append({"value": "|".join(option.examples) or "…", "what": option.form_what})
    return {"name": option.name, "default": option.default, "what": option.what, "values": values}


def _print() -> None:
    columns = [Column(title=title) for title in ("metric", "what", "options and defaults")]
    rows = [
        (
            metric.name,
            metric.what,
            ",".join(f"{name}={value}" for name, value in metric.defaults.items()),
        )
        for metric in METRICS.values()
    ]
    groups = [(name, f"stands for {', '.join(members)}", "") for name, members in GROUPS.items()]
    print_table(columns, [rows, groups])
    click.echo()
    print_table([Column(title=title) for title in ("option", "what", "values")], _option_groups())


def _option_groups() -> list[list[tuple[str, str, str]]]:
    """Returns the rows of each option: what it decides, then its values."""
    options = {option: None for metric in METRICS.values() for option in metric.options}
    groups = []
    for option in options:
        values = [(choice.value, choice.what) for choice in option.choices]
        if option.form_what:
            values.append(("|".join(option.examples) or "…", option.form_what))
        if option.of_corpus:
            values.append(("NAME", f"one of the corpus's {option.of_corpus}"))
        groups.append(
            [
                (option.name if not at else "", option.what if not at else "", f"{value}: {what}")
                for at, (value, what) in enumerate(values)
            ]
        )
    return groups
