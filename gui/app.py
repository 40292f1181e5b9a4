"""The composition root: builds everything with the program's lifetime, once."""
# Only PySide6 and light modules are imported before the first paint; SQLAlchemy, the solvers and
# the pages follow once the window is shown.

import os
import sys
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from awase.gui.frame.commands import default_bindings
from awase.gui.frame.main_window import MainWindow
from awase.gui.kit.defects import Defects
from awase.gui.kit.i18n import language, set_language, system_language
from awase.gui.kit.jobs.running import CollectsHere, Jobs, release_memory
from awase.gui.kit.keys import KeyBindings
from awase.gui.kit.look.theme import HAS_STYLE, STYLE, Theme, ThemeBox
from awase.gui.session.settings import Services, SettingsFile

if TYPE_CHECKING:
    from awase.jobs.supplies.gathering import SupplyCaches

# Idle time before the dictionary is unloaded, a fifth of the window's memory, up to twice as long;
# loading takes a hundredth of that.
_IDLE_MS: Final = 2000


def forget_dictionary(parent: QObject, idle_ms: int = _IDLE_MS) -> None:
    """Unloads the dictionary whenever it was not used for so long."""
    timer = QTimer(parent)
    timer.timeout.connect(_forget_if_unused)
    timer.start(idle_ms)


def _forget_if_unused() -> None:
    from awase.core.text.tokenisers import forget_unused_analyser  # not before the first paint

    forget_unused_analyser()


_SWITCH_S: Final = 0.0002


def run(
    location: str | None = None,
    *,
    demo: bool = False,
    config: Path | None = None,
    data: Path | None = None,
    log: Path | None = None,
) -> int:
    """Opens the window and returns the program's exit status when it closes.

    Args:
        location: Corpus to open; None shows the first page.
        config: Folder of the settings; None = the user's.
        data: Folder of the demonstration corpora; None = the user's.
        log: Folder of the log; None = the user's.
    """
    app = application()
    services = compose(config=config, data=data, log=log)
    restore_hook = services.defects.install()
    window = MainWindow(services)
    window.show()
    QTimer.singleShot(0, lambda: _begin(window, location, demo=demo))
    try:
        return app.exec()
    finally:
        restore_hook()


def application() -> QApplication:
    """Returns the process's QApplication, created if there is none."""
    known = QApplication.instance()
    if isinstance(known, QApplication):
        return known
    release_memory()
    app = QApplication([*sys.argv[:1], "-style", STYLE])
    app.setProperty(HAS_STYLE, True)
    app.setApplicationName("Awase")
    app.setDesktopFileName("awase")
    CollectsHere(app)
    forget_dictionary(app)
    # Each time the window calls Qt while a job reckons, it waits this long to go on: 137 times for
    # the first sight of Inspect, which with Python's own 5 ms makes a block of 0.7 s.
    sys.setswitchinterval(_SWITCH_S)
    return app


def compose(
    *, config: Path | None = None, data: Path | None = None, log: Path | None = None
) -> Services:
    """Returns the services, with the user's language and look applied; needs a QApplication.

    Indices of large files are kept where the command line keeps them, unless `data` is a
    folder of its own.
    """
    from platformdirs import PlatformDirs

    places = PlatformDirs("awase", appauthor=False)
    settings_file = SettingsFile((config or places.user_config_path) / "settings.json")
    settings = settings_file.settings
    code = settings.language or system_language()
    themes = ThemeBox(Theme.named(settings.palette, settings.point_size, code))
    themes.apply()
    set_language(code)
    return Services(
        settings=settings_file,
        keys=KeyBindings((config or places.user_config_path) / "keys.json", default_bindings()),
        themes=themes,
        jobs=Jobs(),
        defects=Defects(log or places.user_log_path),
        data=data or places.user_data_path,
        opened=cache(partial(_supply_caches, None if data is None else data / "vectors")),
    )


def _supply_caches(folder: Path | None) -> "SupplyCaches":
    from awase.jobs.supplies.gathering import SupplyCaches  # not before the first paint

    return SupplyCaches(folder)


def has_display() -> bool:
    """Returns whether a window can be shown; on Linux that needs a display server."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _begin(window: MainWindow, location: str | None, *, demo: bool) -> None:
    if location is not None:
        window.open_location(location)
    elif demo:
        window.open_demonstration(language())
