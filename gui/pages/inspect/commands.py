"""The Inspect page: its commands."""

from typing import Final

from awase.gui.kit.commands.command import Command
from awase.gui.kit.number_explanation import why_command
from awase.gui.kit.texts.i18n import mark

_CELL: Final = mark("Sentence and system")

COMMANDS: Final = (
    why_command("inspect", _CELL),
    Command(
        id="inspect:link",
        title=mark("Link what looks as if it should be linked"),
        keys=("L",),
        group=_CELL,
        run=lambda page: page.link_first(),
    ),
    Command(
        id="inspect:annotate",
        title=mark("Show the sentence on the Annotate page"),
        keys=("Return", "Enter"),
        group=_CELL,
        run=lambda page: page.annotate_current(),
    ),
)
