"""Caches of opened word vectors and language models."""

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy is slow to import, and most work needs neither
    from awase.core.errors import Reporter
    from awase.core.language.models import WordEncoder
    from awase.core.language.stored_parses import WordVectors


def user_index_folder() -> Path:
    """Returns the user's one folder for indices of large vector files."""
    return _user_caches() / "vectors"


def _user_caches() -> Path:
    from platformdirs import PlatformDirs

    return PlatformDirs("awase", appauthor=False).user_cache_path


class VectorCache:
    """The word vectors opened last."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is for indices of large files; None = the user's."""
        self._folder = folder
        self._lock = Lock()
        self._location = ""
        self._opened: WordVectors | None = None

    def opened(self, location: str, reporter: "Reporter") -> "WordVectors":
        """Returns the word vectors at `location`."""
        from awase.core.language.models import open_vectors

        with self._lock:
            if self._opened is None or location != self._location:
                cache = self._folder or user_index_folder()
                self._opened = open_vectors(location, reporter=reporter, cache=cache)
                self._location = location
            return self._opened


class ModelCache:
    """Cache of language models with their latest vectors."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._opened: dict[str, WordEncoder] = {}

    def opened(self, location: str) -> "WordEncoder":
        """Returns the model at `location`, where `~` is the home folder."""
        from awase.core.language.models import open_encoder

        with self._lock:
            if location not in self._opened:
                # A shell expands the home folder before a blank only, not behind “model=”.
                is_home = location.startswith("~")
                place = str(Path(location).expanduser()) if is_home else location
                self._opened[location] = open_encoder(place)
            return self._opened[location]

    def keep(self, location: str, encoder: "WordEncoder") -> None:
        """Caches `encoder` for the model at `location`."""
        with self._lock:
            self._opened[location] = encoder


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyCaches:
    """All caches, for the lifetime of the program or the command."""

    vectors: VectorCache = field(default_factory=VectorCache)
    models: ModelCache = field(default_factory=ModelCache)
