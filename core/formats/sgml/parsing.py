"""Tags and texts of TSC, NTCIR and DUC documents, sorted into drafts; what is odd is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from awase.core.errors import Problem
from awase.core.formats.reading.findings import Findings
from awase.core.formats.sgml.drafts import Draft, Piece
from awase.core.formats.sgml.tokens import FIELDS, PARAGRAPHS, SENTENCES, Tag, tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What the tags of documents mean.

    Attributes:
        fields: Tag to what it holds: `docno`, `headline`, `date`, `lang`, `text`, or anything
            that is passed over. Several tags may hold the same.
        has_sentences_anywhere: Whether a sentence tag outside of the text is a sentence, too.
    """

    fields: Mapping[str, str]
    has_sentences_anywhere: bool = False


TSC: Final = Dialect(fields=MappingProxyType({name: name for name in FIELDS}))


class Parser:
    """Sorts tokens into drafts; what is missing or left over becomes a warning."""

    def __init__(self, problems: Findings, dialect: Dialect = TSC) -> None:
        self._problems = problems
        self._dialect = dialect
        self._known = {*dialect.fields, *PARAGRAPHS, *SENTENCES, "doc"}
        self._drafts: list[Draft] = []
        self._draft: Draft | None = None
        self._field: str | None = None
        self._tag = ""
        self._sentence: Piece | None = None

    def drafts(self, text: str) -> list[Draft]:
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
        self._problems.warn(line, [Problem(what=what, hint=hint, fields=fields)])

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

    def _piece(self, draft: Draft, line: int) -> Piece:
        """Returns where text goes: the open sentence, or the running text."""
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
            self._warn(tag.line, what="A tag <{tag}> stands outside of any document.", tag=tag.name)
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
            self._draft = Draft(tag.line)
            self._drafts.append(self._draft)

    def _take_field(self, tag: Tag, draft: Draft) -> None:
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
            draft.pieces[-1].parts.append("\n\n")  # no sentence goes on in another part
        if self._field in draft.fields:  # as with several headlines
            draft.fields[self._field].append("\n")

    def _take_inner(self, tag: Tag, draft: Draft) -> None:
        if tag.name in SENTENCES:
            if self._is_closing_by_mistake(tag):
                return
            self._close_sentence(tag.line, is_expected=tag.is_closing)
            if not tag.is_closing:
                self._sentence = Piece(
                    tag.line,
                    draft.n_paragraphs,
                    is_sentence=True,
                    number=tag.attribute("num"),
                    document="".join((tag.attribute("docid") or "").split()) or None,
                )
                draft.pieces.append(self._sentence)
        elif tag.name in PARAGRAPHS:
            self._close_sentence(tag.line, is_expected=False)
            draft.n_paragraphs += not tag.is_closing
        else:
            self._keep_as_text(tag)

    def _is_closing_by_mistake(self, tag: Tag) -> bool:
        """Whether it is an `<s>` for `</s>`, as in files of DUC; then it closes, and is told."""
        is_bare = self._dialect.has_sentences_anywhere and not tag.attributes.strip()
        if tag.is_closing or not is_bare or self._sentence is None or not self._sentence.number:
            return False
        self._warn(tag.line, what="<s> stands where </s> is meant; it was taken as that.")
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
