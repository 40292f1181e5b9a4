"""The Correlations page: its commands."""

from typing import Final

from awase.gui.kit.commands.command import in_group
from awase.gui.kit.number_explanation import why_command
from awase.gui.kit.texts.i18n import mark

COMMANDS: Final = in_group(mark("Correlations"), why_command("correlations"))
