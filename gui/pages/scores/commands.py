"""The Scores page: its commands."""

from typing import Final

from awase.gui.kit.commands.command import Command
from awase.gui.kit.texts.i18n import mark

_TABLE: Final = mark("Table")

COMMANDS: Final = (
    Command(
        id="scores:back",
        title=mark("Back to the means of all topics"),
        keys=("Esc",),
        group=_TABLE,
        run=lambda page: page.go_back(),
    ),
)
