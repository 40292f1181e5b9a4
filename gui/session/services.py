"""Services composed by gui/app.py for the window and its pages."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from awase.gui.kit.defects import Defects
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.keys.key_bindings import KeyBindings
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.session.settings import SettingsFile
from awase.jobs.supplies.caches import SupplyCaches

if TYPE_CHECKING:  # They bring metrics and SQLAlchemy, which load after the first paint.
    from awase.jobs.supplies.gathering import Supplier
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Services with the program's lifetime."""

    settings: SettingsFile
    keys: KeyBindings
    themes: ThemeBox
    jobs: Jobs
    defects: Defects
    data: Path
    opened: SupplyCaches

    def supplier(self, store: "CorpusStore", **named: str) -> "Supplier":
        """Returns the supplier for metrics; `named` overrides `Places` of the settings."""
        from awase.jobs.supplies.gathering import Places, Supplier, stored_parses

        settings = self.settings.settings
        places = {"vectors": settings.vectors, "model": settings.model, **named}
        return Supplier(stored_parses(store), Places(**places), self.opened)
