"""The Correlations page: its commands."""

from typing import Final

from awase.gui.kit.commands import in_group
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command

CORRELATIONS_COMMANDS: Final = in_group(mark("Correlations"), why_command("correlations"))
