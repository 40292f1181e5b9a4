"""How files of DUC are known, most of which have no ending: by their names and their first tags."""

from typing import Final

from awase.core.formats.duc.names import base_name, summary_name
from awase.core.formats.reading.detection import BEGINNING, Sign

_ENDINGS: Final = (".sgml", ".sgm", ".html", ".htm")
_OF_OTHERS: Final = (".pan", ".pyr", ".xml", ".json", ".jsonl", ".tsv", ".csv")


def sign_of(format_id: str) -> Sign:
    """Returns the sign of one of DUC's formats."""
    return Sign(test=lambda name, text: kind_of(name, text) == format_id)


def kind_of(name: str, text: str) -> str:
    """Returns the id of the format that a file of DUC has; empty = it is none."""
    if name.lower().endswith(_OF_OTHERS):
        return ""
    if summary_name(base_name(name)) is not None:
        return "duc-abstracts"
    if "." in name and not name.lower().endswith(_ENDINGS):
        return ""
    begin = text[:BEGINNING].lower()
    has_sentences = "<s docid=" in begin
    if has_sentences and "<doc>" not in begin:
        return "duc-extracts"
    if "<sum " in begin:
        return "duc-abstracts"
    return "duc-documents" if has_sentences and "." not in name else ""
