"""DUC 2002 extracts (`200e`, `400e`): sentences of the documents selected by a person.

<s docid="X" num="3" wdcount="9">The dog ran.</s>
"""

from collections.abc import Iterable
from typing import Final

from awase.core.errors import CorpusFormatError
from awase.core.formats.duc.names import base_name, system_called
from awase.core.formats.duc.sgml import Piece, one_line
from awase.core.formats.duc.sums import (
    DucSum,
    docset_names,
    known_topic,
    summarizer_of,
    sums_of,
)
from awase.core.formats.reading.findings import Findings
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.topic_parts import known_ids
from awase.core.records.addition import Addition
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, Output
from awase.core.records.topic import Topic

_MOST_NUMBER: Final = 10**9
_HINT_NO_TOPICS: Final = "It has none yet: import its documents first."


def read(request: ReadRequest) -> ReadResult:
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
        topic = _topic(one, request, problems)
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
        try:
            outputs.append((topic.id, Extract(system=system, sentences=refs, length=length)))
        except CorpusFormatError as error:
            problems.note(one.line, error.problems)
    problems.refuse_if_any()
    return ReadResult(addition=Addition(outputs=tuple(outputs)), warnings=tuple(problems.warnings))


def _digits(name: str) -> str | None:
    """Returns the length in a file's name: `200` of `200e`."""
    digits = name.rstrip("eE")
    return digits if digits.isascii() and digits.isdigit() else None


def _topic(one: DucSum, request: ReadRequest, problems: Findings) -> Topic | None:
    names = docset_names(one, request)
    topic = known_topic(names, request.corpus.topics)
    if not names:
        what = "Neither the file nor its folder tells which topic it is of."
        problems.add(one.line, what=what, hint="Name the topic.")
    elif topic is None:
        problems.add(
            one.line,
            what="The corpus has no topic “{topic}”.",
            hint="It has: {known}." if request.corpus.topics else _HINT_NO_TOPICS,
            topic=names[0],
            known=known_ids([topic.id for topic in request.corpus.topics]),
        )
    return topic


def _summarizer(one: DucSum, request: ReadRequest, problems: Findings) -> str:
    summarizer = summarizer_of(one, request)
    if not summarizer:
        problems.add(
            one.line,
            what="Neither the file nor its folder tells who made the extract.",
            hint="Name the annotator, or put the file into a folder such as d061jb.",
        )
    return summarizer


class _Finder:
    """Looks the sentences of extracts up in a topic."""

    def __init__(self, topic: Topic, problems: Findings) -> None:
        self._topic = topic
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
            "topic": self._topic.id,
            "text": one_line(piece.text)[:40] if text else "",
        }
        hint = "Compare with the documents."
        if len(others) == 1:
            what = "“{name}” is not “{text}”; the sentence with these words, {found}, was taken."
            self._problems.remark(piece.line, what=what, hint=hint, **fields, found=str(others[0]))
            return others[0]
        if known is not None:
            what = "“{name}” has other words than “{text}”; it was taken for its number."
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
