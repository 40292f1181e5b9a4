"""`awase metrics`: what can be asked of `awase score`."""

from typing import TYPE_CHECKING, Any

import click

from awase.cli.arguments.options import CommandOptions, output_options
from awase.cli.output.messages import print_problems, say

if TYPE_CHECKING:
    from awase.cli.output.forms import Output
    from awase.core.metrics.kit.metric import Metric, Option


@click.command("metrics", cls=CommandOptions)
@output_options()
def command(output: "Output") -> None:
    """List the metrics and what their options mean; write them as name:option=value,…."""
    from awase.cli.output.forms import give, of_records
    from awase.core.metrics.registry import ADDED, GROUPS, METRICS

    listed = {
        "metrics": [_metric_record(metric) for metric in METRICS.values()],
        "groups": {name: [*members] for name, members in GROUPS.items()},
    }
    short = [
        {
            "metric": metric.name,
            "what": metric.what,
            "options": ",".join(f"{name}={value}" for name, value in metric.defaults.items()),
        }
        for metric in METRICS.values()
    ]
    give(of_records(_print_tables, listed, short), output)
    print_problems("warning", ADDED.problems())


def _print_tables() -> None:
    from awase.cli.output.tables import print_table
    from awase.core.metrics.registry import GROUPS, METRICS
    from awase.core.reports.grid import Column

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
    say()
    options = {option: None for metric in METRICS.values() for option in metric.options}
    columns = [Column(title=title) for title in ("option", "what", "values")]
    print_table(columns, [_option_rows(option) for option in options])


def _option_rows(option: "Option[Any]") -> list[tuple[str, str, str]]:
    """Returns the rows of an option: what it decides, then its values."""
    return [
        (option.name if not at else "", option.what if not at else "", f"{value}: {what}")
        for at, (value, what) in enumerate(option.listed_values())
    ]


def _metric_record(metric: "Metric") -> dict[str, Any]:
    return {
        "name": metric.name,
        "what": metric.what,
        "needs": [*metric.needs],
        "greatest": metric.greatest,
        "by": metric.by,
        "options": [_option_record(option) for option in metric.options],
    }


def _option_record(option: "Option[Any]") -> dict[str, Any]:
    return {
        "name": option.name,
        "what": option.what,
        "default": option.default,
        "choices": {choice.value: choice.what for choice in option.choices},
        "other": option.form_what,
        "examples": [*option.examples],
        "of_corpus": option.of_corpus,
    }
