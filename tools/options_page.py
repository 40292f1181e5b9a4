"""Writes docs/metrics/options.md from the declared options: `python tools/options_page.py`."""

from collections import Counter
from pathlib import Path
from typing import Any

from awase.core.analysis.extractors import EXTRACTORS
from awase.core.metrics.kit.metric import Option
from awase.core.metrics.registry import METRICS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "metrics" / "options.md"

HEAD = """\
# Options

What every option of every metric and extractor decides, and the values it takes. One is written
`metric:option=value,option=value`; signatures spell all of them, in the order of the metric's list
(`awase metrics`, or as JSON `awase metrics --json`).

*This page is made from the options as the program declares them (`python tools/options_page.py`).*
"""


def options_page() -> str:
    """Returns the whole page."""
    parts = [HEAD]
    for title, table in (("Metrics", METRICS), ("Extractors", EXTRACTORS)):
        own = [one for one in table.values() if not one.by]
        lines = [f"## {title}", "", "| option | of | decides | values |", "|---|---|---|---|"]
        for option in dict.fromkeys(option for one in own for option in one.options):
            owners = {
                one.name: other.default for one in own for other in one.options if other == option
            }
            lines.append(_line(option, owners))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _line(option: Option[Any], owners: dict[str, str]) -> str:
    names = ", ".join(owners)
    values = [f"`{value}` {what}" for value, what in option.listed_values()]
    usual = Counter(owners.values()).most_common(1)[0][0]
    values.append(f"default `{usual}`")
    values += [f"of {name} `{one}`" for name, one in owners.items() if one != usual]
    cells = (f"`{option.name}`", names, option.what, "; ".join(values))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(options_page(), "utf-8")
