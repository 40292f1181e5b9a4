"""What a page is to the frame; each is declared as `PAGE` in the `__init__` of its folder."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from PySide6.QtWidgets import QWidget

from awase.core.team.parts import Part
from awase.gui.kit.commands import Command, dialog_class, plain
from awase.gui.kit.i18n import mark, tr


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
    message=mark("There are no human scores yet to compare metrics with."),
    lacks=Part.HUMAN_SCORES,
    commands=("menu:import", "menu:page:scores"),
)
ONE_ANNOTATOR: Final = NextSteps(
    message=mark("There is work by only one annotator, so there is nothing to compare."),
    lacks=Part.ANNOTATORS,
    commands=("menu:hand-out", "menu:take-back", "menu:import"),
)


# Where every number leads that is a system's score.
LOST_BY: Final = mark("Enter shows the sentences that lowered it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A score to be explained."""

    topic: str | None  # in which topic; None = in all
    system: str
    length: str | None = None  # length class of the abstracts; None = any
    metric: str = ""  # name of the metric, with its component after a dot; empty = any


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the window."""

    # Of its folder, of its icon, and of the `…Page` in the folder's `page.py`, which is imported
    # when first shown; its commands begin with it.
    id: str
    title: str  # English message, with the `&` of its menu entry
    keys: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    # What a corpus may lack without which it has nothing to show, the first thing first.
    needs: tuple[NextSteps, ...] = ()

    @property
    def name(self) -> str:
        """The title in the rail, translated."""
        return plain(tr(self.title))

    def build(self, *made_of: object) -> QWidget:
        """Imports and builds its widget, made of session, services and parent."""
        page: QWidget = dialog_class(f"pages.{self.id}.page:{self.id.title()}Page")(*made_of)
        return page


@dataclass(frozen=True, slots=True)
class PageCall:
    """Calls a method of the page, or of what its method `part` returns."""

    method: str
    part: str = ""
    numbers: tuple[int, ...] = ()

    def of(self, page: QWidget) -> Callable[..., object]:
        """Returns what is called; a test asks it of every page, as no type checker can."""
        found: Callable[..., object] = attrgetter(self.method)(
            getattr(page, self.part)() if self.part else page
        )
        return found

    def __call__(self, page: QWidget) -> object:
        return self.of(page)(*self.numbers)


def calling(
    id: str,
    title: str,
    method: str,
    *keys: str,
    part: str = "",
    numbers: tuple[int, ...] = (),
    **more: Any,  # noqa: ANN401 (fields)
) -> Command:
    """Returns a command that calls a method of the page, or of what its method `part` returns."""
    return Command(id, title, keys, run=PageCall(method, part, numbers), **more)
