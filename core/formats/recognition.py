"""Which format a file has, by its name and its first lines."""

from collections.abc import Mapping

from awase.core.errors import InputError, Listing, Problem
from awase.core.formats.reading.records import NOT_JSON, first_record
from awase.core.formats.registry import FORMATS, Format, format_of_file


def format_of_text(name: str, text: str) -> Format:
    """Detects a file's format; `text` is its beginning up to the first non-blank line or more."""
    foreign = _foreign_format(name, text)
    if foreign is not None:
        raise InputError([foreign])
    signed = [(entry.sign, entry) for entry in FORMATS.values() if entry.sign and entry.reads]
    for sign, entry in sorted(signed, key=lambda pair: pair[0].is_weak):
        if sign.test(name, text):
            return entry
    if name.lower().endswith((".json", ".jsonl")) and text.strip("\ufeff \t\r\n"):
        _check_json(name, text)
    return format_of_file(name)


def _foreign_format(name: str, text: str) -> Problem | None:
    """Returns the error for a known unsupported format, with what to export instead."""
    hint = "Convert it to doccano's JSON lines (a text and its spans), or to Awase JSON."
    lower = name.lower()
    if text.lstrip("\ufeff").startswith("#FORMAT=WebAnno TSV"):
        title = "WebAnno TSV"
    elif lower.endswith(".ann"):
        title = "brat's annotations (.ann)"
    elif lower.endswith(".xmi"):
        title = "UIMA CAS XMI"
    elif lower.endswith(".size") or "pyreval" in lower:
        title = "PyrEval"
        hint = "Pyramids of DUCView (.pyr, .pan) are read, and texts in a folder of peers."
    elif lower.endswith((".conllu", ".conll")):
        title = "CoNLL-U"
        hint = "Parses join a corpus that has its sentences, where sentences are parsed."
    else:
        return None
    return Problem(
        what="“{name}” is of the format {title}, which is not imported.",
        hint=hint,
        fields={"name": name, "title": title},
    )


def _check_json(name: str, text: str) -> None:
    """Refuses JSON without any format's sign, with the missing signs."""
    record = first_record(text)
    is_list = text.lstrip("\ufeff \t\r\n").startswith("[")
    is_ours = isinstance(record, Mapping) and "awase" in record
    if name.lower().endswith(".json") and not is_list and (is_ours or record is NOT_JSON):
        return
    if name.lower().endswith(".json") and not is_list and "topics" in record:  # type: ignore[operator]  # an object
        return
    tried = [
        f"{entry.id}: {entry.sign.wants}"
        for entry in FORMATS.values()
        if entry.sign and entry.reads and name.lower().endswith(entry.suffixes)
    ]
    if name.lower().endswith(".json"):
        tried.insert(0, "awase-json: “awase” in an object")
    keys = Listing(record) if isinstance(record, Mapping) else "no object"
    raise InputError.of(
        "What “{name}” holds is of no format that was tried. Its first record has: {keys}. Tried: "
        "{tried}.",
        "Name the format, or the columns of its texts.",
        name=name,
        keys=keys[:200],
        tried="; ".join(tried),
    )
