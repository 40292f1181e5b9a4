"""The Correlations page: its commands."""

from typing import Final

from awase.gui.kit.number_explanation import why_command
from awase.gui.kit.texts.i18n import mark

COMMANDS: Final = (why_command("correlations", mark("Correlations")),)
