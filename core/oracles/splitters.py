"""The splitters by name, and EDUs from rules, from parses and from a file of the user's own."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from awase.core.errors import CorpusFormatError
from awase.core.oracles.edu_english import english_edus
from awase.core.oracles.edu_japanese import japanese_edus
from awase.core.oracles.edu_parses import edus_of_parse
from awase.core.oracles.units import (
    FILE,
    PARSES_ID,
    RULES,
    RULES_ID,
    SENTENCE,
    Span,
    Splitter,
    WholeSentences,
    trimmed,
)
from awase.core.parsing.conllu import parse_of

_DIGITS_OF_AN_ID = 8


class EduRules:
    """EDUs by rules on words, of the sentence's language: Japanese, otherwise English."""

    id = RULES_ID

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns where the EDUs are."""
        return japanese_edus(text) if language == "ja" else english_edus(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class EdusOfParses:
    """EDUs by rules on the clauses of dependency parses.

    Attributes:
        parses: A sentence to its parse in CoNLL-U.
        id: Name with a version.
    """

    parses: Mapping[str, str]
    id: str = PARSES_ID

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns where the EDUs are; a sentence without a parse is one."""
        conllu = self.parses.get(text)
        if conllu is None:
            return trimmed(text, [(0, len(text))])
        return edus_of_parse(text, parse_of(conllu))


@dataclass(frozen=True, slots=True, kw_only=True)
class EdusOfFile:
    """EDUs that the user's own segmenter made: docs/formats/edus.md.

    Attributes:
        id: Name with a digest of the file.
        parts_by_letters: A sentence without its white space to the letters of its parts.
        unknown: Sentences that were asked for and are not in the file; each was taken for one EDU.
    """

    id: str
    parts_by_letters: Mapping[str, tuple[int, ...]]
    unknown: set[str] = field(default_factory=set)

    def spans(self, text: str, language: str) -> Sequence[Span]:
        """Returns where the EDUs are; a sentence that the file lacks is one."""
        places = [place for place, char in enumerate(text) if not char.isspace()]
        sizes = self.parts_by_letters.get("".join(text.split()))
        if sizes is None:
            if places:
                self.unknown.add(text)
            return trimmed(text, [(0, len(text))])
        spans, first = [], 0
        for size in sizes:
            spans.append((places[first], places[first + size - 1] + 1))
            first += size
        return spans


def read_edus(text: str, source: str) -> EdusOfFile:
    """Returns the EDUs in a file: a sentence a line, tabs between its EDUs.

    Raises:
        CorpusFormatError: The same sentence is cut in two ways; with the line.
    """
    parts: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        pieces = ["".join(piece.split()) for piece in line.split("\t")]
        sizes = tuple(len(piece) for piece in pieces if piece)
        if not sizes:
            continue
        if parts.setdefault("".join(pieces), sizes) != sizes:
            raise CorpusFormatError.of(
                "The sentence is cut in another way above.",
                "Cut the same sentence in the same way.",
                source=source,
                line=number,
            )
    digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGITS_OF_AN_ID]
    return EdusOfFile(id=f"{FILE}.{digest}", parts_by_letters=parts)


BUILT_IN: Mapping[str, Splitter] = {SENTENCE: WholeSentences(), RULES: EduRules()}
"""Splitters that need nothing but the text."""
