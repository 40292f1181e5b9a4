"""Settings, last position of each annotator, and services with the program's lifetime.

Positions are stored in the machine's settings, as navigation is no edit. If the corpus's log is
ahead (edited on another machine, or the program was killed), its last edit is used instead.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from awase.core.errors import EnvironmentProblem
from awase.gui.kit.defects import Defects
from awase.gui.kit.i18n import mark
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.keys import KeyBindings
from awase.gui.kit.look.theme import ThemeBox
from awase.jobs.files.writing import store_own
from awase.storage.addresses import has_password, is_url

if TYPE_CHECKING:  # Settings are read before the first paint, which does without the records.
    from awase.core.records.edits import Edit
    from awase.core.records.topic import Topic
    from awase.jobs.supplies.gathering import Supplier, SupplyCaches
    from awase.storage.store import CorpusStore


MOST_PLACES: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class LastPosition:
    """A place in a corpus."""

    location: str
    who: str
    topic: str
    abstract: str = ""  # id of the abstract; empty when there was none
    n: int = 0  # number of the abstract sentence; 0 when there was none
    pane: int = 1  # which of the three panes had the keyboard, from 0
    step: int = 0  # row in the operation log of the annotator's last edit then; 0 = none


def last_position(
    known: tuple[LastPosition, ...],
    location: str,
    who: str,
    *,
    step: int,
    edit: "Edit | None",
    n: int,
) -> LastPosition | None:
    """Returns the last position, or that of the last edit (its row in the log, 0 = none)."""
    kept = next((place for place in known if (place.location, place.who) == (location, who)), None)
    if kept is not None and kept.step >= step:
        return kept
    if edit is None or not edit.topic:
        return kept
    return LastPosition(
        location=location, who=who, topic=edit.topic, abstract=edit.abstract or "", n=n, step=step
    )


def still_there(place: LastPosition, topic: "Topic | None") -> tuple[str, str | None, int] | None:
    """Returns topic, abstract and sentence as far as they still exist; None = nothing."""
    if topic is None:
        return None
    abstract = topic.abstract(place.abstract)
    if abstract is None:
        return (topic.id, None, 0)
    is_sentence = any(sentence.n == place.n for sentence in abstract.sentences)
    return (topic.id, abstract.id, place.n if is_sentence else 0)


def places_of(stored: object) -> tuple[LastPosition, ...]:
    """Parses positions of a settings file, skipping invalid ones."""
    items = stored if isinstance(stored, list) else []
    return tuple(place for item in items if (place := _place_of(item)) is not None)[:MOST_PLACES]


def _place_of(stored: object) -> LastPosition | None:
    example = asdict(LastPosition(location="", who="", topic=""))
    if not isinstance(stored, dict) or stored.keys() != example.keys():
        return None
    if any(type(stored[key]) is not type(value) for key, value in example.items()):
        return None
    return LastPosition(**stored)


FONT_POINT_SIZES: Final = range(8, 25)
_N_RECENT: Final = 10
_N_CORPORA: Final = 100


def name_and_folder(location: str) -> tuple[str, str]:
    """Returns what a corpus is called among those opened last, and where it is."""
    if is_url(location):  # as a path it would lose a slash
        folder, _, name = location.partition("?")[0].rpartition("/")
        return name, folder
    return Path(location).stem, str(Path(location).parent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The user's choices."""

    language: str = ""  # a key of `awase.gui.kit.i18n.LANGUAGES`; empty = as the system
    palette: str = "system"  # a key of `awase.gui.kit.look.stylesheet.PALETTES`, or `system`
    point_size: int = 10
    annotator: str = "1"
    recent: tuple[str, ...] = ()  # corpus files and addresses, the last opened first
    geometry: str = ""  # the window's size and place, as Qt encodes it, in base 64
    # Ids of commands run from the palette, the last one first.
    recent_commands: tuple[str, ...] = ()
    # Location of a corpus to the metrics of its Scores page, as `awase score` spells them; the
    # latest choice last.
    score_metrics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Word vectors of the Scores page: a file, a model's folder or `ja-ginza`; empty = none.
    vectors: str = ""
    # Language model: a folder, or the name of a downloaded one; empty = none.
    model: str = ""
    # Last position in each corpus, the latest first.
    left_off: tuple[LastPosition, ...] = ()
    folds_candidates: bool = False

    def with_recent(self, location: str) -> "Settings":
        """Returns the settings with `location` as the most recent one."""
        # Not with a password: the file is plain text.
        if has_password(location):
            return self
        return replace(self, recent=_latest_first(location, self.recent))

    def with_recent_command(self, command: str) -> "Settings":
        """Returns the settings with `command` as the one run last from the palette."""
        return replace(self, recent_commands=_latest_first(command, self.recent_commands))

    def with_score_metrics(self, location: str, metrics: tuple[str, ...]) -> "Settings":
        """Returns the settings with the metrics chosen for the corpus at `location`."""
        others = {k: v for k, v in self.score_metrics.items() if k != location}
        kept = dict([*others.items()][1 - _N_CORPORA :])
        return replace(self, score_metrics={**kept, location: metrics})

    def with_last_position(self, place: LastPosition) -> "Settings":
        """Returns the settings with the place where an annotator left off."""
        key = (place.location, place.who)
        others = (other for other in self.left_off if (other.location, other.who) != key)
        return replace(self, left_off=(place, *others)[:MOST_PLACES])


def _latest_first(latest: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((latest, *known)))[:_N_RECENT]


class SettingsFile(QObject):
    """The settings file, written on every change."""

    changed = Signal(object)
    failed = Signal(str, object)  # headline and error, told once: they hold as long as the program

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path, self._is_written = path, True
        self.settings = _read(path)

    def set(self, **values: Any) -> None:  # noqa: ANN401 (fields)
        self.change(replace(self.settings, **values))

    def change(self, settings: Settings) -> None:
        if settings == self.settings:
            return
        self.settings, was_written = settings, self._is_written
        try:
            store_own(self._path, asdict(settings))
            self._is_written = True
        except EnvironmentProblem as error:
            self._is_written = False
            if was_written:
                self.failed.emit(mark("Settings"), error)
        self.changed.emit(settings)


def _read(path: Path) -> Settings:
    try:
        stored = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError):
        with suppress(OSError):  # It could not be read either: the next change reports it.
            path.replace(path.with_name(path.name + ".damaged"))
        return Settings()
    return _settings_of(stored) if isinstance(stored, dict) else Settings()


def _settings_of(stored: Mapping[str, Any]) -> Settings:  # Any: whatever the JSON file holds
    known = {
        field.name: value
        for field in fields(Settings)
        if (value := _VALID[field.name](stored.get(field.name))) is not None
    }
    return Settings(**known)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _annotator(value: object) -> str | None:
    return value.strip() if isinstance(value, str) and value.strip() else None


def _one_of(*choices: str) -> Callable[[object], str | None]:
    return lambda value: value if isinstance(value, str) and value in choices else None


def _point_size(value: object) -> int | None:
    return value if isinstance(value, int) and value in FONT_POINT_SIZES else None


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(item for item in value if isinstance(item, str))[:_N_RECENT]


def _places(value: object) -> tuple[str, ...] | None:
    """Parses `_texts` without URLs, which an earlier version stored in full."""
    texts = _texts(value)
    return texts and tuple(text for text in texts if not has_password(text))


def _texts_by_place(value: object) -> dict[str, tuple[str, ...]] | None:
    if not isinstance(value, dict):
        return None
    return {
        place: tuple(texts)
        for place, texts in value.items()
        if isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts)
    }


_VALID: Final[Mapping[str, Callable[[object], Any]]] = {
    "language": _one_of("", "en", "ja"),
    "palette": _one_of("system", "light", "dark", "high-contrast"),
    "point_size": _point_size,
    "annotator": _annotator,
    "recent": _places,
    "geometry": _text,
    "recent_commands": _texts,
    "score_metrics": _texts_by_place,
    "vectors": _text,
    "model": _text,
    "folds_candidates": lambda value: value if isinstance(value, bool) else None,
    "left_off": lambda value: None if value is None else places_of(value),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Services with the program's lifetime."""

    settings: SettingsFile
    keys: KeyBindings
    themes: ThemeBox
    jobs: Jobs
    defects: Defects
    data: Path
    opened: "Callable[[], SupplyCaches]"  # the same at each call

    def supplier(self, store: "CorpusStore", **named: str) -> "Supplier":
        """Returns the supplier for metrics; `named` overrides `Places` of the settings."""
        from awase.jobs.supplies.gathering import Places, Supplier, stored_parses

        settings = self.settings.settings
        places = {"vectors": settings.vectors, "model": settings.model, **named}
        return Supplier(stored_parses(store), Places(**places), self.opened())
