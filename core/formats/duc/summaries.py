"""DUC, TAC and TSC: documents, abstracts by people, texts by systems, extracts of DUC 2002.

Documents are of TSC and NTCIR (`<DOC><DOCNO>…`), or of DUC, with numbered sentences or without:
<DOC><DOCNO>X</DOCNO><HEADLINE><s docid="X" num="1">Dogs</s></HEADLINE>
<TEXT><s docid="X" num="2" wdcount="3">The dog ran.</s></TEXT></DOC>

<SUM DOCSET="d061" TYPE="MULTI" SIZE="100" DOCREF="X" SELECTOR="J" SUMMARIZER="B">text</SUM>

Or a file called `D30001.M.100.T.A` with plain text or SEE's HTML. Extracts (`200e`, `400e`) have
sentences of the documents: <s docid="X" num="3" wdcount="9">The dog ran.</s>
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import unescape
from types import MappingProxyType
from typing import Final

from awase.core.errors import CorpusFormatError, Findings, Problem, in_source
from awase.core.formats.duc.sgml import (
    FIELDS,
    TSC,
    Piece,
    SgmlDialect,
    SgmlDraft,
    SgmlParser,
    Tag,
    one_line,
    tokens,
)
from awase.core.formats.reading.records import base_name, folder_name, summary_name, system_called
from awase.core.formats.reading.requests import ReadRequest, ReadResult, broken_character
from awase.core.formats.reading.topic_parts import known_ids, language_of, numbered_abstract
from awase.core.formats.tables.text_folder import needed_topic
from awase.core.records.abstract import Abstract, Limit
from awase.core.records.addition import Addition, no_topic
from awase.core.records.source import Document, SentenceRef
from awase.core.records.topic import Extract, Output, TextOutput, Topic
from awase.core.text.sentences import Split, split_text, splitter_of


def read_sgml(request: ReadRequest) -> ReadResult:
    """Returns the documents of a file; text without sentence tags is split by our own rules."""
    with in_source(request.source):
        topic_id = needed_topic(request)
    return read_documents(request, topic_id, TSC)


def read_documents(
    request: ReadRequest,
    topic_id: str,
    dialect: SgmlDialect,
    mend: Callable[[SgmlDraft, Findings], None] | None = None,
) -> ReadResult:
    """Returns the documents of a file as a topic's; `mend` edits each first."""
    problems = Findings(request.source)
    drafts = SgmlParser(problems, dialect).drafts(request.text.removeprefix("\ufeff"))
    if not drafts:
        problems.add(
            None, what="The file has no <DOC>.", hint="Choose TSC, NTCIR or DUC documents."
        )
    if mend is not None:
        for draft in drafts:
            mend(draft, problems)
    language = language_of(request, topic_id)
    _check_ids(drafts, problems)
    documents = []
    for draft in drafts:
        with problems.noting(draft.line):
            documents.append(draft.document(language, problems))
    problems.refuse_if_any()
    return ReadResult(
        addition=Addition(documents=tuple((topic_id, document) for document in documents)),
        warnings=tuple(sorted(problems.warnings, key=lambda problem: problem.line or 0)),
    )


def _check_ids(drafts: list[SgmlDraft], problems: Findings) -> None:
    line_of: dict[str, int] = {}
    for draft in drafts:
        docno = draft.field("docno")
        if not docno:
            what = "The document has no DOCNO, so its sentences would have no ids."
            problems.add(draft.line, what=what, hint="Add <DOCNO>…</DOCNO> behind <DOC>.")
        elif docno in line_of:
            problems.add(
                draft.line,
                what="DOCNO “{docno}” is repeated; the first is in line {first}.",
                hint="Remove one of the two documents, or give it another number.",
                docno=docno,
                first=line_of[docno],
            )
        line_of.setdefault(docno, draft.line)


_OF_AGENCIES: Final = {
    **{name: "headline" for name in ("head", "hl", "h3", "ti", "hed")},
    **{name: "date" for name in ("dd", "date1", "date_time")},
    **{name: "text" for name in ("lp", "leadpara")},
    **{
        name: "passed over"
        for name in (
            "fileid", "first", "second", "dateline", "byline", "note", "so", "co", "in", "gv",
            "docid", "length", "graphic", "type", "subject", "pub", "page", "profile", "access",
            "caption", "descript", "country", "correction", "edition", "name", "typekey",
            "doctype", "slug", "trailer", "header", "ht", "au", "st", "an", "us", "re", "ns",
        )
    },
}  # fmt: skip
DUC: Final = SgmlDialect(
    fields=MappingProxyType({**{name: name for name in FIELDS}, **_OF_AGENCIES}),
    has_sentences_anywhere=True,
)


def read_duc(request: ReadRequest) -> ReadResult:
    """Returns the documents of a file; every numbered sentence is one of theirs."""
    folder = folder_name(request.place)
    topic_id = request.topic or (folder.docset if folder is not None else None)
    if topic_id is None:
        raise CorpusFormatError.of(
            "The file does not say which topic its documents belong to, and no folder like d061j "
            "does.",
            "Name the topic.",
            source=request.source,
        )
    return read_documents(request, topic_id, DUC, _mend)


def _mend(draft: SgmlDraft, problems: Findings) -> None:
    _with_docno(draft, problems)
    if any(piece.number for piece in draft.pieces):
        loose = [piece for piece in draft.pieces if not piece.is_sentence and piece.text.strip()]
        draft.pieces = [piece for piece in draft.pieces if piece.is_sentence]
        for piece in loose:
            what = "Text outside the numbered sentences is left out: “{text}”."
            problems.remark(piece.line, what=what, text=" ".join(piece.text.split())[:30])


def _with_docno(draft: SgmlDraft, problems: Findings) -> None:
    """Sets a missing DOCNO from the sentences' ids, and reports differences."""
    named = [*dict.fromkeys(piece.document for piece in draft.pieces if piece.document)]
    docno = draft.field("docno")
    if len(named) == 1 and not docno:
        draft.fields["docno"] = named
        what = "The document has no DOCNO; its sentences name “{docno}”, which is used."
        problems.remark(draft.line, what=what, docno=named[0])
    elif others := [name for name in named if name != docno]:
        what = "Sentences of document “{docno}” name another one ({names}); they are kept in it."
        problems.remark(draft.line, what=what, docno=docno, names=known_ids(others))


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
            sentence = _opened(token, sentence, problems)
            if sentence is not None:
                now.pieces.append(sentence)
        elif token.name in _BREAKS:
            now.parts.append("\n\n")
        elif not token.name:
            now.parts.append(token.attributes)
            what = "{tag} is not a tag of this format and was kept as text."
            problems.remark(token.line, what=what, tag=token.attributes)
    for line, problem in odd:
        problems.warn(line, [problem])
    return tuple(sums) or (rest,)


def _opened(tag: Tag, before: Piece | None, problems: Findings) -> Piece | None:
    """Returns the sentence that a tag opens; None for a closing tag."""
    if tag.is_closing:
        return None
    piece = Piece.opened(tag)
    if before is not None and piece.document is None and piece.number is None:
        what = "<s> was read as </s>, which was probably meant."
        problems.remark(tag.line, what=what)
        return None
    if before is not None:
        what = "The sentence of line {start} is not closed."
        problems.remark(tag.line, what=what, start=before.line)
    return piece


def docset_names(one: DucSum, request: ReadRequest, problems: Findings) -> list[str]:
    """Returns the candidates for a summary's topic: requested, by file, by folder.

    It is a problem if there are none.

    The sets of DUC 2001 and 2002 are `d061` in tags, but `d061j` in the names of folders.
    """
    if request.topic:
        return [request.topic]
    docset, selector = one.says("docset"), one.says("selector").lower()
    if docset:
        return [docset + selector, docset] if _SHORT_SET.fullmatch(docset) else [docset]
    folder = folder_name(request.place)
    if folder is not None:
        return [folder.docset, folder.number]
    what = "Neither the file nor its folder says which topic it belongs to."
    problems.add(one.line, what=what, hint="Name the topic.")
    return []


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


_SEE: Final = re.compile(r"<a\s(?=[^<>]*>)[^<>]*\bhref=[^<>]*>(?P<text>[^<]*)", re.IGNORECASE)
_ONE_DOCUMENT: Final = "perdoc"


def read_abstracts(request: ReadRequest) -> ReadResult:
    """Returns the summaries of a file: of letters as abstracts, of numbers as texts of systems."""
    problems = Findings(request.source)
    joining = _Joining(request, problems)
    for one in sums_of(request.text, problems):
        heading = _heading_of(one, request, problems)
        split = _sentences(one, heading, request)
        if heading is not None and not split.sentences:
            problems.remark(one.line, what="The summary has no text; it is left out.")
        elif heading is not None:
            joining.take(one, heading, split)
    problems.refuse_if_any()
    if not joining.abstracts and not joining.outputs:
        problems.add(None, what="The file has no summary.", hint="Choose a file with text in it.")
    problems.refuse_if_any()
    return ReadResult(addition=joining.addition(), warnings=tuple(problems.warnings))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heading:
    """Summarizer, document set and kind of a summary."""

    topics: list[str]
    summarizer: str
    size: str
    document: str = ""


def _heading_of(one: DucSum, request: ReadRequest, problems: Findings) -> _Heading | None:
    """Returns the facts in tag, file name and folder; None when insufficient."""
    named = summary_name(base_name(request.source)) if one.tag is None else None
    if named is not None:
        return _Heading(
            topics=[request.topic or named["docset"]],
            summarizer=request.annotator or named["summarizer"],
            size=named["length"],
            document=(named["document"] or "") if named["kind"] == "P" else "",
        )
    topics, summarizer = docset_names(one, request, problems), summarizer_of(one, request)
    if not summarizer:
        problems.add(
            one.line,
            what="Neither the file nor its folder says who wrote the summary.",
            hint="Name the annotator, or call the file like D30001.M.100.T.A.",
        )
    if not topics or not summarizer:
        return None
    name = base_name(request.source)
    is_of_one = one.says("type").lower() == _ONE_DOCUMENT
    return _Heading(
        topics=topics,
        summarizer=summarizer,
        size=one.says("size") or (name if name.isascii() and name.isdigit() else ""),
        document="".join(one.says("docref").split()) if is_of_one else "",
    )


def _sentences(one: DucSum, heading: _Heading | None, request: ReadRequest) -> Split:
    """Returns the sentences of a summary: tagged, in SEE's HTML, or split by our rules."""
    if one.pieces:
        return split_text([one_line(piece.text) for piece in one.pieces])
    if one.tag is None:
        see = [" ".join(unescape(text).split()) for text in _SEE.findall(request.text)]
        if see:
            return split_text(see)
    language = language_of(request, heading.topics[0] if heading is not None else "")
    return split_text(one.text, splitter_of(one.text, language))


@dataclass(slots=True)
class _Joining:
    """A file's parts to be added."""

    request: ReadRequest
    problems: Findings
    abstracts: list[tuple[str, Abstract]] = field(default_factory=list)
    outputs: list[tuple[str, Output]] = field(default_factory=list)
    documents: list[tuple[str, Document]] = field(default_factory=list)
    _new_topics: dict[str, Topic] = field(default_factory=dict)
    _line_of: dict[tuple[str, str], int] = field(default_factory=dict)

    def take(self, one: DucSum, heading: _Heading, split: Split) -> None:
        topic_id = self._topic_of(heading)
        writer = heading.summarizer.upper() if heading.summarizer.isalpha() else heading.summarizer
        id_ = self.request.abstract or (f"{writer}-{heading.size}" if heading.size else writer)
        first = self._line_of.setdefault((topic_id, id_), one.line)
        if first != one.line:
            self.problems.add(
                one.line,
                what="Topic “{topic}” has a second summary “{name}”; the first is in line {first}.",
                hint="Keep one of the two.",
                topic=topic_id,
                name=id_,
                first=first,
            )
            return
        for text in split.sentences:
            self.problems.warn(one.line, broken_character(text, ""))
        with self.problems.noting(one.line):
            if writer.isalpha():
                self.abstracts.append((topic_id, _abstract(id_, writer, heading, split)))
            else:
                output = TextOutput(
                    system=writer,
                    sentences=split.sentences,
                    length=heading.size or None,
                    split=split.way,
                )
                self.outputs.append((topic_id, output))

    def _topic_of(self, heading: _Heading) -> str:
        """Returns the topic's id; summaries of one document have topics of their own."""
        whole = known_topic(heading.topics, self.request.corpus.topics)
        topic_id = whole.id if whole is not None else heading.topics[0]
        if heading.document:
            topic_id = f"{topic_id}.{heading.document}"
        if self.request.corpus.topic(topic_id) is None and topic_id not in self._new_topics:
            self._new_topics[topic_id] = Topic(id=topic_id)
            if whole is not None and heading.document:
                same = [one for one in whole.documents if one.id == heading.document]
                self.documents += [(topic_id, document) for document in same]
        return topic_id

    def addition(self) -> Addition:
        return Addition(
            topics=tuple(self._new_topics.values()),
            documents=tuple(self.documents),
            abstracts=tuple(self.abstracts),
            outputs=tuple(self.outputs),
        )


def _abstract(id_: str, writer: str, heading: _Heading, split: Split) -> Abstract:
    is_number = heading.size.isascii() and heading.size.isdigit() and int(heading.size[:9]) > 0
    limit = Limit(unit="words", size=int(heading.size[:9])) if is_number else None
    return numbered_abstract(id_, *split, author=writer, length=heading.size or None, limit=limit)


_MOST_NUMBER: Final = 10**9


def read_extracts(request: ReadRequest) -> ReadResult:
    """Returns the extracts of a file; their sentences are looked up in the corpus."""
    problems = Findings(request.source)
    sums = [one for one in sums_of(request.text, problems) if one.pieces]
    if not sums:
        problems.add(
            None,
            what="The file has no sentence with docid and num.",
            hint="Choose an extract of DUC, such as 200e.",
        )
    outputs: list[tuple[str, Output]] = []
    for one in sums:
        topic = _known_topic_of(one, request, problems)
        summarizer = _summarizer(one, request, problems)
        if topic is None or not summarizer:
            continue
        refs = _Finder(topic, problems).refs(one.pieces)
        if not refs:
            problems.add(
                one.line,
                what="None of the sentences is in topic “{topic}”.",
                hint="Import its documents first, as duc-documents.",
                topic=topic.id,
            )
            continue
        length = one.says("size") or _digits(base_name(request.source))
        system = system_called(summarizer)
        with problems.noting(one.line):
            outputs.append((topic.id, Extract(system=system, sentences=refs, length=length)))
    problems.refuse_if_any()
    return ReadResult(addition=Addition(outputs=tuple(outputs)), warnings=tuple(problems.warnings))


def _digits(name: str) -> str | None:
    """Returns the length in a file's name: `200` of `200e`."""
    digits = name.rstrip("eE")
    return digits if digits.isascii() and digits.isdigit() else None


def _known_topic_of(one: DucSum, request: ReadRequest, problems: Findings) -> Topic | None:
    names = docset_names(one, request, problems)
    topic = known_topic(names, request.corpus.topics)
    if names and topic is None:
        known = [topic.id for topic in request.corpus.topics]
        problems.note(one.line, [no_topic(names[0], known)])
    return topic


def _summarizer(one: DucSum, request: ReadRequest, problems: Findings) -> str:
    summarizer = summarizer_of(one, request)
    if not summarizer:
        problems.add(
            one.line,
            what="Neither the file nor its folder says who made the extract.",
            hint="Name the annotator, or put the file into a folder such as d061jb.",
        )
    return summarizer


class _Finder:
    """Looks the sentences of extracts up in a topic."""

    def __init__(self, topic: Topic, problems: Findings) -> None:
        self._known_topic_of = topic
        self._problems = problems
        self._text_of = {ref: _squeezed(sentence.text) for ref, sentence in topic.sentences()}
        self._refs_of: dict[str, list[SentenceRef]] = {}
        for ref, text in self._text_of.items():
            self._refs_of.setdefault(text, []).append(ref)

    def refs(self, pieces: Iterable[Piece]) -> tuple[SentenceRef, ...]:
        """Returns the known sentences, in the extract's order."""
        found = [self._ref(piece) for piece in pieces]
        return tuple(ref for ref in found if ref is not None)

    def _ref(self, piece: Piece) -> SentenceRef | None:
        """Returns a sentence by id; reports contradictions of id and words."""
        text = _squeezed(piece.text)
        ref = _ref_of(piece)
        known = self._text_of.get(ref) if ref is not None else None
        if known is not None and text in ("", known):
            return ref
        others = self._refs_of.get(text, []) if text else []
        if len(others) > 1:
            others = [other for other in others if ref is not None and other.n == ref.n]
        fields = {
            "name": f"{piece.document or ''}:{piece.number or ''}",
            "topic": self._known_topic_of.id,
            "text": one_line(piece.text)[:40] if text else "",
        }
        hint = "Compare with the documents."
        if len(others) == 1:
            what = "“{name}” is not “{text}”; the sentence with these words, {found}, was used."
            self._problems.remark(piece.line, what=what, hint=hint, **fields, found=str(others[0]))
            return others[0]
        if known is not None:
            what = "The words of “{name}” differ from “{text}”; it was matched by its number."
            self._problems.remark(piece.line, what=what, hint=hint, **fields)
            return ref
        what = "Topic “{topic}” has no sentence “{name}” (“{text}”); it is left out."
        self._problems.remark(piece.line, what=what, hint=hint, **fields)
        return None


def _ref_of(piece: Piece) -> SentenceRef | None:
    number = piece.number or ""
    is_number = number.isascii() and number.isdigit() and 0 < int(number[:10]) < _MOST_NUMBER
    return SentenceRef(piece.document or "", int(number)) if is_number else None


def _squeezed(text: str) -> str:
    return "".join(text.split())
