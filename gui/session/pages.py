"""Description of a page: rail, menu, keys and palette are built from it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtWidgets import QWidget

from awase.core.team.parts import Part
from awase.gui.kit.commands import Command, plain
from awase.gui.kit.i18n import mark, tr

if TYPE_CHECKING:  # The session brings SQLAlchemy; the first paint must not wait for it.
    from awase.core.records.identifiers import SentenceRef
    from awase.gui.session.session import CorpusSession
    from awase.gui.session.settings import Services


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


# Where every number leads that is a system's score.
LOST_BY: Final = mark("Enter shows the sentences that it was lost by.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A score to be explained."""

    topic: str | None  # in which topic; None = in all
    system: str
    length: str | None = None  # length class of the abstracts; None = any
    metric: str = ""  # name of the metric, with its component after a dot; empty = any


class ShowsSentence(Protocol):
    """Shows a sentence on the Annotate page."""

    def __call__(
        self, topic_id: str, abstract_id: str | None, at: "int | SentenceRef", system: str = "", /
    ) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """Dependencies of a page."""

    session: "CorpusSession"
    services: "Services"
    parent: QWidget
    # Shows a sentence on the Annotate page: topic, abstract (None for the current one), number of
    # the abstract sentence or source sentence, and the system whose scores are shown, if any.
    show_sentence: "ShowsSentence"
    show_cause: "Callable[[Cause], None]"
    keep_place: "Callable[[], None]"
    run_command: "Callable[[str], None]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the window."""

    id: str  # of the page; its jobs are named by its widget, its commands begin with it
    title: str  # English message, with the `&` of its menu entry
    icon: str
    keys: tuple[str, ...] = ()
    # Makes its widget when it is first shown; imports what is slow only then.
    make: Callable[[PageContext], QWidget]
    commands: tuple[Command, ...] = ()
    # What a corpus may lack without which it has nothing to show, the first thing first.
    needs: tuple[NextSteps, ...] = ()

    @property
    def name(self) -> str:
        """The title in the rail, translated."""
        return plain(tr(self.title))
