"""`awase metrics`: what can be asked of `awase score`."""

import click

from awase.cli.output.failures import tell_problems
from awase.cli.output.tables import print_table
from awase.core.metrics.kit.options import Option
from awase.core.metrics.registry import ADDED, GROUPS, METRICS
from awase.core.reports.grid import Column


@click.command("metrics", short_help="List the metrics and their options.")
def command() -> None:
    """List the metrics and what their options mean; write them as name:option=value,…."""
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
    tell_problems("warning", ADDED.problems())


def _option_groups() -> list[list[tuple[str, str, str]]]:
    """Returns the rows of each option: what it decides, then its values."""
    described: dict[Option, str] = {}
    for metric in METRICS.values():
        for name in metric.defaults:
            option = metric.option(name)
            if option is not None:
                described.setdefault(option, name)
    groups = []
    for option, name in described.items():
        values = [(choice.value, choice.what) for choice in option.choices]
        if option.form:
            values.append(("|".join(option.examples) or "…", option.form_what))
        if option.of_corpus:
            values.append(("NAME", f"one of the corpus's {option.of_corpus}"))
        groups.append(
            [
                (name if not at else "", option.what if not at else "", f"{value}: {what}")
                for at, (value, what) in enumerate(values)
            ]
        )
    return groups
