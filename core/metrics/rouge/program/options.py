"""The options of ROUGE-1.5.5 as values.

Perl compares their numbers as numbers and prints them as they were typed: `-t 1.0` is `-t 1`, and
`-2 04` is labelled ROUGE-S04.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from awase.core.errors import InputError
from awase.core.metrics.rouge.basic_elements import BeMode
from awase.core.metrics.rouge.counts import Formula
from awase.core.metrics.rouge.measures import Measures
from awase.core.metrics.rouge.program.bootstrap import Averaging, RougeResampling
from awase.core.metrics.rouge.tokens.preparation import Preparation, WordLists
from awase.core.text.limits import LengthLimit

T = TypeVar("T")
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\s*", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOptions:
    """What one run of the program computes and prints.

    Attributes:
        be_mode: `-3`; None = no basic elements.
        resampling: `-r -c -p -t`.
        confidence: `-c` as typed, for printing.
    """

    measures: Measures
    be_mode: BeMode | None
    preparation: Preparation
    formula: Formula
    resampling: RougeResampling
    confidence: str
    prints_s: bool
    prints_su: bool
    prints_summaries: bool
    prints_counts: bool

    def labels(self) -> list[str]:
        """Returns the measures in the order in which they are printed."""
        labels = [f"ROUGE-{n}" for n in range(1, self.measures.longest_ngram + 1)]
        if self.measures.lcs:
            labels.append("ROUGE-L")
        if self.measures.weight is not None:
            labels.append(self.measures.label_w)
        if self.measures.skip and self.prints_s:
            labels.append(self.measures.label_s)
        if self.measures.skip and self.prints_su:
            labels.append(self.measures.label_su)
        if self.be_mode is not None:
            labels.append(f"ROUGE-BE-{self.be_mode.value}")
        return labels

    @property
    def has_text_measures(self) -> bool:
        """Returns whether any measure other than BE is asked for."""
        measures = self.measures
        return bool(
            measures.longest_ngram or measures.lcs or measures.weight is not None or measures.skip
        )


def program_options(letters: Mapping[str, str], lists: WordLists | None = None) -> ProgramOptions:
    """Returns what the options mean.

    Args:
        letters: Option letter to value; flags have any value.
        lists: Stop words and irregular forms; None = those of the program's distribution.
    """
    if "M" in letters:
        raise InputError.of(
            "-M is not known here: ROUGE-1.5.5 then stems the references alone, in some measures "
            "and not in others.",
            "Give -m, which stems systems and references.",
        )
    if "l" in letters and "b" in letters:
        raise InputError.of("-l and -b exclude each other.", "Give one.")
    scoring = _number(letters, "t", 0)
    return ProgramOptions(
        measures=_measures(letters),
        be_mode=_value(letters, "3", BeMode) if "3" in letters else None,
        preparation=Preparation(
            stem="m" in letters,
            drops_stop_words="s" in letters,
            limit=LengthLimit(words=_natural(letters, "l"), bytes=_natural(letters, "b")),
            lists=lists,
        ),
        formula=Formula.BEST if letters.get("f") == "B" else Formula.ALL,
        resampling=RougeResampling(
            n_resamples=_natural(letters, "r", 1000),
            confidence=_number(letters, "c", 95),
            alpha=_number(letters, "p", 0.5),
            averaging=Averaging.BY_TOKEN if scoring == 1 else Averaging.BY_SUMMARY,
        ),
        confidence=letters.get("c", "95"),
        prints_s="u" not in letters,
        prints_su="u" in letters or "U" in letters,
        prints_summaries="d" in letters,
        prints_counts=scoring == 2,
    )


def _measures(letters: Mapping[str, str]) -> Measures:
    gap = _number(letters, "2", -1)
    return Measures(
        # Perl counts up from 1 while it is not above the value; so it does for the gap.
        longest_ngram=math.floor(_from_0(letters, "n", 0)),
        lcs="x" not in letters and "3" not in letters,
        weight=_number(letters, "w", 0) if "w" in letters else None,
        weight_label=letters.get("w", ""),
        skip="2" in letters,
        gap=None if gap < 0 else math.floor(gap),
        gap_label="" if gap < 0 else letters["2"],
    )


def _natural(letters: Mapping[str, str], letter: str, default: int = 0) -> int:
    number = _from_0(letters, letter, default)
    if not number.is_integer():
        raise _no_value(letters, letter)
    return int(number)


def _from_0(letters: Mapping[str, str], letter: str, default: float) -> float:
    number = _number(letters, letter, default)
    if number < 0:
        raise InputError.of("-{letter} {value} is below 0.", letter=letter, value=letters[letter])
    return number


def _number(letters: Mapping[str, str], letter: str, default: float) -> float:
    if letter not in letters:
        return float(default)
    if not _NUMBER.fullmatch(letters[letter]):
        raise _no_value(letters, letter)
    return float(letters[letter])


def _value(letters: Mapping[str, str], letter: str, kind: Callable[[str], T]) -> T:
    try:
        return kind(letters[letter])
    except ValueError as error:
        raise _no_value(letters, letter) from error


def _no_value(letters: Mapping[str, str], letter: str) -> InputError:
    return InputError.of(
        "“{value}” is no value of -{letter}.", letter=letter, value=letters[letter]
    )
