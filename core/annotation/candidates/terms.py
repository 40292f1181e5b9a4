"""Terms that sentences can share: words, and pieces of Japanese, with offsets.

Width and case are folded. Japanese needs no dictionary: the character bigrams of runs of kanji
or katakana are terms, so that 夜間離着陸訓練 meets 離着陸訓練 in four pieces, and so are
figures, alone and with their counter (12点, 3人). Whole runs, single kanji and hiragana were
tried and are left out, except for an isolated kanji: docs/candidates.md has the measurements.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import NamedTuple

from awase.core.text.script import clusters, without_selectors

_RUN = re.compile(
    r"(?P<word>[^\W\d_\u3040-\u30ff\u3400-\u9fff々〆ー]+(?:['’][^\W\d_\u3040-\u30ff\u3400-\u9fff]+)*)"
    r"|(?P<number>\d+(?:[.,]\d+)*)"
    r"|(?P<cjk>[\u3400-\u9fff々〆]+|[\u30a1-\u30faー]{2,})"
)
_UNIT = re.compile(r"[\u3400-\u9fff\u30a1-\u30fa]")
_SUFFIXES = ("ingly", "edly", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s")
_SHORTEST_STEM = 3
_MOST_TEXTS = 4_096
_MOST_WORDS = 16_384
_STOP_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        """
        a about after all also an and any are as at be because been before being but by can could
        did do does for from had has have he her him his how i if in into is it its more most no
        not of on one or other our out over said say says she so some such than that the their them
        then there these they this those through to under up was we were what when where which
        while who whose will with would you your
        """,
    )
)


class Term(NamedTuple):
    """A term with its offsets."""

    key: str
    start: int  # offset of its first character in the text
    end: int  # offset behind its last


def terms_of(text: str) -> Iterator[Term]:
    """Yields the terms of `text`; those of one run may overlap."""
    folded, starts, ends = _folded(text)
    for match in _RUN.finditer(folded):
        start, end = match.span()
        # WHO and IT are names, and no words that stand everywhere.
        is_name = end - start > 1 and text[starts[start] : ends[end - 1]].isupper()
        for key, at, behind in _terms_of_run(match, folded, is_name=is_name):
            yield Term(key, starts[start + at], ends[start + behind - 1])


@lru_cache(maxsize=_MOST_TEXTS)
def keys_of(text: str) -> tuple[str, ...]:
    """Returns the keys of the terms of `text`, in order, with repetitions."""
    # Cached: a ranker and the similarities both need them while the annotator waits for the topic.
    return tuple(intern(term.key) for term in terms_of(text))


def _terms_of_run(
    match: re.Match[str], folded: str, *, is_name: bool
) -> Iterator[tuple[str, int, int]]:
    run = match[0]
    if match.lastgroup == "cjk":
        yield from _pieces(run)
    elif match.lastgroup == "number":
        number = run.replace(",", "")
        yield number, 0, len(run)
        if unit := _UNIT.match(folded, match.end()):
            yield number + unit[0], 0, len(run) + 1
    elif is_name or run not in _STOP_WORDS:
        yield _stem(run), 0, len(run)


def _pieces(run: str) -> Iterator[tuple[str, int, int]]:
    if len(run) == 1:
        yield run, 0, 1
    for at in range(len(run) - 1):
        yield run[at : at + 2], at, at + 2


@lru_cache(maxsize=_MOST_WORDS)
def _stem(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("’s").replace("’", "'")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word[: -len(suffix)] + ("y" if suffix in ("ies", "ied") else "")
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


_Offsets = Sequence[int]


def _folded(text: str) -> tuple[str, _Offsets, _Offsets]:
    """Returns `text` folded in width and case, with the original offsets of each character."""
    if text.isascii():
        return text.lower(), range(len(text)), range(1, len(text) + 1)
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in clusters(text):
        cluster = without_selectors(text[start:end])
        for piece in unicodedata.normalize("NFKC", cluster).lower():
            characters.append(piece)
            starts.append(start)
            ends.append(end)
    return "".join(characters), starts, ends


def inverse_frequencies(counts: Sequence[Counter[str]]) -> Mapping[str, float]:
    """Returns term -> idf, above 0, when each of `counts` is a sentence."""
    frequency: Counter[str] = Counter()
    for of_sentence in counts:
        frequency.update(of_sentence.keys())
    n_sentences = len(counts)
    return {key: inverse_frequency(n, n_sentences) for key, n in frequency.items()}


def inverse_frequency(n: int, n_sentences: int) -> float:
    """Returns the idf, above 0, of a term that `n` of the sentences have."""
    return math.log(1 + (n_sentences - n + 0.5) / (n + 0.5))
