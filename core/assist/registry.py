"""Registry of suggesters, built-in and plug-ins."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Final

from awase.core.assist import closure, language_model, lexical_family, other_length
from awase.core.assist.suggestion import Suggester, SuggesterEntry
from awase.core.assist.weights import FamilyWeights
from awase.core.plugins import Extended, Plugins, table_of

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")

_OWN: Final = table_of(
    attrgetter("name"),
    SuggesterEntry(
        name=lexical_family.NAME,
        what="alternatives by the words that they share with the abstract sentence",
        make=lexical_family.LexicalFamily,
    ),
    SuggesterEntry(
        name=other_length.NAME,
        what="what was linked for a like sentence of the topic's other abstracts",
        make=other_length.OtherLength,
    ),
    SuggesterEntry(
        name=closure.NAME,
        what="near-duplicates of linked sentences that are linked nowhere",
        make=closure.Closure,
    ),
    SuggesterEntry(
        name=language_model.NAME,
        what="what a language model answered when somebody had it asked",
        make=language_model.LanguageModel,
        version=language_model.PROMPT_ID,
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
DEFAULT_SUGGESTERS: Final = tuple(name for name in _OWN if name != language_model.NAME)


def made_suggesters(
    names: Iterable[str] = DEFAULT_SUGGESTERS,
    weights: FamilyWeights | None = None,
    answers: language_model.Answers | None = None,
) -> dict[str, Suggester]:
    """Returns suggesters for an open corpus, by name; unknown names are skipped.

    Args:
        weights: Of the project; None = the built-in ones.
        answers: Lookup of a language model's answers; None = no cache.
    """
    fitted: dict[str, Callable[[FamilyWeights | None], Suggester]] = {
        lexical_family.NAME: lexical_family.LexicalFamily,
        other_length.NAME: other_length.OtherLength,
        closure.NAME: closure.Closure,
    }
    made = {
        name: fitted[name](weights) if name in fitted else SUGGESTERS[name].make()
        for name in names
        if name in SUGGESTERS
    }
    if language_model.NAME in made and answers is not None:
        made[language_model.NAME] = language_model.LanguageModel(answers)
    return made
