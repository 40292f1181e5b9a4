"""The option `annotator`: whose alignments are the gold standard, and how it resolves.

- `first`: the first alignment of each abstract; resolved as `first(A1+A2)`;
- a name: that person's;
- `gold`: the adjudicated gold;
- `all`: the mean over all annotators; resolved as `all(A1,A2)`.

A person called like one of these words is written `name(gold)`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import unquote

from awase.core.errors import NOTHING, InputError, Listing
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment, gold_alignment
from awase.core.records.corpus import Corpus
from awase.core.records.topic import annotators_of

FIRST_ANNOTATOR: Final = "first"
OPTION: Final = "annotator"


class AnnotatorChoice(StrEnum):
    """A choice of annotators."""

    FIRST = FIRST_ANNOTATOR
    GOLD = "gold"
    ALL = "all"
    ONE = "name"


_BETWEEN = {AnnotatorChoice.FIRST: "+", AnnotatorChoice.ALL: ","}
_BRACKETED = re.compile(r"(first|all|name)\(([^()]*)\)")
_SPECIAL = re.compile(r"[%(),+]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotators:
    """A choice of annotators."""

    choice: AnnotatorChoice
    name: str = ""  # a person's; empty for other choices
    expected: tuple[str, ...] | None = None  # the annotators required, sorted; None = any

    @classmethod
    def asked(cls, text: str) -> "Annotators":
        """Returns the choice that an option's value spells."""
        match = _BRACKETED.fullmatch(text)
        if match is not None and match[1] == AnnotatorChoice.ONE:
            return cls(choice=AnnotatorChoice.ONE, name=unquote(match[2]))
        if match is not None:
            choice = AnnotatorChoice(match[1])
            names = [unquote(one) for one in match[2].split(_BETWEEN[choice]) if one]
            return cls(choice=choice, expected=tuple(sorted(names)))
        if text in (AnnotatorChoice.FIRST, AnnotatorChoice.GOLD, AnnotatorChoice.ALL):
            return cls(choice=AnnotatorChoice(text))
        return cls(choice=AnnotatorChoice.ONE, name=text)

    @property
    def spelled(self) -> str:
        """The value of the option, unresolved."""
        if self.choice is not AnnotatorChoice.ONE:
            return self.choice
        if self.name in [*AnnotatorChoice] or _BRACKETED.fullmatch(self.name):
            return f"{AnnotatorChoice.ONE}({_quoted(self.name)})"
        return self.name

    def signed(self, names: Iterable[str]) -> str:
        """Returns the value as resolved to these annotators."""
        found = sorted({*names})
        if self.choice in _BETWEEN and found:
            return f"{self.choice}({_BETWEEN[self.choice].join(map(_quoted, found))})"
        return self.spelled

    def alignments_of(self, abstract: Abstract) -> tuple[Alignment, ...]:
        """Returns the alignments of an abstract that are meant; none where there is none."""
        if self.choice is AnnotatorChoice.ALL:
            return abstract.alignments
        if self.choice is AnnotatorChoice.FIRST:
            return abstract.alignments[:1]
        if self.choice is AnnotatorChoice.GOLD:
            return (gold_alignment(abstract.gold),) if abstract.gold else ()
        found = abstract.alignment_by(self.name)
        return () if found is None else (found,)

    def one_of(self, abstract: Abstract) -> Alignment | None:
        """Returns the one alignment of an abstract that is meant, None where there is none."""
        if self.choice is AnnotatorChoice.ALL:
            raise InputError.of(
                "This looks at one alignment of each abstract, not at annotator=all.",
                "Choose annotator=first, gold or a name.",
            )
        return next(iter(self.alignments_of(abstract)), None)

    def check(self, corpus: Corpus) -> None:
        """Raises unless the corpus has these annotators."""
        if self.choice in (AnnotatorChoice.FIRST, AnnotatorChoice.ALL):
            return
        known = annotators_of(corpus.topics)
        if self.choice is AnnotatorChoice.GOLD and not is_decided(corpus):
            is_person = self.choice in known
            raise InputError.of(
                "Nothing is decided in the gold of this corpus.",
                "The person of that name is annotator=name(gold)."
                if is_person
                else "Adjudicate it, or choose annotator=first.",
            )
        if self.choice is AnnotatorChoice.ONE and self.name not in known:
            raise InputError.of(
                "Nobody called “{annotator}” aligned anything in this corpus.",
                "Use annotator=first or one of {known}." if known else "Align its abstracts first.",
                annotator=self.name,
                known=Listing(known),
            )

    def check_names(self, names: Iterable[Iterable[str]]) -> None:
        """Raises unless the resolved annotators of topics or means are those of a signature."""
        by_topic = [tuple(sorted({*one})) for one in names]
        found = tuple(sorted({name for one in by_topic for name in one}))
        if self.expected is not None and self.expected not in (found, *by_topic):
            raise InputError.of(
                "The alignments of {asked} are asked for; here annotator={choice} are those of "
                "{found}.",
                "Choose a name, or annotator={choice} without names.",
                asked=Listing(self.expected) or NOTHING,
                choice=str(self.choice),
                found=Listing(found) or NOTHING,
            )


def alignments_for(abstract: Abstract, annotator: str) -> tuple[Alignment, ...]:
    """Returns the alignments of an abstract that a value of the option `annotator` means."""
    return Annotators.asked(annotator).alignments_of(abstract)


def alignment_for(abstract: Abstract, annotator: str) -> Alignment | None:
    """Returns the alignment that a value of the option means, None when there is none."""
    return Annotators.asked(annotator).one_of(abstract)


def is_decided(corpus: Corpus) -> bool:
    """Returns whether anything was decided in the gold of the corpus."""
    return any(abstract.gold for topic in corpus.topics for abstract in topic.abstracts)


def annotator_values(names: Iterable[str]) -> list[tuple[str, str]]:
    """Returns (name, value of the option that means it) of each annotator."""
    return [(name, Annotators(choice=AnnotatorChoice.ONE, name=name).spelled) for name in names]


def without_names(value: str) -> str:
    """Returns the unresolved value.

    >>> str(without_names("first(A1+A2)"))
    'first'
    """
    return Annotators.asked(value).spelled


def joined_values(values: Iterable[str]) -> str:
    """Merges values that differ in the resolved annotators only.

    >>> joined_values(["first(A1)", "first(A2)"])
    'first(A1+A2)'
    """
    choices = [*map(Annotators.asked, values)]
    return choices[0].signed(name for one in choices for name in one.expected or ())


def _quoted(name: str) -> str:
    return _SPECIAL.sub(lambda match: f"%{ord(match[0]):02X}", name)
