"""Which format a file has, by its name and its first lines."""

from typing import Final

from awase.core.formats.duc.names import base_name, summary_name
from awase.core.formats.registry import FORMATS, Format, format_of_file

_TABLE_BY_TABS: Final = {2: "alignment-table", 3: "extract-lines"}
_ROUGE_ROOT: Final = "<ROUGE"
_ROOT_WITHIN: Final = 2000
_ENDINGS_OF_DUC: Final = (".sgml", ".sgm", ".html", ".htm")
_ENDINGS_OF_OTHERS: Final = (".pan", ".pyr", ".xml", ".json", ".tsv", ".csv")
_LINES_BY_KEY: Final = {
    '"metrics"': "sacrerouge",
    '"expert_annotations"': "summeval",
    '"text"': "doccano",  # last, as the others may have a text, too
}


def format_of_text(name: str, text: str) -> Format:
    """Returns the format of a file; what it holds tells formats apart that share an ending.

    Args:
        name: Its name.
        text: Its beginning, at least the first line that is not blank.

    Raises:
        InputError: The name tells nothing.
    """
    ending = name.lower().rpartition(".")[2]
    line = next((line for line in text.splitlines() if line.strip("\ufeff \t")), "")
    found = None
    if ending == "tsv":
        found = _TABLE_BY_TABS.get(line.count("\t"))
    elif ending == "xml" and _ROUGE_ROOT in text[:_ROOT_WITHIN].upper():
        found = "rouge-settings"
    elif ending == "json" and line.lstrip("\ufeff \t").startswith("["):
        found = "label-studio"
    elif ending == "jsonl":
        found = next((known for key, known in _LINES_BY_KEY.items() if key in line), None)
    else:
        found = _of_duc(name, text[:_ROOT_WITHIN].lower())
    return FORMATS[found] if found is not None else format_of_file(name)


def _of_duc(name: str, begin: str) -> str | None:
    """Returns the format of a file of DUC, most of which have no ending; None = it is none."""
    if name.lower().endswith(_ENDINGS_OF_OTHERS):
        return None
    if summary_name(base_name(name)) is not None:
        return "duc-abstracts"
    if "." in name and not name.lower().endswith(_ENDINGS_OF_DUC):
        return None
    if "<s docid=" in begin and "<doc>" not in begin:
        return "duc-extracts"
    if "<sum " in begin:
        return "duc-abstracts"
    return "duc-documents" if "<s docid=" in begin and "." not in name else None
