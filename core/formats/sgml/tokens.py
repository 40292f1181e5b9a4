"""TSC/NTCIR/DUC SGML to a stream of tags and texts with line numbers.

Real files are not XML: tags stay open, `<` and `&` stand bare in the text. So only the tags that
the formats define are tags; everything else between angle brackets is text, and told.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from html.entities import html5

from awase.core.errors import Problem

FIELDS = frozenset(("docno", "headline", "date", "lang", "section", "ae", "words", "text"))
PARAGRAPHS = frozenset(("p", "paragraph"))
SENTENCES = frozenset(("sentence", "s"))
KNOWN = FIELDS | PARAGRAPHS | SENTENCES | {"doc"}

_MARKUP = re.compile(
    r"<[?!][^<>]*>|<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9_.-]*)(?P<attributes>(?:\s[^<>]*)?)/?>"
)
_END_BY_BEGIN = {"<!--": "-->", "<![CDATA[": "]]>"}
_TOKEN = re.compile(rf"(?P<long><!--|<!\[CDATA\[)|{_MARKUP.pattern}")
_ATTRIBUTE = re.compile(
    r"(?<![A-Za-z_-])(?P<key>[A-Za-z_-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))"
)
_ENTITY = re.compile(r"&(?:#(?P<decimal>[0-9]{1,7})|#[xX](?P<hex>[0-9A-Fa-f]{1,6})|(?P<name>\w+));")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag.

    Attributes:
        name: In lower case, one of those known; empty for any other.
        is_closing: Whether it is `</name>`.
        line: Where it stands, from 1.
        attributes: As written, for `attribute`.
    """

    name: str
    is_closing: bool
    line: int
    attributes: str = ""

    def attribute(self, name: str) -> str | None:
        """Returns the value of an attribute, whatever its case; None when absent."""
        for match in _ATTRIBUTE.finditer(self.attributes):
            if match["key"].lower() == name:
                return next(value for value in match.groups()[1:] if value is not None)
        return None


@dataclass(frozen=True, slots=True)
class Text:
    """What stands between two tags, with entities resolved.

    Attributes:
        content: The characters.
        line: The line of the first one.
    """

    content: str
    line: int


def tokens(
    text: str, warnings: list[tuple[int, Problem]], known: Collection[str] = KNOWN
) -> Iterator[Tag | Text]:
    """Yields the tags and the texts between them; odd places are appended to `warnings`.

    Args:
        text: The file.
        warnings: Receives (line, problem).
        known: The names of tags, in lower case; others have no name and themselves as attributes.
    """
    offset, line = 0, 1
    for start, end, match in _markup(text):
        between = text[offset:start]
        if between:
            yield Text(_resolved(between, line, warnings), line)
        line += between.count("\n")
        if match is None:
            content = text[start + len("<![CDATA[") : end - len("]]>")]
            if content and text.startswith("<![CDATA[", start):
                yield Text(content, line)
        elif match["name"] and match["name"].lower() in known:
            yield Tag(match["name"].lower(), bool(match["close"]), line, match["attributes"])
        elif match["name"]:
            yield Tag("", bool(match["close"]), line, match[0])
        line += text.count("\n", start, end)
        offset = end
    if offset < len(text):
        yield Text(_resolved(text[offset:], line, warnings), line)


def _markup(text: str) -> Iterator[tuple[int, int, re.Match[str] | None]]:
    """Yields where each tag begins and ends, with its match; None = a comment or CDATA.

    What a comment begins is looked for once only: when nothing ends it, nothing ends a later one.
    """
    endless: set[str] = set()
    offset = 0
    while (match := _TOKEN.search(text, offset)) is not None:
        start, end = match.span()
        found: re.Match[str] | None = match
        if begin := match["long"]:
            closing = _END_BY_BEGIN[begin]
            at = -1 if begin in endless else text.find(closing, end)
            if at >= 0:
                found, end = None, at + len(closing)
            else:
                endless.add(begin)
                found = _MARKUP.match(text, start)
                if found is None:
                    offset = end
                    continue
                end = found.end()
        yield start, end, found
        offset = end


def _resolved(text: str, line: int, warnings: list[tuple[int, Problem]]) -> str:
    """Returns `text` with its entities replaced; a bare `&` stays."""
    if "&" not in text:
        return text

    def character(match: re.Match[str]) -> str:
        found = _entity(match)
        if found is None:
            problem = Problem(
                what="The entity {entity} is not known.",
                hint="It was kept as it is; replace it in the file if it should be a character.",
                fields={"entity": match[0]},
            )
            warnings.append((line + text.count("\n", 0, match.start()), problem))
        return found if found is not None else match[0]

    return _ENTITY.sub(character, text)


def _entity(match: re.Match[str]) -> str | None:
    if match["name"]:
        return html5.get(f"{match['name']};") or html5.get(f"{match['name'].lower()};")
    code = int(match["decimal"]) if match["decimal"] else int(match["hex"], 16)
    if code in (0x9, 0xA, 0xD) or 0x20 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF:
        return chr(code) if not 0x7F <= code < 0xA0 else None
    return None
