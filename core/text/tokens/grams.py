"""Runs of letters by which an index tells which texts may have some words.

Finding is a search for a part of a text, not for words: an index that is to leave none out holds
every run of three letters, and of two where they are Chinese, Japanese or Korean, whose words are
often that short. Shorter runs are held, too. A text that has some words has all their grams;
whether one with these grams has the words, the text tells.
"""

import re
from collections.abc import Iterable
from operator import add
from typing import Final

_EAST_ASIAN: Final = (
    "\u1100-\u11ff\u3005-\u3007\u3021-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Marks, blanks and signs are left out: they would only make the index larger.
_OTHERS: Final = (
    "0-9a-z\u00c0-\u10ff\u1200-\u1fff\u2c00-\u2dff\ua4d0-\uabff\ufb00-\ufdff"
    "\ufe70-\ufefe\U00010000-\U0001ffff"
)
_east_asian_runs: Final = re.compile(f"[{_EAST_ASIAN}]+").findall
_other_runs: Final = re.compile(f"[{_OTHERS}]+").findall


def grams_of(texts: Iterable[str]) -> set[str]:
    """Returns the grams of texts.

    Args:
        texts: As `finding.folded` makes them.
    """
    text = "\n".join(texts)
    asian, other = ("\n".join({*runs}) for runs in (_east_asian_runs(text), _other_runs(text)))
    pairs = [*map(add, other, other[1:])]
    found = {*asian, *map(add, asian, asian[1:]), *other, *pairs, *map(add, pairs, other[2:])}
    return {gram for gram in found if "\n" not in gram}


def grams_needed(needle: str) -> frozenset[str]:
    """Returns grams that every text has that has the needle; none = any text may have it.

    Args:
        needle: What is looked for, as `finding.folded` makes it.
    """
    sized = ((_east_asian_runs(needle), 2), (_other_runs(needle), 3))
    return frozenset(gram for runs, size in sized for run in runs for gram in _longest(run, size))


def _longest(run: str, size: int) -> list[str]:
    return [run[at : at + size] for at in range(max(1, len(run) - size + 1))]
