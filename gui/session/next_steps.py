"""Hints at what a corpus lacks for a page, and the command for it."""

from dataclasses import dataclass
from typing import Final

from awase.core.team.parts import Part
from awase.gui.kit.texts.i18n import mark


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSteps:
    """Why a page is empty, and what to do about it."""

    message: str
    lacks: Part
    # Ids of commands of the window that bring what is lacking, the usual one first.
    commands: tuple[str, ...]


NO_TEXTS: Final = NextSteps(
    message=mark("The corpus has no texts yet."),
    lacks=Part.TEXTS,
    commands=("menu:import-texts", "menu:import"),
)
NO_ABSTRACTS: Final = NextSteps(
    message=mark("No topic has an abstract yet, so there is nothing to align."),
    lacks=Part.ABSTRACTS,
    commands=("menu:edit:new-abstract", "menu:import-texts", "menu:import"),
)
NOTHING_LINKED: Final = NextSteps(
    message=mark("No abstract sentence has a source yet; what is shown here follows from these."),
    lacks=Part.LINKS,
    commands=("menu:page:annotate", "menu:import"),
)
NO_OUTPUTS: Final = NextSteps(
    message=mark("No system has an output yet, so there is nothing to score."),
    lacks=Part.OUTPUTS,
    commands=("menu:import", "menu:import-texts", "menu:extract"),
)
NO_HUMAN_SCORES: Final = NextSteps(
    message=mark("There are no human scores yet with which metrics could be compared."),
    lacks=Part.HUMAN_SCORES,
    commands=("menu:import", "menu:page:scores"),
)
ONE_ANNOTATOR: Final = NextSteps(
    message=mark("There is the work of one annotator only, so there is nothing to compare."),
    lacks=Part.ANNOTATORS,
    commands=("menu:hand-out", "menu:take-back", "menu:import"),
)
