"""Summaries of DUC 2001 and 2002: `<SUM …>…</SUM>`, or a whole file.

<SUM DOCSET="d061" TYPE="MULTI" SIZE="100" DOCREF="X" SELECTOR="J" SUMMARIZER="B">text</SUM>
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from awase.core.errors import Problem
from awase.core.formats.duc.names import folder_name
from awase.core.formats.duc.sgml import Piece, Tag, tokens
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest
from awase.core.records.topic import Topic

_BREAKS: Final = frozenset(("p", "br", "div", "h1", "h2", "h3"))
_FRAME: Final = frozenset(("html", "head", "title", "body", "meta", "a", "pre", "center", "hr"))
_SHORT_SET: Final = re.compile(r"[dD][0-9]{2,3}")
_KNOWN: Final = _BREAKS | _FRAME | {"sum", "s"}


@dataclass(slots=True)
class DucSum:
    """A summary and its tag's attributes; missing ones are empty."""

    line: int = 1  # where it begins, from 1
    tag: Tag | None = None  # its tag; None when the file has none
    parts: list[str] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)

    def says(self, attribute: str) -> str:
        """Returns an attribute of its tag on one line, empty when absent."""
        value = self.tag.attribute(attribute) if self.tag is not None else None
        return " ".join((value or "").split())

    @property
    def text(self) -> str:
        """All of its text."""
        return "".join(self.parts)


def sums_of(text: str, problems: Findings) -> tuple[DucSum, ...]:
    """Returns the summaries of a file; one without a tag when it has no `<SUM>`."""
    sums: list[DucSum] = []
    rest = DucSum()
    now, is_open = rest, False
    sentence: Piece | None = None
    odd: list[tuple[int, Problem]] = []
    for token in tokens(text.removeprefix("\ufeff"), odd, _KNOWN):
        if not isinstance(token, Tag):
            now.parts.append(token.content)
            if sentence is not None:
                sentence.parts.append(token.content)
        elif token.name == "sum":
            if is_open and not token.is_closing:
                what = "<SUM> of line {start} is not closed."
                problems.remark(token.line, what=what, start=now.line)
            is_open = not token.is_closing
            now, sentence = (DucSum(token.line, token) if is_open else rest), None
            if is_open:
                sums.append(now)
        elif token.name == "s":
            now.parts.append("\n")
            sentence = _sentence(token, sentence, problems)
            if sentence is not None:
                now.pieces.append(sentence)
        elif token.name in _BREAKS:
            now.parts.append("\n\n")
        elif not token.name:
            now.parts.append(token.attributes)
            what = "{tag} is no tag of this format and was kept as text."
            problems.remark(token.line, what=what, tag=token.attributes)
    for line, problem in odd:
        problems.warn(line, [problem])
    return tuple(sums) or (rest,)


def _sentence(tag: Tag, before: Piece | None, problems: Findings) -> Piece | None:
    """Returns the sentence that a tag opens; None for a closing tag."""
    if tag.is_closing:
        return None
    document = "".join((tag.attribute("docid") or "").split()) or None
    number = tag.attribute("num")
    if before is not None and document is None and number is None:
        what = "<s> stands where </s> is meant; it was taken as that."
        problems.remark(tag.line, what=what)
        return None
    if before is not None:
        what = "The sentence of line {start} is not closed."
        problems.remark(tag.line, what=what, start=before.line)
    return Piece(tag.line, 0, is_sentence=True, number=number, document=document)


def docset_names(one: DucSum, request: ReadRequest) -> list[str]:
    """Returns the candidates for a summary's topic: requested, by file, by folder.

    The sets of DUC 2001 and 2002 are `d061` in tags, but `d061j` in the names of folders.
    """
    if request.topic:
        return [request.topic]
    docset, selector = one.says("docset"), one.says("selector").lower()
    if docset:
        return [docset + selector, docset] if _SHORT_SET.fullmatch(docset) else [docset]
    folder = folder_name(request.place)
    return [folder.docset, folder.number] if folder is not None else []


def known_topic(names: Iterable[str], topics: Iterable[Topic]) -> Topic | None:
    """Returns the first topic that is called by one of `names`, whatever the case of letters."""
    by_name = {topic.id.casefold(): topic for topic in topics}
    known = (by_name.get(name.casefold()) for name in names)
    return next((topic for topic in known if topic is not None), None)


def summarizer_of(one: DucSum, request: ReadRequest) -> str:
    """Returns the summarizer's letter or number; empty if unknown."""
    folder = folder_name(request.place)
    of_folder = folder.summarizer if folder is not None else ""
    return request.annotator or one.says("summarizer") or of_folder
