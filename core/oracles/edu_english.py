"""English EDUs by rules on words: connectives, relative pronouns, reported speech, punctuation.

Rough beside a trained segmenter, but the same everywhere and without a model. A part of fewer than
two words joins its neighbour.
"""

import re
from collections.abc import Iterator

from awase.core.oracles.units import Span, from_cuts

_SUBORDINATORS = (
    r"because|although|though|even though|even if|while|whereas|unless|until|once|since|"
    r"so that|in order to|as soon as|as long as|as if|as though|if|when|whenever|after|before"
)
_PRONOUNS = r"he|she|it|they|we|you|i|there|this|that|these|those|who|which"
_SAYING = (
    r"said|says|say|saying|told|tells|announced|announces|added|adds|believes?|believed|claimed|"
    r"claims|reported|reports|thinks?|thought|argued|argues|warned|warns|admitted|admits|denied|"
    r"insisted|insists|suggested|suggests|showed|shows|found|confirmed|revealed|hopes?|hoped"
)
_WORD = r"[^\W_]+(?:['’\-][^\W_]+)*"
_CUTS = [
    # , because … / because … (but not the first word of the sentence)
    r"(?<=\S)\s+(?=(?:because|although|though|whereas|unless|so that|in order to|even though|"
    r"even if|as soon as|as if)\s)",
    rf",(?=\s+(?:{_SUBORDINATORS})\s)",
    # , which … / , who …
    r",(?=\s+(?:which|who|whose|whom|where)\s)",
    # , but … / , and they …
    r",(?=\s+(?:but|yet|nor)\s)",
    rf",(?=\s+(?:and|or|so)\s+(?:{_PRONOUNS}|the|a|an|his|her|its|their|our|my|no)\s)",
    rf",(?=\s+(?:and|or)\s+(?:then\s+)?{_WORD}ed\s)",
    # , saying …
    r",(?=\s+(?:[a-z]+ly\s+)?[a-z]{2,}ing\s)",
    # said that …
    rf"(?:\b(?:{_SAYING})(?:\s+{_WORD}){{0,2}})(?=\s+that\s)",
    # …, he said / …,” said X
    rf",[\"”’']*(?=\s+(?:(?:{_WORD}\s+){{1,4}}(?:said|says|told|added|announced)\b|"
    rf"(?:said|says|added)\s))",
    # ; and : and dashes
    r"[;:](?=\s)",
    r"\s(?=(?:--|–|—)\s)",
    r"—",
]
_CUT = [re.compile(pattern, re.IGNORECASE) for pattern in _CUTS]
_OPENING = re.compile(
    rf"\s*[\"“‘']*(?:{_SUBORDINATORS}|as|despite|having|[a-z]+ing)\s[^,;]*,(?=\s)", re.IGNORECASE
)
_WORDS = re.compile(_WORD)
_FEWEST_WORDS = 2


def english_edus(text: str) -> list[Span]:
    """Returns where the EDUs of an English sentence are."""
    return _joined(text, from_cuts(text, _cuts(text)))


def _cuts(text: str) -> Iterator[int]:
    for pattern in _CUT:
        for match in pattern.finditer(text):
            yield match.end()
    opening = _OPENING.match(text)
    if opening:  # “When the boat came, they left”: the clause in front ends at its comma
        yield opening.end()


def _joined(text: str, spans: list[Span]) -> list[Span]:
    """Returns the spans, those with too few words joined to the one before, or else behind."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and (_is_short(text, start, end) or _is_short(text, *joined[-1])):
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined


def _is_short(text: str, start: int, end: int) -> bool:
    return len(_WORDS.findall(text, start, end)) < _FEWEST_WORDS
