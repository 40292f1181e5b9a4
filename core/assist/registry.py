"""Registry of suggesters, built-in and plug-ins."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Final

from awase.core.assist.closure import Closure
from awase.core.assist.language_model import LANGUAGE_MODEL, PROMPT_ID, Answers, LanguageModel
from awase.core.assist.lexical_family import LEXICAL_FAMILY, LexicalFamily
from awase.core.assist.other_length import OTHER_LENGTH, OtherLength
from awase.core.assist.suggestion import CLOSURE, Suggester, SuggesterEntry
from awase.core.assist.weights import FamilyWeights
from awase.core.plugins import Extended, Plugins, table_of

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")

_OWN: Final = table_of(
    attrgetter("name"),
    SuggesterEntry(
        name=LEXICAL_FAMILY,
        what="alternatives by the words that they share with the abstract sentence",
        make=LexicalFamily,
    ),
    SuggesterEntry(
        name=OTHER_LENGTH,
        what="what was linked for a like sentence of the topic's other abstracts",
        make=OtherLength,
    ),
    SuggesterEntry(
        name=CLOSURE,
        what="near-duplicates of linked sentences that are linked nowhere",
        make=Closure,
    ),
    SuggesterEntry(
        name=LANGUAGE_MODEL,
        what="what a language model answered when somebody had it asked",
        make=LanguageModel,
        version=PROMPT_ID,
    ),
)


def _complaint_of(name: str, added: SuggesterEntry) -> str:
    if added.name != name:
        return f"its suggester is called {added.name}"
    if not _NAME.fullmatch(name):
        return "a name is small letters, digits and hyphens"
    return "this program has a suggester of that name" if name in _OWN else ""


# Suggesters of other packages.
ADDED: Final = Plugins("awase.suggesters", SuggesterEntry, _complaint_of)

SUGGESTERS: Final[Mapping[str, SuggesterEntry]] = Extended(
    _OWN, ADDED, lambda plugin: replace(plugin.added, version=plugin.label)
)

# Those that need nothing but the program.
DEFAULT_SUGGESTERS: Final = tuple(name for name in _OWN if name != LANGUAGE_MODEL)


def made_suggesters(
    names: Iterable[str] = DEFAULT_SUGGESTERS,
    weights: FamilyWeights | None = None,
    answers: Answers | None = None,
) -> dict[str, Suggester]:
    """Returns suggesters for an open corpus, by name; unknown names are skipped.

    Args:
        weights: Of the project; None = the built-in ones.
        answers: Lookup of a language model's answers; None = no cache.
    """
    fitted: dict[str, Callable[[FamilyWeights | None], Suggester]] = {
        LEXICAL_FAMILY: LexicalFamily,
        OTHER_LENGTH: OtherLength,
        CLOSURE: Closure,
    }
    made = {
        name: fitted[name](weights) if name in fitted else SUGGESTERS[name].make()
        for name in names
        if name in SUGGESTERS
    }
    if LANGUAGE_MODEL in made and answers is not None:
        made[LANGUAGE_MODEL] = LanguageModel(answers)
    return made
