"""The Grade page: its commands."""

from typing import Final

from awase.gui.kit.commands import Command, in_group
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command

_MOVE: Final = mark("Move the sentence up or down")

GRADE_COMMANDS: Final = in_group(
    mark("The extract"),
    why_command("grade"),
    Command(
        id="grade:toggle",
        title=mark("Take the sentence in or out"),
        keys=("Space", "Return", "Enter"),
        run=lambda page: page.toggle_current(),
    ),
    Command(
        id="grade:add-best",
        title=mark("Add the sentence that adds most"),
        keys=("N",),
        run=lambda page: page.add_best(),
    ),
    Command(
        id="grade:move-up",
        title=mark("Move the sentence up"),
        keys=("[",),
        together=_MOVE,
        run=lambda page: page.move_current(-1),
    ),
    Command(
        id="grade:move-down",
        title=mark("Move the sentence down"),
        keys=("]",),
        together=_MOVE,
        run=lambda page: page.move_current(1),
    ),
    Command(
        id="grade:paste",
        title=mark("Take the sentences that the clipboard names"),
        keys=("Ctrl+V",),
        run=lambda page: page.paste(),
    ),
)
