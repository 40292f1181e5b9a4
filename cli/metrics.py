"""`awase metrics`: what can be asked of `awase score`."""

import click

from awase.cli.tables import Column, print_table
from awase.core.metrics.registry import GROUPS, METRICS


@click.command("metrics", short_help="List the metrics and their options.")
def command() -> None:
    """List the metrics, with their options and defaults; write them as name:option=value,…."""
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
