"""The Inspect page: its commands."""

from typing import Final

from awase.gui.kit.commands import Command, in_group
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command

INSPECT_COMMANDS: Final = in_group(
    mark("Sentence and system"),
    why_command("inspect"),
    Command(
        "inspect:link",
        mark("Link what looks as if it should be linked"),
        ("L",),
        run=lambda page: page.link_first(),
    ),
    Command(
        "inspect:annotate",
        mark("Show the sentence on the Annotate page"),
        ("Return", "Enter"),
        run=lambda page: page.annotate_current(),
    ),
)
