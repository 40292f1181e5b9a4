"""Documents of TSC, NTCIR and DUC while they are read: pieces of text, and what becomes of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from awase.core.errors import InputError, Listing, Problem
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.import_warnings import broken_character
from awase.core.records.identifiers import GIVEN, join_splits
from awase.core.records.source import Document, SourceSentence
from awase.core.text.dates import readings_of_date
from awase.core.text.sentences import split_sentences, splitter_of

_NO_TEXT = Problem(what="The document has no text.", hint="Check its <TEXT>.")
_LANGUAGES = {"j": "ja", "ja": "ja", "jpn": "ja", "jp": "ja", "e": "en", "en": "en", "eng": "en"}


@dataclass(slots=True)
class Piece:
    """A stretch of the text: a tagged sentence, or text to be split.

    Attributes:
        line: Where it begins.
        paragraph: Number of the paragraph tag it is under, 0 = before the first.
        is_sentence: Whether tags say that it is one sentence.
        number: The `num` attribute of its tag.
        document: The `docid` attribute of its tag, without blanks.
        parts: Its text.
    """

    line: int
    paragraph: int
    is_sentence: bool
    number: str | None = None
    document: str | None = None
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its text, as the file has it."""
        return "".join(self.parts)


@dataclass(slots=True)
class Draft:
    """A document while it is read."""

    line: int
    fields: dict[str, list[str]] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    n_paragraphs: int = 0

    def field(self, name: str) -> str:
        """Returns the text of a field on one line, empty when absent."""
        return " ".join("".join(self.fields.get(name, ())).split())

    def document(self, language: str | None, problems: Findings) -> Document:
        """Returns the document.

        Raises:
            CorpusFormatError: A record's own rules are broken.
        """
        language = language or _LANGUAGES.get(self.field("lang").lower())
        pieces = [piece for piece in self.pieces if piece.text.strip()]
        if not pieces:
            problems.warn(self.line, [_NO_TEXT])
        self._warn_of_mixture(pieces, problems)
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
        """Returns the date as ISO 8601; as it stands, which is told, where nobody knows it."""
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
                what="“{date}” is no date that is known; documents without one come last.",
                hint="Write it as ISO 8601.",
                date=text,
            )
        return readings[0] if readings else text or None

    def _placed(self, pieces: list[Piece]) -> Iterator[tuple[Piece, int]]:
        """Yields each piece with the number of paragraphs that lie before its own.

        Text before the first paragraph tag is a paragraph too.
        """
        shift = 1 if any(piece.paragraph == 0 for piece in pieces) else 0
        for piece in pieces:
            yield piece, max(0, piece.paragraph - 1 + shift)

    def _sentences(
        self, piece: Piece, paragraphs_before: int, language: str | None
    ) -> Iterator[tuple[str, int | None]]:
        """Yields the sentences of a piece with their paragraphs, None when nothing tells them."""
        own = paragraphs_before + 1 if self.n_paragraphs else None
        if piece.is_sentence:
            yield one_line(piece.text), own
            return
        for sentence in split_sentences(piece.text, language):
            yield sentence.text, own or sentence.paragraph

    def _warn_of_mixture(self, pieces: list[Piece], problems: Findings) -> None:
        if len({piece.is_sentence for piece in pieces}) == 2:
            loose = next(piece for piece in pieces if not piece.is_sentence)
            what = "Text stands outside the sentence tags: “{text}”."
            hint = "It was split by the program's own rules; tag it if it should be one sentence."
            shown = " ".join(loose.text.split())[:30]
            problems.warn(loose.line, InputError.of(what, hint, text=shown).problems)

    def _numbers(self, pieces: list[Piece], problems: Findings) -> dict[int, int]:
        """Returns the number of each piece, by `id`; empty when the tags give none."""
        if not any(piece.number for piece in pieces):
            return {}
        numbers: dict[int, int] = {}
        seen: set[int] = set()
        for piece in pieces:
            text = piece.number or ""
            if not (text.isascii() and text.isdigit() and 0 < int(text[:10]) < 10**9):
                what = "The sentence has no number, though others of its document have."
                if piece.number is not None:
                    what = "The sentence number “{number}” is none."
                hint = "Number all sentences of the document from 1, or none."
                problems.add(piece.line, what=what, hint=hint, number=text)
            elif int(text) in seen:
                what = "Sentence number {n} stands a second time in its document."
                problems.add(piece.line, what=what, hint="Give each sentence its own.", n=int(text))
            else:
                numbers[id(piece)] = int(text)
                seen.add(int(text))
        return numbers


def one_line(text: str) -> str:
    """Returns a sentence on one line; between Japanese letters no blank stands for the break."""
    lines = [line.strip() for line in text.strip().split("\n")]
    joined = lines[0]
    for line in filter(None, lines[1:]):
        joined += line if not (joined[-1:] + line[0]).isascii() else f" {line}"
    return joined
