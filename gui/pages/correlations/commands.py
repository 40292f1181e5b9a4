"""The Correlations page: its commands."""

from typing import Final

from awase.gui.kit.texts.i18n import mark
from awase.gui.kit.why import why_command

COMMANDS: Final = (why_command("correlations", mark("Correlations")),)
