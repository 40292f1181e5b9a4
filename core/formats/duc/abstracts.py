"""Summaries of DUC and TAC: abstracts by people, texts by systems.

    <SUM DOCSET="d061" TYPE="MULTI" SIZE="100" DOCREF="X" SELECTOR="J" SUMMARIZER="B">text</SUM>

Or a file called `D30001.M.100.T.A` with plain text or SEE's HTML.
"""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Final

from awase.core.errors import InputError
from awase.core.formats.duc.names import SummaryName, base_name, summary_name
from awase.core.formats.duc.sgml import one_line
from awase.core.formats.duc.sums import (
    DucSum,
    docset_names,
    known_topic,
    summarizer_of,
    sums_of,
)
from awase.core.formats.reading.findings import Findings, broken_character
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import language_of, numbered_abstract
from awase.core.records.abstract import Abstract, Limit
from awase.core.records.addition import Addition
from awase.core.records.output import Output, TextOutput
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.core.text.sentences import Split, split_text, splitter_of

_SEE: Final = re.compile(r"<a\s(?=[^<>]*>)[^<>]*\bhref=[^<>]*>(?P<text>[^<]*)", re.IGNORECASE)
_ONE_DOCUMENT: Final = "perdoc"


def read(request: ReadRequest) -> ReadResult:
    """Returns the summaries of a file: of letters as abstracts, of numbers as texts of systems."""
    problems = Findings(request.source)
    joining = _Joining(request, problems)
    for one in sums_of(request.text, problems):
        said = _said(one, request, problems)
        split = _sentences(one, said, request)
        if said is not None and not split.sentences:
            problems.remark(one.line, what="The summary has no text; it is left out.")
        elif said is not None:
            joining.take(one, said, split)
    problems.refuse_if_any()
    if not joining.abstracts and not joining.outputs:
        problems.add(None, what="The file has no summary.", hint="Choose a file with text in it.")
    problems.refuse_if_any()
    return ReadResult(addition=joining.addition(), warnings=tuple(problems.warnings))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """Summarizer, document set and kind of a summary."""

    topics: list[str]
    summarizer: str
    size: str
    document: str = ""


def _said(one: DucSum, request: ReadRequest, problems: Findings) -> _Said | None:
    """Returns the facts in tag, file name and folder; None when insufficient."""
    named = summary_name(base_name(request.source)) if one.tag is None else None
    if named is not None:
        return _Said(
            topics=[request.topic or named.docset],
            summarizer=request.annotator or named.summarizer,
            size=named.length,
            document=_document_of(named),
        )
    topics, summarizer = docset_names(one, request), summarizer_of(one, request)
    if not topics:
        what = "Neither the file nor its folder tells which topic it is of."
        problems.add(one.line, what=what, hint="Name the topic.")
    if not summarizer:
        problems.add(
            one.line,
            what="Neither the file nor its folder tells who wrote the summary.",
            hint="Name the annotator, or call the file like D30001.M.100.T.A.",
        )
    if not topics or not summarizer:
        return None
    name = base_name(request.source)
    is_of_one = one.says("type").lower() == _ONE_DOCUMENT
    return _Said(
        topics=topics,
        summarizer=summarizer,
        size=one.says("size") or (name if name.isascii() and name.isdigit() else ""),
        document="".join(one.says("docref").split()) if is_of_one else "",
    )


def _document_of(named: SummaryName) -> str:
    return (named.document or "") if named.kind == "P" else ""


def _sentences(one: DucSum, said: _Said | None, request: ReadRequest) -> Split:
    """Returns the sentences of a summary: tagged, in SEE's HTML, or split by our rules."""
    if one.pieces:
        return split_text([one_line(piece.text) for piece in one.pieces])
    if one.tag is None:
        see = [" ".join(unescape(text).split()) for text in _SEE.findall(request.text)]
        if see:
            return split_text(see)
    language = language_of(request, said.topics[0] if said is not None else "")
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

    def take(self, one: DucSum, said: _Said, split: Split) -> None:
        topic_id = self._topic_of(said)
        writer = said.summarizer.upper() if said.summarizer.isalpha() else said.summarizer
        id_ = self.request.abstract or (f"{writer}-{said.size}" if said.size else writer)
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
        try:
            if writer.isalpha():
                self.abstracts.append((topic_id, _abstract(id_, writer, said, split)))
            else:
                output = TextOutput(
                    system=writer,
                    sentences=split.sentences,
                    length=said.size or None,
                    split=split.way,
                )
                self.outputs.append((topic_id, output))
        except InputError as error:
            self.problems.note(one.line, error.problems)

    def _topic_of(self, said: _Said) -> str:
        """Returns the topic's id; summaries of one document have topics of their own."""
        whole = known_topic(said.topics, self.request.corpus.topics)
        topic_id = whole.id if whole is not None else said.topics[0]
        if said.document:
            topic_id = f"{topic_id}.{said.document}"
        if self.request.corpus.topic(topic_id) is None and topic_id not in self._new_topics:
            self._new_topics[topic_id] = Topic(id=topic_id)
            if whole is not None and said.document:
                same = [one for one in whole.documents if one.id == said.document]
                self.documents += [(topic_id, document) for document in same]
        return topic_id

    def addition(self) -> Addition:
        return Addition(
            topics=tuple(self._new_topics.values()),
            documents=tuple(self.documents),
            abstracts=tuple(self.abstracts),
            outputs=tuple(self.outputs),
        )


def _abstract(id_: str, writer: str, said: _Said, split: Split) -> Abstract:
    is_number = said.size.isascii() and said.size.isdigit() and int(said.size[:9]) > 0
    limit = Limit(unit="words", size=int(said.size[:9])) if is_number else None
    return numbered_abstract(id_, *split, author=writer, length=said.size or None, limit=limit)
