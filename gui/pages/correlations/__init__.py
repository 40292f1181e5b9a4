"""The Correlations page: metrics against human scores."""

from typing import Final

from awase.gui.kit.commands import in_group
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command
from awase.gui.session.pages import NO_HUMAN_SCORES, NO_OUTPUTS, Page

PAGE: Final = Page(
    id="correlations",
    title=mark("&Correlations"),
    keys=("Ctrl+5",),
    needs=(NO_OUTPUTS, NO_HUMAN_SCORES),
    commands=in_group(mark("Correlations"), why_command("correlations")),
)
