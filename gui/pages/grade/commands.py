"""The Grade page: its commands."""

from typing import Final

from awase.gui.kit.commands.command import Command
from awase.gui.kit.number_explanation import why_command
from awase.gui.kit.texts.i18n import mark

_EXTRACT: Final = mark("The extract")
_MOVE: Final = mark("Move the sentence up or down")

COMMANDS: Final = (
    why_command("grade", _EXTRACT),
    Command(
        id="grade:toggle",
        title=mark("Take the sentence in or out"),
        keys=("Space", "Return", "Enter"),
        group=_EXTRACT,
        run=lambda page: page.toggle_current(),
    ),
    Command(
        id="grade:add-best",
        title=mark("Add the sentence that adds most"),
        keys=("N",),
        group=_EXTRACT,
        run=lambda page: page.add_best(),
    ),
    Command(
        id="grade:move-up",
        title=mark("Move the sentence up"),
        keys=("[",),
        group=_EXTRACT,
        together=_MOVE,
        run=lambda page: page.move_current(-1),
    ),
    Command(
        id="grade:move-down",
        title=mark("Move the sentence down"),
        keys=("]",),
        group=_EXTRACT,
        together=_MOVE,
        run=lambda page: page.move_current(1),
    ),
    Command(
        id="grade:paste",
        title=mark("Take the sentences that the clipboard names"),
        keys=("Ctrl+V",),
        group=_EXTRACT,
        run=lambda page: page.paste(),
    ),
)
