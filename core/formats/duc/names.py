"""File names of DUC and TAC: `D30001.M.100.T.A`, `d061jb/200e`."""

import re
from dataclasses import dataclass
from typing import Final

from awase.core.formats.reading.records import BEGINNING, Sign

_ENDINGS = re.compile(r"(\.(html?|txt|pan|pyr|sgml?|xml|s|sum))+$", re.IGNORECASE)
_DOCSET = r"[A-Za-z]{1,3}[0-9]+[A-Za-z]*(?:-[A-Za-z0-9]+)?"
_SUMMARY = re.compile(
    rf"(?P<docset>{_DOCSET})\.(?P<kind>[MP])\.(?P<length>[0-9]+)\.(?P<selector>[A-Za-z])"
    r"\.(?P<summarizer>[A-Za-z0-9]+)(?:\.(?P<document>.+))?"
)
_SHORT = re.compile(rf"(?P<docset>{_DOCSET})\.[A-Za-z]")
_FOLDER = re.compile(r"(?P<number>[dD][0-9]{2,6})(?P<selector>[A-Za-z]?)(?P<summarizer>[A-Za-z]?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryName:
    """Parsed name of a summary."""

    docset: str
    kind: str  # `M`, of the whole set, or `P`, of one document
    length: str  # in words (bytes in some years), as digits
    selector: str
    summarizer: str
    document: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderName:
    """Parsed folder name of DUC 2001 and 2002: `d061j` for documents, `d061jb` for summaries."""

    number: str
    selector: str  # `j`, the letter of the person who chose the documents; may be empty
    summarizer: str  # `b`, the letter of the person who wrote; empty in folders of documents

    @property
    def docset(self) -> str:
        """The document set: `d061j`."""
        return self.number + self.selector


def base_name(source: str) -> str:
    """Returns a file's name without folders and endings such as `.pan`.

    >>> base_name("peers/D30001.M.100.T.11.pan")
    'D30001.M.100.T.11'
    """
    return _ENDINGS.sub("", re.split(r"[/\\]", source)[-1])


def summary_name(name: str) -> SummaryName | None:
    """Parses the name of a summary; None for others."""
    match = _SUMMARY.fullmatch(name)
    return SummaryName(**match.groupdict()) if match is not None else None


def docset_in(name: str) -> str | None:
    """Returns the document set in `D30001.M.100.T.A` or `D30001.A`, None when there is none."""
    match = _SUMMARY.fullmatch(name) or _SHORT.fullmatch(name)
    return match["docset"] if match is not None else None


def docset_of_file(source: str) -> str | None:
    """Returns the document set at the start of a file's name, or None."""
    match = re.match(rf"{_DOCSET}(?![A-Za-z0-9-])", base_name(source))
    return match[0] if match is not None else None


def folder_name(source: str) -> FolderName | None:
    """Parses the name of the file's folder, or of its parent; None for others."""
    for part in reversed(re.split(r"[/\\]", source)[-3:-1]):
        match = _FOLDER.fullmatch(part)
        if match is not None:
            return FolderName(**match.groupdict())
    return None


def system_called(summarizer: str) -> str:
    """Returns the system's name: a number, or `human-B` for people.

    Correlations exclude such names, as references are no systems.
    """
    return f"human-{summarizer.upper()}" if summarizer.isalpha() else summarizer


_SIGNED_ENDINGS: Final = (".sgml", ".sgm", ".html", ".htm")
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
    if "." in name and not name.lower().endswith(_SIGNED_ENDINGS):
        return ""
    begin = text[:BEGINNING].lower()
    has_sentences = "<s docid=" in begin
    if has_sentences and "<doc>" not in begin:
        return "duc-extracts"
    if "<sum " in begin:
        return "duc-abstracts"
    return "duc-documents" if has_sentences and "." not in name else ""
