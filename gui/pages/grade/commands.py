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
        "grade:toggle",
        mark("Take the sentence in or out"),
        ("Space", "Return", "Enter"),
        run=lambda page: page.toggle_current(),
    ),
    Command(
        "grade:add-best",
        mark("Add the sentence that adds most"),
        ("N",),
        run=lambda page: page.add_best(),
    ),
    Command(
        "grade:move-up",
        mark("Move the sentence up"),
        ("[",),
        together=_MOVE,
        run=lambda page: page.move_current(-1),
    ),
    Command(
        "grade:move-down",
        mark("Move the sentence down"),
        ("]",),
        together=_MOVE,
        run=lambda page: page.move_current(1),
    ),
    Command(
        "grade:paste",
        mark("Take the sentences that the clipboard names"),
        ("Ctrl+V",),
        run=lambda page: page.paste(),
    ),
)
