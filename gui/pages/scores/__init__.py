"""The Scores page."""

from typing import Final

from awase.gui.kit.commands import ENTER_KEYS, in_group
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command
from awase.gui.session.pages import NO_OUTPUTS, NO_TEXTS, Page, calling

PAGE: Final = Page(
    id="scores",
    title=mark("&Scores"),
    keys=("Ctrl+4",),
    needs=(NO_TEXTS, NO_OUTPUTS),
    commands=in_group(
        mark("Table"),
        calling("scores:cause", mark("Show what lowered the number"), "show_cause", *ENTER_KEYS),
        calling(
            "scores:topics", mark("Show the metric topic by topic"), "table.show_by_topics", "T"
        ),
        why_command("scores"),
        calling("scores:back", mark("Back to the means of all topics"), "go_back", "Esc"),
    ),
)
