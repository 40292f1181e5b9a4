"""What a corpus still lacks before a page has something to show, and what brings it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from awase.gui.kit.texts.i18n import mark

if TYPE_CHECKING:
    from awase.core.records.abstract import Abstract
    from awase.core.records.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSteps:
    """Why a page is empty, and what to do about it.

    Attributes:
        message: English message.
        holds: Whether it is so with a corpus.
        commands: Ids of commands of the window that bring what is lacking, the usual one first.
    """

    message: str
    holds: "Callable[[Corpus], bool]"
    commands: tuple[str, ...]


def _abstracts(corpus: "Corpus") -> "Iterator[Abstract]":
    return (abstract for topic in corpus.topics for abstract in topic.abstracts)


def _is_unlinked(corpus: "Corpus") -> bool:
    return not any(
        sentence.alternatives
        for abstract in _abstracts(corpus)
        for alignment in abstract.alignments
        for sentence in alignment.sentences
    )


def _is_by_one(corpus: "Corpus") -> bool:
    names = (one.annotator for abstract in _abstracts(corpus) for one in abstract.alignments)
    first = next(names, None)
    return all(name == first for name in names)


NO_TEXTS: Final = NextSteps(
    message=mark("The corpus has no texts yet."),
    holds=lambda corpus: not any(topic.documents for topic in corpus.topics),
    commands=("menu:import-texts", "menu:import"),
)
NO_ABSTRACTS: Final = NextSteps(
    message=mark("No topic has an abstract yet, so there is nothing to align."),
    holds=lambda corpus: next(_abstracts(corpus), None) is None,
    commands=("menu:edit:new-abstract", "menu:import-texts", "menu:import"),
)
NOTHING_LINKED: Final = NextSteps(
    message=mark("No abstract sentence has a source yet; what is shown here follows from these."),
    holds=_is_unlinked,
    commands=("menu:page:annotate", "menu:import"),
)
NO_OUTPUTS: Final = NextSteps(
    message=mark("No system has an output yet, so there is nothing to score."),
    holds=lambda corpus: not any(topic.outputs for topic in corpus.topics),
    commands=("menu:import", "menu:import-texts", "menu:extract"),
)
NO_HUMAN_SCORES: Final = NextSteps(
    message=mark("There are no human scores yet with which metrics could be compared."),
    holds=lambda corpus: not corpus.human_scores,
    commands=("menu:import", "menu:page:scores"),
)
ONE_ANNOTATOR: Final = NextSteps(
    message=mark("There is the work of one annotator only, so there is nothing to compare."),
    holds=_is_by_one,
    commands=("menu:hand-out", "menu:take-back", "menu:import"),
)
