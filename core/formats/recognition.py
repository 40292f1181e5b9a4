"""Which format a file has, by its name and its first lines."""

from typing import Final

from awase.core.formats.registry import FORMATS, Format, format_of_file

_BY_TABS: Final = {2: "alignment-table", 3: "extract-lines"}


def format_of_text(name: str, text: str) -> Format:
    """Returns the format of a file; what it holds tells formats apart that share an ending.

    Args:
        name: Its name.
        text: Its beginning, at least the first line that is not blank.

    Raises:
        InputError: The name tells nothing.
    """
    lower = name.lower()
    line = next((line for line in text.splitlines() if line.strip("\ufeff \t")), "")
    found = None
    if lower.endswith(".tsv"):
        found = _BY_TABS.get(line.count("\t"))
    elif lower.endswith(".json") and line.lstrip("\ufeff \t").startswith("["):
        found = "label-studio"
    elif lower.endswith(".jsonl") and '"text"' in line and '"metrics"' not in line:
        found = "doccano"
    return FORMATS[found] if found is not None else format_of_file(name)
