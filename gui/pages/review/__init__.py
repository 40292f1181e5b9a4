"""The Review page: agreement and adjudication."""

from typing import Any, Final

from awase.gui.kit.commands import ENTER_KEYS, SHIFT_ENTER_KEYS, Command, in_group, shifted_digit
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command
from awase.gui.session.pages import NO_ABSTRACTS, ONE_ANNOTATOR, Page, calling

SCOPE: Final = "adjudicate"


def _deciding(name: str, title: str, method: str, *keys: str, **more: Any) -> Command:  # noqa: ANN401 (fields)
    return calling(f"{SCOPE}:{name}", title, method, *keys, part="deciding", **more)


def _numbered(act: str, number: int, keys: tuple[str, ...], title: str, together: str) -> Command:
    """Returns a command that calls an act of the decisions with a number."""
    more = {"numbers": (number,), "number": number, "together": together}
    return _deciding(f"{act}-{number}", title, f"decisions.{act}", *keys, **more)


def _taking(number: int) -> Command:
    keys = (*shifted_digit(number), f"Alt+{number}")
    title, together = mark("Accept all of column {n}"), mark("Accept a whole column")
    return _numbered("take", number, keys, title, together)


def _toggling(number: int) -> Command:
    together = mark("Add or remove an alternative")
    return _numbered(
        "toggle", number, (str(number),), mark("Add or remove alternative {n}"), together
    )


def _ranking(number: int, key: str) -> Command:
    together = mark("Give the sentence a rank")
    return _numbered("rank", number, (key,), mark("Rank {n} of the corpus"), together)


ADJUDICATION: Final = in_group(
    mark("Adjudicate"),
    *(_taking(number) for number in range(1, 10)),
    *(_toggling(number) for number in range(1, 10)),
    _deciding("union", mark("Union of all"), "decisions.join", "+"),
    _deciding("intersection", mark("What all have"), "decisions.common", "*"),
    _deciding("majority", mark("What more than half have"), "decisions.majority", "/"),
    _deciding("no-source", mark("Decide “no source”"), "decisions.no_source", "U"),
    _deciding("source-down", mark("Next source sentence"), "move_hand", "J", numbers=(1,)),
    _deciding("source-up", mark("Previous source sentence"), "move_hand", "K", numbers=(-1,)),
    _deciding("link", mark("Add or remove the source sentence"), "decisions.link", "Space"),
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
    _deciding("next", mark("Leave it open and go on"), "queue.next_open", *SHIFT_ENTER_KEYS),
    _deciding("cause", mark("Why they differ"), "ask_cause", "X"),
    _deciding("flag", mark("Flag the decision"), "decisions.flag", "F"),
    _deciding("note", mark("Note on the decision"), "ask_note", "M"),
    _deciding("unanimous", mark("Accept everything unanimous"), "decisions.take_unanimous", "T"),
    _deciding("export", mark("Export the decisions"), "ask_file", "E"),
    _deciding("lock", mark("Lock the abstract, or unlock it"), "toggle_lock", "L"),
    _deciding("names", mark("Show or hide names"), "names.toggle", "Z"),
    calling(f"{SCOPE}:agreement", mark("Back to the agreement"), "show_agreement", "G"),
    _deciding("annotate", mark("Show the case on the Annotate page"), "show_current", "O"),
)


def _stepping(id: str, title: str, key: str, by: int) -> Command:
    return calling(id, title, "agreement.results.step", key, numbers=(by,))


_OF_AGREEMENT: Final = in_group(
    mark("Disagreement"),
    why_command("review"),
    calling(
        "review:compare",
        mark("Compare both annotators in full"),
        "agreement.open_comparison",
        *ENTER_KEYS,
    ),
    calling("review:back", mark("Back to the tables"), "agreement.results.close_comparison", "Esc"),
    _stepping("review:next", mark("Next disagreement"), "]", 1),
    _stepping("review:previous", mark("Previous disagreement"), "[", -1),
    calling("review:adjudicate", mark("Decide this disagreement"), "adjudicate", *SHIFT_ENTER_KEYS),
    calling(
        "review:annotate",
        mark("Show the disagreement on the Annotate page"),
        "agreement.show_current",
        "O",
    ),
    calling("review:how", mark("How the value was computed"), "agreement.explain", "H"),
)


PAGE: Final = Page(
    id="review",
    title=mark("Re&view"),
    keys=("Ctrl+6",),
    needs=(NO_ABSTRACTS, ONE_ANNOTATOR),
    commands=(*_OF_AGREEMENT, *ADJUDICATION),
)
