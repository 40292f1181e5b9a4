"""What gui/app.py composes once and hands to the window and its pages."""

from dataclasses import dataclass
from pathlib import Path

from awase.gui.kit.defects import Defects
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.keys.key_bindings import KeyBindings
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.session.settings import SettingsFile


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
