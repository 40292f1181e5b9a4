"""The Review page: its commands."""

from typing import Final

from awase.gui.kit.commands.command import Command, in_group
from awase.gui.kit.number_explanation import why_command
from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.review.adjudication.commands import COMMANDS as ADJUDICATION

_OF_AGREEMENT: Final = in_group(
    mark("Disagreement"),
    why_command("review"),
    Command(
        id="review:compare",
        title=mark("Compare both annotators in full"),
        keys=("Return", "Enter"),
        run=lambda page: page.agreement.open_comparison(),
    ),
    Command(
        id="review:back",
        title=mark("Back to the tables"),
        keys=("Esc",),
        run=lambda page: page.agreement.results.close_comparison(),
    ),
    Command(
        id="review:next",
        title=mark("Next disagreement"),
        keys=("]",),
        run=lambda page: page.agreement.results.step(1),
    ),
    Command(
        id="review:previous",
        title=mark("Previous disagreement"),
        keys=("[",),
        run=lambda page: page.agreement.results.step(-1),
    ),
    Command(
        id="review:adjudicate",
        title=mark("Decide this disagreement"),
        keys=("Shift+Return", "Shift+Enter"),
        run=lambda page: page.adjudicate(),
    ),
    Command(
        id="review:annotate",
        title=mark("Show the disagreement on the Annotate page"),
        keys=("O",),
        run=lambda page: page.agreement.show_current(),
    ),
    Command(
        id="review:how",
        title=mark("How the value came about"),
        keys=("H",),
        run=lambda page: page.agreement.explain(),
    ),
)

COMMANDS: Final = (*_OF_AGREEMENT, *ADJUDICATION)  # those of both tabs
