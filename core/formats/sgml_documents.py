"""TSC and NTCIR documents (`<DOC><DOCNO>…`), and DUC ones with `<s docid= num=>` sentences."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from awase.core.errors import CorpusFormatError, InputError, Problem
from awase.core.formats.import_warnings import broken_character
from awase.core.formats.line_problems import LineProblems
from awase.core.formats.plain_text import language_of, needed_topic
from awase.core.formats.registry import ReadRequest, ReadResult
from awase.core.formats.sgml_tokens import FIELDS, PARAGRAPHS, SENTENCES, Tag, tokens
from awase.core.formats.sources import in_source
from awase.core.records.addition import Addition
from awase.core.records.source import Document, SourceSentence
from awase.core.text.sentences import split_sentences

_NO_TEXT = Problem(what="The document has no text.", hint="Check its <TEXT>.")
_LANGUAGES = {"j": "ja", "ja": "ja", "jpn": "ja", "jp": "ja", "e": "en", "en": "en", "eng": "en"}


def read(request: ReadRequest) -> ReadResult:
    """Returns the documents of a file; text without sentence tags is split by our own rules.

    Raises:
        CorpusFormatError: With every document that has no or another's DOCNO, every sentence
            number that is none; or there is no document at all.
    """
    with in_source(request.source):
        topic_id = needed_topic(request)
    problems = LineProblems(request.source)
    drafts = _Parser(problems).drafts(request.text.removeprefix("\ufeff"))
    if not drafts:
        problems.add(
            None, what="The file has no <DOC>.", hint="Choose TSC, NTCIR or DUC documents."
        )
    language = language_of(request, topic_id)
    _check_ids(drafts, problems)
    documents = []
    for draft in drafts:
        try:
            documents.append(draft.document(language, problems))
        except CorpusFormatError as error:
            problems.note(draft.line, error.problems)
    problems.refuse_if_any()
    return ReadResult(
        addition=Addition(documents=tuple((topic_id, document) for document in documents)),
        warnings=tuple(sorted(problems.warnings, key=lambda problem: problem.line or 0)),
    )


def _check_ids(drafts: list["_Draft"], problems: LineProblems) -> None:
    line_of: dict[str, int] = {}
    for draft in drafts:
        docno = draft.field("docno")
        if not docno:
            what = "The document has no DOCNO, so its sentences would have no ids."
            problems.add(draft.line, what=what, hint="Add <DOCNO>…</DOCNO> behind <DOC>.")
        elif docno in line_of:
            problems.add(
                draft.line,
                what="DOCNO “{docno}” stands a second time; the first is in line {first}.",
                hint="Remove one of the two documents, or give it another number.",
                docno=docno,
                first=line_of[docno],
            )
        line_of.setdefault(docno, draft.line)


@dataclass(slots=True)
class _Piece:
    """A stretch of the text: a tagged sentence, or text to be split.

    Attributes:
        line: Where it begins.
        paragraph: Number of the paragraph tag it is under, 0 = before the first.
        is_sentence: Whether tags say that it is one sentence.
        number: The `num` attribute of its tag.
        parts: Its text.
    """

    line: int
    paragraph: int
    is_sentence: bool
    number: str | None = None
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)


@dataclass(slots=True)
class _Draft:
    """A document while it is read."""

    line: int
    fields: dict[str, list[str]] = field(default_factory=dict)
    pieces: list[_Piece] = field(default_factory=list)
    n_paragraphs: int = 0

    def field(self, name: str) -> str:
        """Returns the text of a field on one line, empty when absent."""
        return " ".join("".join(self.fields.get(name, ())).split())

    def document(self, language: str | None, problems: LineProblems) -> Document:
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
            date=self.field("date") or None,
            title=self.field("headline") or None,
        )

    def _placed(self, pieces: list[_Piece]) -> Iterator[tuple[_Piece, int]]:
        """Yields each piece with the number of paragraphs that lie before its own.

        Text before the first paragraph tag is a paragraph too.
        """
        shift = 1 if any(piece.paragraph == 0 for piece in pieces) else 0
        for piece in pieces:
            yield piece, max(0, piece.paragraph - 1 + shift)

    def _sentences(
        self, piece: _Piece, paragraphs_before: int, language: str | None
    ) -> Iterator[tuple[str, int | None]]:
        """Yields the sentences of a piece with their paragraphs, None when nothing tells them."""
        own = paragraphs_before + 1 if self.n_paragraphs else None
        if piece.is_sentence:
            yield _one_line(piece.text), own
            return
        for sentence in split_sentences(piece.text, language):
            yield sentence.text, own or sentence.paragraph

    def _warn_of_mixture(self, pieces: list[_Piece], problems: LineProblems) -> None:
        if len({piece.is_sentence for piece in pieces}) == 2:
            loose = next(piece for piece in pieces if not piece.is_sentence)
            what = "Text stands outside the sentence tags: “{text}”."
            hint = "It was split by the program's own rules; tag it if it should be one sentence."
            shown = " ".join(loose.text.split())[:30]
            problems.warn(loose.line, InputError.of(what, hint, text=shown).problems)

    def _numbers(self, pieces: list[_Piece], problems: LineProblems) -> dict[int, int]:
        """Returns the number of each piece, by `id`; empty when the tags give none."""
        if not any(piece.number for piece in pieces):
            return {}
        numbers: dict[int, int] = {}
        for piece in pieces:
            text = piece.number or ""
            if not (text.isascii() and text.isdigit() and 0 < int(text[:10]) < 10**9):
                what = "The sentence has no number, though others of its document have."
                if piece.number is not None:
                    what = "The sentence number “{number}” is none."
                hint = "Number all sentences of the document from 1, or none."
                problems.add(piece.line, what=what, hint=hint, number=text)
            elif int(text) in numbers.values():
                what = "Sentence number {n} stands a second time in its document."
                problems.add(piece.line, what=what, hint="Give each sentence its own.", n=int(text))
            else:
                numbers[id(piece)] = int(text)
        return numbers


def _one_line(text: str) -> str:
    lines = [line.strip() for line in text.strip().split("\n")]
    joined = lines[0]
    for line in filter(None, lines[1:]):
        joined += line if not (joined[-1:] + line[0]).isascii() else f" {line}"
    return joined


class _Parser:
    """Sorts tokens into drafts; what is missing or left over becomes a warning."""

    def __init__(self, problems: LineProblems) -> None:
        self._problems = problems
        self._drafts: list[_Draft] = []
        self._draft: _Draft | None = None
        self._field: str | None = None
        self._sentence: _Piece | None = None

    def drafts(self, text: str) -> list[_Draft]:
        """Returns a draft for each document of the file."""
        odd: list[tuple[int, Problem]] = []
        for token in tokens(text, odd):
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
        self._problems.warn(line, [Problem(what=what, hint=hint, fields=fields)])

    def _take_text(self, content: str, line: int) -> None:
        if self._draft is None:
            if content.strip():
                shown = " ".join(content.split())[:30]
                self._warn(
                    line, what="Text outside of any document was left out: “{text}”.", text=shown
                )
        elif self._field == "text":
            self._piece(self._draft, line).parts.append(content)
        elif self._field is not None:
            self._draft.fields.setdefault(self._field, []).append(content)

    def _piece(self, draft: _Draft, line: int) -> _Piece:
        """Returns where text goes: the open sentence, or the running text."""
        if self._sentence is not None:
            return self._sentence
        pieces, paragraph = draft.pieces, draft.n_paragraphs
        if not pieces or pieces[-1].is_sentence or pieces[-1].paragraph != paragraph:
            pieces.append(_Piece(line, paragraph, is_sentence=False))
        return pieces[-1]

    def _take_tag(self, tag: Tag) -> None:
        if tag.name == "doc":
            self._take_doc(tag)
        elif self._draft is None:
            self._warn(tag.line, what="A tag <{tag}> stands outside of any document.", tag=tag.name)
        elif tag.name in FIELDS:
            self._take_field(tag)
        elif self._field == "text":
            self._take_inner(tag, self._draft)
        elif not tag.name and self._field is not None:
            self._keep_as_text(tag)

    def _keep_as_text(self, tag: Tag) -> None:
        self._warn(
            tag.line,
            what="{tag} is no tag of this format and was kept as text.",
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
            self._draft = _Draft(tag.line)
            self._drafts.append(self._draft)

    def _take_field(self, tag: Tag) -> None:
        self._close_sentence(tag.line, is_expected=False)
        if tag.is_closing:
            if self._field != tag.name:
                self._warn(tag.line, what="</{tag}> closes nothing.", tag=tag.name.upper())
            self._field = None
            return
        if self._field is not None:
            self._warn(tag.line, what="<{tag}> is not closed.", tag=self._field.upper())
        self._field = tag.name

    def _take_inner(self, tag: Tag, draft: _Draft) -> None:
        if tag.name in SENTENCES:
            self._close_sentence(tag.line, is_expected=tag.is_closing)
            if not tag.is_closing:
                number = tag.attribute("num")
                self._sentence = _Piece(
                    tag.line, draft.n_paragraphs, is_sentence=True, number=number
                )
                draft.pieces.append(self._sentence)
        elif tag.name in PARAGRAPHS:
            self._close_sentence(tag.line, is_expected=False)
            draft.n_paragraphs += not tag.is_closing
        else:
            self._keep_as_text(tag)

    def _close_sentence(self, line: int, *, is_expected: bool) -> None:
        if self._sentence is not None and not is_expected:
            self._warn(
                line, what="The sentence of line {start} is not closed.", start=self._sentence.line
            )
        elif self._sentence is None and is_expected:
            self._warn(line, what="A sentence is closed that was not opened.")
        self._sentence = None
