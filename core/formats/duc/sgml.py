"""SGML of TSC, NTCIR and DUC: tokens, documents, parsing."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from html.entities import html5
from types import MappingProxyType
from typing import Final, Self

from awase.core.errors import Findings, Listing, Problem
from awase.core.formats.reading.requests import broken_character
from awase.core.records.source import GIVEN, Document, SourceSentence, join_splits
from awase.core.text.dates import readings_of_date
from awase.core.text.sentences import split_sentences, splitter_of

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
    """A tag."""

    name: str  # lower case, if known; else empty
    is_closing: bool  # whether it is `</name>`
    line: int  # from 1
    attributes: str = ""  # as written, for `attribute`

    def attribute(self, name: str) -> str | None:
        """Returns the value of an attribute, whatever its case; None when absent."""
        for match in _ATTRIBUTE.finditer(self.attributes):
            if match["key"].lower() == name:
                return next(value for value in match.groups()[1:] if value is not None)
        return None


@dataclass(frozen=True, slots=True)
class SgmlText:
    """Text between two tags, with entities resolved."""

    content: str
    line: int  # the line of the first one


def tokens(
    text: str, warnings: list[tuple[int, Problem]], known: Collection[str] = KNOWN
) -> Iterator[Tag | SgmlText]:
    """Yields tags and texts; oddities are appended to `warnings`.

    Tags of names that are not `known`, in lower case, have no name and themselves as attributes.
    """
    offset, line = 0, 1
    for start, end, match in _markup(text):
        between = text[offset:start]
        if between:
            yield SgmlText(_resolved(between, line, warnings), line)
        line += between.count("\n")
        if match is None:
            content = text[start + len("<![CDATA[") : end - len("]]>")]
            if content and text.startswith("<![CDATA[", start):
                yield SgmlText(content, line)
        elif match["name"] and match["name"].lower() in known:
            yield Tag(match["name"].lower(), bool(match["close"]), line, match["attributes"])
        elif match["name"]:
            yield Tag("", bool(match["close"]), line, match[0])
        line += text.count("\n", start, end)
        offset = end
    if offset < len(text):
        yield SgmlText(_resolved(text[offset:], line, warnings), line)


def _markup(text: str) -> Iterator[tuple[int, int, re.Match[str] | None]]:
    """Yields each tag's start, end and match; None = a comment or CDATA."""
    # The end of a comment is searched once only: if one is unterminated, so are later ones.
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


_NO_TEXT = Problem(what="The document has no text.", hint="Check its <TEXT>.")
_LANGUAGES = {"j": "ja", "ja": "ja", "jpn": "ja", "jp": "ja", "e": "en", "en": "en", "eng": "en"}


@dataclass(slots=True)
class Piece:
    """A stretch of the text: a tagged sentence, or text to be split."""

    line: int
    paragraph: int  # number of the paragraph tag it is under, 0 = before the first
    is_sentence: bool
    number: str | None = None  # the `num` attribute of its tag
    document: str | None = None  # the `docid` attribute of its tag, without blanks
    parts: list[str] = field(default_factory=list)

    @classmethod
    def opened(cls, tag: Tag, paragraph: int = 0) -> Self:
        """Returns the sentence that a tag begins."""
        document = "".join((tag.attribute("docid") or "").split()) or None
        number = tag.attribute("num")
        return cls(tag.line, paragraph, is_sentence=True, number=number, document=document)

    @property
    def text(self) -> str:
        """Its text, as the file has it."""
        return "".join(self.parts)


@dataclass(slots=True)
class SgmlDraft:
    """A document while it is read."""

    line: int
    fields: dict[str, list[str]] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    n_paragraphs: int = 0

    def field(self, name: str) -> str:
        """Returns the text of a field on one line, empty when absent."""
        return " ".join("".join(self.fields.get(name, ())).split())

    def document(self, language: str | None, problems: Findings) -> Document:
        """Returns the document."""
        language = language or _LANGUAGES.get(self.field("lang").lower())
        pieces = [piece for piece in self.pieces if piece.text.strip()]
        if not pieces:
            problems.warn(self.line, [_NO_TEXT])
        if len({piece.is_sentence for piece in pieces}) == 2:
            loose = next(piece for piece in pieces if not piece.is_sentence)
            what = "There is text outside the sentence tags: “{text}”."
            hint = "It was split by the program's own rules; tag it if it should be one sentence."
            text = " ".join(loose.text.split())[:30]
            problems.remark(loose.line, what=what, hint=hint, text=text)
        numbers = self._numbers(pieces, problems)
        sentences: list[SourceSentence] = []
        for piece, paragraphs_before in self._placed(pieces):
            problems.warn(piece.line, broken_character(piece.text, ""))
            for text, paragraph in self._sentences(piece, paragraphs_before, language):
                n = numbers.get(id(piece), len(sentences) + 1)
                sentences.append(SourceSentence(n=n, text=text, paragraph=paragraph))
        return Document(
            id=self.field("docno") or f"without DOCNO in line {self.line}",
            sentences=tuple(sentences),
            split=join_splits(
                GIVEN if piece.is_sentence else splitter_of(piece.text, language)
                for piece in pieces
            ),
            date=self._date(problems),
            title=self.field("headline") or None,
        )

    def _date(self, problems: Findings) -> str | None:
        """Returns the date as ISO 8601, or unchanged with a warning."""
        text = self.field("date")
        readings = readings_of_date(text)
        if len(readings) > 1:
            problems.add(
                self.line,
                what="The date “{date}” may be any of {readings}.",
                hint="Write it as ISO 8601.",
                date=text,
                readings=Listing(readings),
            )
        elif text and not readings:
            problems.remark(
                self.line,
                what="“{date}” is not a recognised date; documents without one come last.",
                hint="Write it as ISO 8601.",
                date=text,
            )
        return readings[0] if readings else text or None

    def _placed(self, pieces: list[Piece]) -> Iterator[tuple[Piece, int]]:
        """Yields each piece with the number of paragraphs before its own.

        Text before the first paragraph tag is a paragraph too.
        """
        shift = 1 if any(piece.paragraph == 0 for piece in pieces) else 0
        for piece in pieces:
            yield piece, max(0, piece.paragraph - 1 + shift)

    def _sentences(
        self, piece: Piece, paragraphs_before: int, language: str | None
    ) -> Iterator[tuple[str, int | None]]:
        """Yields the sentences of a piece with their paragraphs, None if unknown."""
        own = paragraphs_before + 1 if self.n_paragraphs else None
        if piece.is_sentence:
            yield one_line(piece.text), own
            return
        for sentence in split_sentences(piece.text, language):
            yield sentence.text, own or sentence.paragraph

    def _numbers(self, pieces: list[Piece], problems: Findings) -> dict[int, int]:
        """Returns the number of each piece, by `id`; empty when the tags have none."""
        if not any(piece.number for piece in pieces):
            return {}
        numbers: dict[int, int] = {}
        seen: set[int] = set()
        for piece in pieces:
            text = piece.number or ""
            if not (text.isascii() and text.isdigit() and 0 < int(text[:10]) < 10**9):
                what = "The sentence has no number, though others of its document have."
                if piece.number is not None:
                    what = "“{number}” is not a sentence number."
                hint = "Number all sentences of the document from 1, or none."
                problems.add(piece.line, what=what, hint=hint, number=text)
            elif int(text) in seen:
                what = "Sentence number {n} is repeated in its document."
                problems.add(piece.line, what=what, hint="Give each sentence its own.", n=int(text))
            else:
                numbers[id(piece)] = int(text)
                seen.add(int(text))
        return numbers


def one_line(text: str) -> str:
    """Joins a sentence's lines, without blanks between Japanese letters."""
    lines = [line.strip() for line in text.strip().split("\n")]
    joined = lines[0]
    for line in filter(None, lines[1:]):
        joined += line if not (joined[-1:] + line[0]).isascii() else f" {line}"
    return joined


@dataclass(frozen=True, slots=True, kw_only=True)
class SgmlDialect:
    """Meaning of documents' tags."""

    # Tag to what it holds: `docno`, `headline`, `date`, `lang`, `text`, or anything that is passed
    # over. Several tags may hold the same.
    fields: Mapping[str, str]
    has_sentences_anywhere: bool = False


TSC: Final = SgmlDialect(fields=MappingProxyType({name: name for name in FIELDS}))


class SgmlParser:
    """Parses tokens to drafts; missing or surplus tags become warnings."""

    def __init__(self, problems: Findings, dialect: SgmlDialect = TSC) -> None:
        self._problems = problems
        self._dialect = dialect
        self._known = {*dialect.fields, *PARAGRAPHS, *SENTENCES, "doc"}
        self._drafts: list[SgmlDraft] = []
        self._draft: SgmlDraft | None = None
        self._field: str | None = None
        self._tag = ""
        self._sentence: Piece | None = None

    def drafts(self, text: str) -> list[SgmlDraft]:
        """Returns a draft for each document of the file."""
        odd: list[tuple[int, Problem]] = []
        for token in tokens(text, odd, self._known):
            if isinstance(token, Tag):
                self._take_tag(token)
            else:
                self._take_text(token.content, token.line)
        if self._draft is not None:
            last_line = text.rstrip().count("\n") + 1
            what = "The document of line {start} is not closed."
            self._warn(last_line, what=what, start=self._draft.line)
        for odd_line, problem in odd:
            self._problems.warn(odd_line, [problem])
        return self._drafts

    def _warn(self, line: int, *, what: str, **fields: str | int) -> None:
        hint = "Check that the file is not damaged there."
        self._problems.remark(line, what=what, hint=hint, **fields)

    def _take_text(self, content: str, line: int) -> None:
        if self._draft is None:
            if content.strip():
                shown = " ".join(content.split())[:30]
                self._warn(
                    line, what="Text outside of any document was left out: “{text}”.", text=shown
                )
        elif self._field == "text" or self._sentence is not None:
            self._piece(self._draft, line).parts.append(content)
        if self._draft is not None and self._field is not None and self._field != "text":
            self._draft.fields.setdefault(self._field, []).append(content)

    def _piece(self, draft: SgmlDraft, line: int) -> Piece:
        """Returns the piece for text: the open sentence, or running text."""
        if self._sentence is not None:
            return self._sentence
        pieces, paragraph = draft.pieces, draft.n_paragraphs
        if not pieces or pieces[-1].is_sentence or pieces[-1].paragraph != paragraph:
            pieces.append(Piece(line, paragraph, is_sentence=False))
        return pieces[-1]

    def _take_tag(self, tag: Tag) -> None:
        if tag.name == "doc":
            self._take_doc(tag)
        elif self._draft is None:
            self._warn(tag.line, what="Tag <{tag}> is outside any document.", tag=tag.name)
        elif tag.name in self._dialect.fields:
            self._take_field(tag, self._draft)
        elif self._field == "text" or self._is_sentence_here(tag):
            self._take_inner(tag, self._draft)
        elif not tag.name and self._field is not None:
            self._keep_as_text(tag)

    def _is_sentence_here(self, tag: Tag) -> bool:
        return self._dialect.has_sentences_anywhere and tag.name in SENTENCES

    def _keep_as_text(self, tag: Tag) -> None:
        self._warn(
            tag.line,
            what="{tag} is not a tag of this format and was kept as text.",
            tag=tag.attributes,
        )
        self._take_text(tag.attributes, tag.line)

    def _take_doc(self, tag: Tag) -> None:
        if tag.is_closing:
            if self._draft is None:
                self._warn(tag.line, what="</DOC> closes nothing.")
        else:
            if self._draft is not None:
                what = "The document of line {start} is not closed before the next begins."
                self._warn(tag.line, what=what, start=self._draft.line)
        self._close_sentence(tag.line, is_expected=False)
        self._field = None
        self._draft = None
        if not tag.is_closing:
            self._draft = SgmlDraft(tag.line)
            self._drafts.append(self._draft)

    def _take_field(self, tag: Tag, draft: SgmlDraft) -> None:
        self._close_sentence(tag.line, is_expected=False)
        if tag.is_closing:
            if self._field is None or self._tag != tag.name:
                self._warn(tag.line, what="</{tag}> closes nothing.", tag=tag.name.upper())
            self._field = None
            return
        if self._field is not None:
            self._warn(tag.line, what="<{tag}> is not closed.", tag=self._tag.upper())
        self._field, self._tag = self._dialect.fields[tag.name], tag.name
        if self._field == "text" and draft.pieces and not draft.pieces[-1].is_sentence:
            draft.pieces[-1].parts.append("\n\n")  # sentences do not cross parts
        if self._field in draft.fields:  # as with several headlines
            draft.fields[self._field].append("\n")

    def _take_inner(self, tag: Tag, draft: SgmlDraft) -> None:
        if tag.name in SENTENCES:
            if self._is_closing_by_mistake(tag):
                return
            self._close_sentence(tag.line, is_expected=tag.is_closing)
            if not tag.is_closing:
                self._sentence = Piece.opened(tag, draft.n_paragraphs)
                draft.pieces.append(self._sentence)
        elif tag.name in PARAGRAPHS:
            self._close_sentence(tag.line, is_expected=False)
            draft.n_paragraphs += not tag.is_closing
        else:
            self._keep_as_text(tag)

    def _is_closing_by_mistake(self, tag: Tag) -> bool:
        """Whether an `<s>` stands for `</s>`, as in files of DUC; it closes, with a warning."""
        is_bare = self._dialect.has_sentences_anywhere and not tag.attributes.strip()
        if tag.is_closing or not is_bare or self._sentence is None or not self._sentence.number:
            return False
        self._warn(tag.line, what="<s> was read as </s>, which was probably meant.")
        self._sentence = None
        return True

    def _close_sentence(self, line: int, *, is_expected: bool) -> None:
        if self._sentence is not None and not is_expected:
            self._warn(
                line, what="The sentence of line {start} is not closed.", start=self._sentence.line
            )
        elif self._sentence is None and is_expected:
            self._warn(line, what="A sentence is closed that was not opened.")
        self._sentence = None
