"""Units of oracles: sentences, or clause-like parts of sentences called EDUs."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from awase.core.errors import CorpusFormatError
from awase.core.language.basic_elements import RELATIONS, base, enhanced_edges, normal_relation
from awase.core.records.parse import Parse, ParsedSentence, ParsedWord
from awase.core.records.source import SentenceRef
from awase.core.text.tokenisers import has_unspaced_script

SENTENCE, RULES, PARSES, FILE = "sentence", "edu", "edu-parse", "edu-file"
RULES_ID, PARSES_ID = "edu-1", "edu-parse-1"

Span = tuple[int, int]  # offsets of the first character and behind the last

_ID = re.compile(r"(?P<ref>.+)@(?P<start>[0-9]{1,9})-(?P<end>[0-9]{1,9})", re.DOTALL)


class Splitter(Protocol):
    """Cuts sentences into units; pure, and the same for equal text."""

    @property
    def id(self) -> str: ...  # noqa: D102

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns where the units of a sentence are, in order, none overlapping."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Unit:
    """A part of a source sentence, identified by address and span, whichever splitter found it."""

    ref: SentenceRef
    start: int  # offset of its first character in the sentence
    end: int  # offset behind its last
    text: str

    @property
    def id(self) -> str:
        """Returns `<document id>:<n>@<start>-<end>`."""
        return f"{self.ref}@{self.start}-{self.end}"


def parse_unit_id(text: str) -> tuple[SentenceRef, Span]:
    """Returns the address and the span in a unit's id."""
    match = _ID.fullmatch(text)
    if match is None:
        raise CorpusFormatError.of(
            "“{text}” is not the id of a unit.", "Write <document id>:<n>@<start>-<end>.", text=text
        )
    return SentenceRef.parse(match["ref"]), (int(match["start"]), int(match["end"]))


class WholeSentences:
    """The splitter that leaves sentences whole."""

    id = "sentence"

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns the stripped sentence; nothing for a blank one."""
        if text and not text[0].isspace() and not text[-1].isspace():
            return ((0, len(text)),)
        return trimmed(text, [(0, len(text))])


def trimmed(text: str, spans: Iterable[Span]) -> list[Span]:
    """Strips the spans and drops blank ones."""
    kept = []
    for start, end in spans:
        piece = text[start:end]
        if piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            kept.append((first, first + len(piece.strip())))
    return kept


def source_units(
    text_by_ref: Mapping[SentenceRef, str], splitter: Splitter, language: str
) -> list[Unit]:
    """Returns the units of a topic's sentences, in their order."""
    return [
        Unit(ref=ref, start=start, end=end, text=text[start:end])
        for ref, text in text_by_ref.items()
        for start, end in splitter.spans(text, language)
    ]


def texts_of(sentences: Iterable[str], splitter: Splitter, language: str) -> Iterator[str]:
    """Yields the units of sentences that have no address, such as a system's own."""
    for sentence in sentences:
        for start, end in splitter.spans(sentence, language):
            yield sentence[start:end]


def from_cuts(text: str, cuts: Iterable[int]) -> list[Span]:
    """Returns the pieces between the cuts, without blanks around them."""
    places = [0, *sorted({cut for cut in cuts if 0 < cut < len(text)}), len(text)]
    return trimmed(text, pairwise(places))


Element = tuple[str, ...]  # head, modifier and relation


def unit_elements(parse: Parse, start: int, end: int) -> Counter[Element]:
    """Returns (head, modifier, relation) of the words from `start` to `end`, in lower case.

    Relations are those of the metric `be`: enhanced, but basic for Japanese. Words without offsets
    count for every part of their sentence.
    """
    return Counter(
        element
        for sentence in parse
        for head, modifier, relation in _edges(sentence)
        if _is_inside(head, start, end) and _is_inside(modifier, start, end)
        for element in _element(head, modifier, relation)
    )


def _edges(sentence: ParsedSentence) -> Iterator[tuple[ParsedWord, ParsedWord, str]]:
    words = sentence.words
    if any(has_unspaced_script(word.form) for word in words):
        for word in words:
            if word.head:
                yield words[word.head - 1], word, word.deprel
    elif sentence.has_enhanced_graph:
        for word in words:
            for edge in word.enhanced:
                if edge.head.word and not edge.head.empty:
                    yield words[edge.head.word - 1], word, edge.relation
    else:
        for head, dependent, relation in enhanced_edges(sentence):
            if head:
                yield words[head - 1], words[dependent - 1], relation


def _is_inside(word: ParsedWord, start: int, end: int) -> bool:
    return word.span is None or (start <= word.span[0] and word.span[1] <= end)


def _element(head: ParsedWord, modifier: ParsedWord, relation: str) -> Iterator[Element]:
    label = normal_relation(relation)
    if base(label) in RELATIONS:
        yield head.form.lower(), modifier.form.lower(), label
