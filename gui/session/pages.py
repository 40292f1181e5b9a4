"""What a page is to the frame, and the commands of those beside the Annotate page."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtWidgets import QWidget

from awase.core.team.parts import Part
from awase.gui.kit.commands import ENTER_KEYS, Command, in_group, plain, shifted_digit
from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.number_explanation import why_command

if TYPE_CHECKING:  # The session brings SQLAlchemy; the first paint must not wait for it.
    from awase.core.records.source import SentenceRef
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

    id: str  # of the page and its icon; its commands begin with it
    title: str  # English message, with the `&` of its menu entry
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


def _calling(
    id: str,
    title: str,
    method: str,
    *keys: str,
    part: str = "",
    **more: Any,  # noqa: ANN401 (fields)
) -> Command:
    return Command(id, title, keys, run=PageCall(method, part), **more)


SCORES_COMMANDS: Final = in_group(
    mark("Table"),
    _calling("scores:cause", mark("Show what the number was lost by"), "show_cause", *ENTER_KEYS),
    _calling("scores:topics", mark("Show the metric topic by topic"), "table.show_by_topics", "T"),
    why_command("scores"),
    _calling("scores:back", mark("Back to the means of all topics"), "go_back", "Esc"),
)


INSPECT_COMMANDS: Final = in_group(
    mark("Sentence and system"),
    why_command("inspect"),
    _calling("inspect:link", mark("Link what looks as if it should be linked"), "link_first", "L"),
    _calling(
        "inspect:annotate",
        mark("Show the sentence on the Annotate page"),
        "annotate_current",
        *ENTER_KEYS,
    ),
)


def _moving(id: str, title: str, key: str, by: int) -> Command:
    return Command(
        id,
        title,
        (key,),
        together=mark("Move the sentence up or down"),
        run=PageCall("move_current", numbers=(by,)),
    )


GRADE_COMMANDS: Final = in_group(
    mark("The extract"),
    why_command("grade"),
    _calling(
        "grade:toggle", mark("Take the sentence in or out"), "toggle_current", "Space", *ENTER_KEYS
    ),
    _calling("grade:add-best", mark("Add the sentence that adds most"), "add_best", "N"),
    _moving("grade:move-up", mark("Move the sentence up"), "[", -1),
    _moving("grade:move-down", mark("Move the sentence down"), "]", 1),
    _calling("grade:paste", mark("Take the sentences that the clipboard names"), "paste", "Ctrl+V"),
)


CORRELATIONS_COMMANDS: Final = in_group(mark("Correlations"), why_command("correlations"))


SCOPE: Final = "adjudicate"


def _numbered(act: str, number: int, keys: tuple[str, ...], title: str, together: str) -> Command:
    """Returns a command that calls an act of the decisions with a number."""
    return Command(
        f"{SCOPE}:{act}-{number}",
        title,
        keys,
        number=number,
        together=together,
        run=PageCall(f"decisions.{act}", "deciding", (number,)),
    )


def _taking(number: int) -> Command:
    keys = (*shifted_digit(number), f"Alt+{number}")
    title, together = mark("Take column {n} whole"), mark("Take a column whole")
    return _numbered("take", number, keys, title, together)


def _toggling(number: int) -> Command:
    together = mark("Put an alternative in or take it out")
    return _numbered("toggle", number, (str(number),), mark("Alternative {n} in or out"), together)


def _ranking(number: int, key: str) -> Command:
    together = mark("Give the sentence a rank")
    return _numbered("rank", number, (key,), mark("Rank {n} of the corpus"), together)


def _deciding(name: str, title: str, method: str, *keys: str) -> Command:
    return _calling(f"{SCOPE}:{name}", title, method, *keys, part="deciding")


ADJUDICATION: Final = in_group(
    mark("Adjudicate"),
    *(_taking(number) for number in range(1, 10)),
    *(_toggling(number) for number in range(1, 10)),
    _deciding("union", mark("Union of all"), "decisions.join", "+"),
    _deciding("intersection", mark("What all have"), "decisions.common", "*"),
    _deciding("majority", mark("What more than half have"), "decisions.majority", "/"),
    _deciding("no-source", mark("Decide “no source”"), "decisions.no_source", "U"),
    _deciding("source-down", mark("Next source sentence"), "next_source", "J"),
    _deciding("source-up", mark("Previous source sentence"), "previous_source", "K"),
    _deciding("link", mark("Put the source sentence in or out"), "decisions.link", "Space"),
    _deciding(
        "new-alternative",
        mark("Begin a new alternative of the gold"),
        "decisions.new_alternative",
        "N",
    ),
    _deciding(
        "add-duplicates", mark("Add near-duplicates to the gold"), "decisions.add_duplicates", "D"
    ),
    _deciding("all-sources", mark("List every source sentence, or those linked"), "list_all", "V"),
    *(_ranking(number, key) for number, key in ((1, "A"), (2, "B"), (3, "C"))),
    _deciding("confirm", mark("Confirm the decision"), "confirm", *ENTER_KEYS),
    _deciding(
        "next", mark("Leave it open and go on"), "queue.next_open", "Shift+Return", "Shift+Enter"
    ),
    _deciding("cause", mark("Why they differ"), "ask_cause", "X"),
    _deciding("flag", mark("Flag the decision"), "decisions.flag", "F"),
    _deciding("note", mark("Note on the decision"), "ask_note", "M"),
    _deciding("unanimous", mark("Take everything unanimous"), "decisions.take_unanimous", "T"),
    _deciding("export", mark("Export the decisions"), "ask_file", "E"),
    _deciding("lock", mark("Lock the abstract, or unlock it"), "toggle_lock", "L"),
    _deciding("names", mark("Show or hide names"), "names.toggle", "Z"),
    _calling(f"{SCOPE}:agreement", mark("Back to the agreement"), "show_agreement", "G"),
    _deciding("annotate", mark("Show the case on the Annotate page"), "show_current", "O"),
)


def _stepping(id: str, title: str, key: str, by: int) -> Command:
    return Command(id, title, (key,), run=PageCall("agreement.results.step", numbers=(by,)))


_OF_AGREEMENT: Final = in_group(
    mark("Disagreement"),
    why_command("review"),
    _calling(
        "review:compare",
        mark("Compare both annotators in full"),
        "agreement.open_comparison",
        *ENTER_KEYS,
    ),
    _calling(
        "review:back", mark("Back to the tables"), "agreement.results.close_comparison", "Esc"
    ),
    _stepping("review:next", mark("Next disagreement"), "]", 1),
    _stepping("review:previous", mark("Previous disagreement"), "[", -1),
    _calling(
        "review:adjudicate",
        mark("Decide this disagreement"),
        "adjudicate",
        "Shift+Return",
        "Shift+Enter",
    ),
    _calling(
        "review:annotate",
        mark("Show the disagreement on the Annotate page"),
        "agreement.show_current",
        "O",
    ),
    _calling("review:how", mark("How the value came about"), "agreement.explain", "H"),
)
REVIEW_COMMANDS: Final = (*_OF_AGREEMENT, *ADJUDICATION)  # those of both tabs


def _of_people(name: str, title: str, key: str) -> Command:
    return _calling(f"project:{name}", title, name.replace("-", "_"), key, part="people_shown")


PROJECT_COMMANDS: Final = in_group(
    mark("People and work"),
    _of_people("add-person", mark("Add a person…"), "A"),
    _of_people("change-person", mark("Change the person…"), "E"),
    _of_people("remove-person", mark("Remove the person"), "Delete"),
    _of_people("assign", mark("Assign work…"), "W"),
    _of_people("hand-over", mark("Hand over what the person has not begun"), "H"),
    _of_people("change-assistance", mark("Help for annotators…"), "S"),
    _of_people("toggle-blind", mark("Hide others' work, or allow it"), "B"),
    _calling("project:find", mark("Find a topic"), "find_topic", "/"),
)
