"""Somebody without a plan works in the window: every page, every menu, every dialog.

Nothing may raise, nothing may be told as a defect, what is shown is what is stored, and the memory
stays flat. What would leave the machine or load a language model is not there.
"""

import ctypes
import gc
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import chdir, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QPoint,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from awase.core.errors import AwaseError, Silent
from awase.core.text.tokenisers import japanese_content_tokens
from awase.gui.app import application, compose
from awase.gui.frame.main_window import MainWindow
from awase.jobs.importing import make_demonstration

AWAY: Final = ("torch", "transformers", "stanza", "spacy", "ginza", "requests", "bert_score")
"""Packages that are not there for the monkey: they load for seconds, or ask the network."""

_LEFT_ALONE: Final = ("quit", "print", "pdf", "report-defect", "manual", "website", "demonstration")
_TEXTS: Final = (
    "a",
    "犬が走った。",
    "0",
    "-1",
    "1e9",
    "=1+1",
    "",
    " ",
    "x" * 300,
    "<b>&",
    "é😀",
    "rouge-1",
)
_KEYS: Final = (
    *"123456789abcdfghijknorsuvABC/[]?", Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab,
    Qt.Key.Key_Space, Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Left, Qt.Key.Key_Right,
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageDown,
    Qt.Key.Key_F2, Qt.Key.Key_F6,
)  # fmt: skip
_POPUP_MS: Final = 50
_NOT_WORTH_TELLING: Final = ("propagateSizeHints", "This plugin does not support")


@dataclass(slots=True)
class Seen:
    """What went wrong, and what was done.

    Attributes:
        faults: Defects and messages of Qt.
        actions: How often each kind of action was done.
        windows: Classes of the windows and dialogs that were worked in.
        memory_mb: Of the process's own, now and then.
    """

    faults: list[str] = field(default_factory=list)
    actions: Counter[str] = field(default_factory=Counter)
    windows: Counter[str] = field(default_factory=Counter)
    memory_mb: list[float] = field(default_factory=list)


class Monkey:
    """Acts on whatever window is in front."""

    def __init__(self, window: MainWindow, random: Random, seen: Seen) -> None:
        self._window, self._random, self._seen = window, random, seen
        self._acts: dict[str, tuple[int, Callable[[QWidget], object]]] = {
            "key": (30, self._key),
            "click": (30, self._click),
            "type": (10, self._type),
            "menu": (12, self._menu),
            "page": (6, self._page),
            "choose": (8, self._choose),
            "close": (6, self._close),
            "resize": (1, self._resize),
        }

    def act(self) -> None:
        front = self._front()
        kinds = [*self._acts]
        kind = self._random.choices(kinds, [self._acts[one][0] for one in kinds])[0]
        self._seen.actions[kind] += 1
        self._seen.windows[type(front).__name__] += 1
        self._acts[kind][1](front)
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def _front(self) -> QWidget:
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu):
            popup.close()
        dialogs = [
            one for one in QApplication.topLevelWidgets()
            if isinstance(one, QDialog) and one.isVisible()
        ]  # fmt: skip
        for dialog in [one for one in dialogs if isinstance(one, QFileDialog)]:
            dialog.reject()  # nothing of the machine is to be written
            dialogs.remove(dialog)
        modal = QApplication.activeModalWidget()
        if modal is not None and not isinstance(modal, QFileDialog):
            return modal
        if dialogs and self._random.random() < 0.5:
            return self._random.choice(dialogs)
        return self._window

    def _widgets(self, front: QWidget, *kinds: type[QWidget]) -> list[QWidget]:
        return [
            one for kind in kinds for one in front.findChildren(kind)
            if one.isVisible() and one.isEnabled() and one.window() is front.window()
        ]  # fmt: skip

    def _key(self, front: QWidget) -> None:
        target = QApplication.focusWidget() or front
        if target.window() is not front.window():
            target = front
        modifier = self._random.choices(
            (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier,
             Qt.KeyboardModifier.ShiftModifier), (10, 1, 2),
        )[0]  # fmt: skip
        key = self._random.choice(_KEYS)
        if modifier is Qt.KeyboardModifier.ControlModifier and isinstance(key, str):
            key = self._random.choice("zyfpam")  # not the keys that print or quit
        QTest.keyClick(target, key, modifier)

    def _click(self, front: QWidget) -> None:
        found = self._widgets(front, QAbstractButton, QAbstractItemView, QTabBar, QComboBox)
        if not found:
            return
        widget = self._random.choice(found)
        if isinstance(widget, QComboBox):
            if widget.count():
                widget.setCurrentIndex(self._random.randrange(widget.count()))
                widget.activated.emit(widget.currentIndex())
            return
        if isinstance(widget, QAbstractButton) and isinstance(
            getattr(widget, "menu", None), object
        ):
            menu = widget.menu() if hasattr(widget, "menu") else None
            if menu is not None:
                self._trigger([one for one in menu.actions() if one.isEnabled()])
                return
        target = widget.viewport() if isinstance(widget, QAbstractItemView) else widget
        area = target.rect()
        if area.width() > 2 and area.height() > 2:
            at = QPoint(self._random.randrange(area.width()), self._random.randrange(area.height()))
            _click_at(target, at, is_double=self._random.random() < 0.1)

    def _type(self, front: QWidget) -> None:
        found = self._widgets(front, QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)
        if found:
            widget = self._random.choice(found)
            widget.setFocus()
            QApplication.clipboard().setText(self._random.choice(_TEXTS))
            QTest.keyClick(widget, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    def _menu(self, front: QWidget) -> None:
        if front is not self._window:
            return
        found = [one for menu in self._window.menuBar().actions() for one in _leaves(menu)]
        self._trigger(found)

    def _trigger(self, found: list[QAction]) -> None:
        found = [one for one in found if one.isEnabled() and one.isVisible() and _is_harmless(one)]
        if found:
            self._random.choice(found).trigger()

    def _page(self, _front: QWidget) -> None:
        workspace = self._window.workspace
        if workspace is not None:
            pages = [
                one for one in self._window.menus.actions if one.startswith("menu:page:")
            ]  # fmt: skip
            self._window.menus.choose(self._random.choice(pages)) if pages else None

    def _choose(self, front: QWidget) -> None:
        found = self._widgets(front, QAbstractItemView)
        if found:
            view = self._random.choice(found)
            model = view.model()
            if model is not None and model.rowCount():
                index = model.index(self._random.randrange(model.rowCount()), 0)
                view.setCurrentIndex(index)

    def _close(self, front: QWidget) -> None:
        if front is not self._window:
            front.close()

    def _resize(self, front: QWidget) -> None:
        front.resize(self._random.randrange(300, 1800), self._random.randrange(200, 1100))


class _Without:
    """Finds what another finds, but no package of `AWAY`."""

    def __init__(self, finder: object) -> None:
        self._finder = finder

    def find_spec(self, name: str, path: object, target: object = None) -> object:
        if name.partition(".")[0] in AWAY:
            return None
        return self._finder.find_spec(name, path, target)  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> object:
        return getattr(self._finder, name)


def _click_at(target: QWidget, at: QPoint, *, is_double: bool) -> None:
    """Clicks as Qt's own click does, which releases the button over a widget that is no more."""
    left, no_key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    once = (QTest.mousePress, QTest.mouseRelease)
    for act in (*once, QTest.mouseDClick, QTest.mouseRelease) if is_double else once:
        if isValid(target):
            act(target, left, no_key, at)


def _leaves(action: QAction) -> list[QAction]:
    menu = action.menu()
    if menu is None:
        return [action]
    return [leaf for one in menu.actions() for leaf in _leaves(one)]


def _is_harmless(action: QAction) -> bool:
    name = f"{action.objectName()} {action.data()} {action.text()}".lower()
    return not any(word in name for word in _LEFT_ALONE)


def memory_mb() -> float:
    """Returns what the process holds of its own, in megabytes; 0 where the system does not tell.

    Pages of files, such as fonts, dictionaries and libraries, are left out: the system takes them
    back when it wants to. So are whole pages of what was freed, where the C library is glibc.
    """
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    kib = next((line.split()[1] for line in lines if line.startswith("RssAnon:")), "0")
    return int(kib) * 1024 / 1e6


def growth(memory_mb: Sequence[float]) -> float:
    """Returns how much more the last quarter of a run holds than the third, on average: 0.1 = 10 %.

    The first half is left aside: pages, packages and pools are met there for the first time.
    """
    quarter = len(memory_mb) // 4
    third, last = memory_mb[-2 * quarter : -quarter], memory_mb[-quarter:]
    return fmean(last) / fmean(third) - 1


def run(n_actions: int, *, seed: int = 1, samples: int = 20) -> Seen:
    """Returns what was seen; the corpus is the English demonstration.

    Raises:
        AssertionError: What is shown is not what is stored.
    """
    seen, random = Seen(), Random(seed)

    def on_message(kind: QtMsgType, _context: object, text: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not any(w in text for w in _NOT_WORTH_TELLING):
            seen.faults.append(f"Qt: {text}")

    _load_what_stays()
    application()
    finders = sys.meta_path[:]
    sys.meta_path[:] = map(_Without, finders)
    before = qInstallMessageHandler(on_message)
    try:
        # A name typed where a file is asked for is one in the folder in which the program runs.
        with TemporaryDirectory() as folder, chdir(folder):
            _play(Path(folder), n_actions, random, seen, samples)
    finally:
        qInstallMessageHandler(before)
        sys.meta_path[:] = finders
    return seen


def _load_what_stays() -> None:
    """Loads what is loaded when it is first used, and then stays for all: no leak, but megabytes.

    The Japanese dictionary has 26 MB of its own beside its file: whether the monkey types Japanese
    soon or late is chance.
    """
    import scipy.stats  # noqa: F401

    with suppress(AwaseError):  # it is a choice of the installation
        japanese_content_tokens("犬")


def _play(folder: Path, n_actions: int, random: Random, seen: Seen, samples: int) -> None:
    path = make_demonstration("en", folder, who="A1", reporter=Silent())
    every = max(1, n_actions // samples)
    n_done = 0
    while n_done < n_actions:
        n_done += _until_it_ends(folder, path, n_done, n_actions, random, seen, every)


def _until_it_ends(
    folder: Path, path: Path, first: int, last: int, random: Random, seen: Seen, every: int
) -> int:
    """Works from the program's start until `last`, or until somebody quits; returns how often."""
    services = compose(config=folder / "config", data=folder / "data", log=folder / "log")
    services.defects.found.connect(seen.faults.append)
    restore = services.defects.install()
    window = MainWindow(services)
    window.resize(1280, 800)
    window.show()
    monkey = Monkey(window, random, seen)
    # A button's menu has a loop of its own, in which only a timer can do anything.
    closing = QTimer(window)
    closing.timeout.connect(_close_popups)
    closing.start(_POPUP_MS)
    number = first
    try:
        while number < last and window.isVisible():
            if window.workspace is None:
                _open(window, path)
            monkey.act()
            if number % every == 0:
                gc.collect()
                seen.memory_mb.append(memory_mb())
            number += 1
        _close_dialogs()
        if window.isVisible():
            if window.workspace is None:
                _open(window, path)
            session = window.shown.session
            assert session.corpus() == session.store.corpus(), "what is shown is not what is stored"
        else:
            seen.actions["quit"] += 1
    finally:
        _close_dialogs()
        services.jobs.stop_all()
        window.close_corpus()
        window.close()
        window.deleteLater()
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        restore()
    return number - first


def _open(window: MainWindow, path: Path) -> None:
    window.open_location(str(path))
    end = monotonic() + 60
    while window.workspace is None and monotonic() < end:
        QApplication.processEvents()
        sleep(0.002)
        _close_dialogs()
    assert window.workspace is not None, "the corpus does not open any more"


def _close_popups() -> None:
    while (popup := QApplication.activePopupWidget()) is not None:
        if not popup.close():
            return
    modal = QApplication.activeModalWidget()
    is_qts_own = modal is not None and not type(modal).__module__.startswith("awase")
    if is_qts_own and isinstance(modal, QDialog) and not isinstance(modal, QMessageBox):
        modal.reject()  # of files, printers and paper


def _close_dialogs() -> None:
    for one in QApplication.topLevelWidgets():
        if isinstance(one, QDialog):
            one.reject()
    QApplication.processEvents()
