"""The Scores page: its commands."""

from typing import Final

from awase.gui.kit.commands import Command, in_group
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command

SCORES_COMMANDS: Final = in_group(
    mark("Table"),
    Command(
        "scores:cause",
        mark("Show what the number was lost by"),
        ("Return", "Enter"),
        run=lambda page: page.show_cause(),
    ),
    Command(
        "scores:topics",
        mark("Show the metric topic by topic"),
        ("T",),
        run=lambda page: page.table.show_by_topics(),
    ),
    why_command("scores"),
    Command(
        "scores:back",
        mark("Back to the means of all topics"),
        ("Esc",),
        run=lambda page: page.go_back(),
    ),
)
