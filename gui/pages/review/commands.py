"""Returns the formulas: the first annotator, the gold, the others."""

from operator import attrgetter
from typing import Final

from awase.gui.kit.commands import Command, in_group, shifted_digit
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command

SCOPE: Final = "adjudicate"


def _taking(number: int) -> Command:
    return Command(
        f"{SCOPE}:take-{number}",
        mark("Take column {n} whole"),
        (*shifted_digit(number), f"Alt+{number}"),
        number=number,
        together=mark("Take a column whole"),
        run=lambda page: page.deciding().decisions.take(number),
    )


def _toggling(number: int) -> Command:
    return Command(
        f"{SCOPE}:toggle-{number}",
        mark("Alternative {n} in or out"),
        (str(number),),
        number=number,
        together=mark("Put an alternative in or take it out"),
        run=lambda page: page.deciding().decisions.toggle(number),
    )


def _ranking(number: int, key: str) -> Command:
    return Command(
        f"{SCOPE}:rank-{number}",
        mark("Rank {n} of the corpus"),
        (key,),
        number=number,
        together=mark("Give the sentence a rank"),
        run=lambda page: page.deciding().decisions.rank(number),
    )


def _plain(name: str, title: str, keys: tuple[str, ...], method: str) -> Command:
    return Command(
        f"{SCOPE}:{name}", title, keys, run=lambda page: attrgetter(method)(page.deciding())()
    )


ADJUDICATION: Final = in_group(
    mark("Adjudicate"),
    *(_taking(number) for number in range(1, 10)),
    *(_toggling(number) for number in range(1, 10)),
    _plain("union", mark("Union of all"), ("+",), "decisions.join"),
    _plain("intersection", mark("What all have"), ("*",), "decisions.common"),
    _plain("majority", mark("What more than half have"), ("/",), "decisions.majority"),
    _plain("no-source", mark("Decide “no source”"), ("U",), "decisions.no_source"),
    _plain("source-down", mark("Next source sentence"), ("J",), "next_source"),
    _plain("source-up", mark("Previous source sentence"), ("K",), "previous_source"),
    _plain("link", mark("Put the source sentence in or out"), ("Space",), "decisions.link"),
    _plain(
        "new-alternative",
        mark("Begin a new alternative of the gold"),
        ("N",),
        "decisions.new_alternative",
    ),
    _plain(
        "add-duplicates",
        mark("Add near-duplicates to the gold"),
        ("D",),
        "decisions.add_duplicates",
    ),
    _plain("all-sources", mark("List every source sentence, or those linked"), ("V",), "list_all"),
    *(_ranking(number, key) for number, key in ((1, "A"), (2, "B"), (3, "C"))),
    _plain("confirm", mark("Confirm the decision"), ("Return", "Enter"), "confirm"),
    _plain(
        "next", mark("Leave it open and go on"), ("Shift+Return", "Shift+Enter"), "queue.next_open"
    ),
    _plain("cause", mark("Why they differ"), ("X",), "ask_cause"),
    _plain("flag", mark("Flag the decision"), ("F",), "decisions.flag"),
    _plain("note", mark("Note on the decision"), ("M",), "ask_note"),
    _plain("unanimous", mark("Take everything unanimous"), ("T",), "decisions.take_unanimous"),
    _plain("export", mark("Export the decisions"), ("E",), "ask_file"),
    _plain("lock", mark("Lock the abstract, or unlock it"), ("L",), "toggle_lock"),
    _plain("names", mark("Show or hide names"), ("Z",), "names.toggle"),
    Command(
        f"{SCOPE}:agreement",
        mark("Back to the agreement"),
        ("G",),
        run=lambda page: page.show_agreement(),
    ),
    _plain("annotate", mark("Show the case on the Annotate page"), ("O",), "show_current"),
)


_OF_AGREEMENT: Final = in_group(
    mark("Disagreement"),
    why_command("review"),
    Command(
        "review:compare",
        mark("Compare both annotators in full"),
        ("Return", "Enter"),
        run=lambda page: page.agreement.open_comparison(),
    ),
    Command(
        "review:back",
        mark("Back to the tables"),
        ("Esc",),
        run=lambda page: page.agreement.results.close_comparison(),
    ),
    Command(
        "review:next",
        mark("Next disagreement"),
        ("]",),
        run=lambda page: page.agreement.results.step(1),
    ),
    Command(
        "review:previous",
        mark("Previous disagreement"),
        ("[",),
        run=lambda page: page.agreement.results.step(-1),
    ),
    Command(
        "review:adjudicate",
        mark("Decide this disagreement"),
        ("Shift+Return", "Shift+Enter"),
        run=lambda page: page.adjudicate(),
    ),
    Command(
        "review:annotate",
        mark("Show the disagreement on the Annotate page"),
        ("O",),
        run=lambda page: page.agreement.show_current(),
    ),
    Command(
        "review:how",
        mark("How the value came about"),
        ("H",),
        run=lambda page: page.agreement.explain(),
    ),
)

REVIEW_COMMANDS: Final = (*_OF_AGREEMENT, *ADJUDICATION)  # those of both tabs
