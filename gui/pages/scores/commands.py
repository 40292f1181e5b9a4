"""The Scores page: its commands."""

from typing import Final

from awase.gui.kit.commands.command import Command
from awase.gui.kit.number_explanation import why_command
from awase.gui.kit.texts.i18n import mark

_TABLE: Final = mark("Table")

COMMANDS: Final = (
    Command(
        id="scores:cause",
        title=mark("Show what the number was lost by"),
        keys=("Return", "Enter"),
        group=_TABLE,
        run=lambda page: page.show_cause(),
    ),
    Command(
        id="scores:topics",
        title=mark("Show the metric topic by topic"),
        keys=("T",),
        group=_TABLE,
        run=lambda page: page.table.show_by_topics(),
    ),
    why_command("scores", _TABLE),
    Command(
        id="scores:back",
        title=mark("Back to the means of all topics"),
        keys=("Esc",),
        group=_TABLE,
        run=lambda page: page.go_back(),
    ),
)
