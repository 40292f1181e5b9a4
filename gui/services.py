"""What gui/app.py composes once and hands to the window and its pages."""

from dataclasses import dataclass
from pathlib import Path

from awase.gui.defects import Defects
from awase.gui.jobs import Jobs
from awase.gui.key_bindings import KeyBindings
from awase.gui.settings import SettingsFile
from awase.gui.theme import ThemeBox


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything that lives as long as the program.

    Attributes:
        settings: The user's choices.
        keys: Which key does what.
        themes: The current look.
        jobs: Work off the GUI thread.
        defects: Where errors go that nobody expected.
        data: Folder for the demonstration corpora.
    """

    settings: SettingsFile
    keys: KeyBindings
    themes: ThemeBox
    jobs: Jobs
    defects: Defects
    data: Path
