"""The Inspect page: its commands."""

from typing import Final

from awase.gui.kit.commands import Command, in_group
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command

INSPECT_COMMANDS: Final = in_group(
    mark("Sentence and system"),
    why_command("inspect"),
    Command(
        id="inspect:link",
        title=mark("Link what looks as if it should be linked"),
        keys=("L",),
        run=lambda page: page.link_first(),
    ),
    Command(
        id="inspect:annotate",
        title=mark("Show the sentence on the Annotate page"),
        keys=("Return", "Enter"),
        run=lambda page: page.annotate_current(),
    ),
)
