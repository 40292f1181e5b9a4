"""Welcome page: drop a file, open a recent one, or a demonstration."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyleOptionButton,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import EnvironmentProblem, InputError, Problem, Reporter
from awase.gui.kit.commands import FileDropTarget, pressed_by_enter
from awase.gui.kit.i18n import Message, bind, mark
from awase.gui.kit.jobs.running import undisturbed
from awase.gui.kit.look.flow import called, spaced, styled, written
from awase.gui.kit.look.theme import Theme, ThemeBox, icon, pixmap
from awase.gui.session.settings import name_and_folder
from awase.storage.addresses import is_url

if TYPE_CHECKING:
    from awase.core.records.addition import Addition
    from awase.core.records.corpus import Corpus
    from awase.storage.store import CorpusStore


_N_STEPS: Final = 3
_CORPUS_MARK: Final = b"SQLite format 3\0"
DEMONSTRATION_ANNOTATOR: Final = "A1"


# Language of the texts of a bundled corpus, which names its file, to its title.
DEMONSTRATIONS: Final = {
    "ja": mark("Demonstration in Japanese"),
    "en": mark("Demonstration in English"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A corpus just opened; the receiver closes the store."""

    store: "CorpusStore"  # read-only, with its holder, when locked by somebody else
    corpus: "Corpus"
    who: str
    remarks: tuple[Problem, ...] = ()


def look_at_corpus(location: str, password: str) -> None:
    """Raises unless there is a corpus at `location`, before the open one is closed."""
    from awase.storage.files.locks_and_backups import readable_file
    from awase.storage.store import CorpusStore

    if is_url(location):
        CorpusStore.open(location, who="", read_only=True, password=password).close()
    else:
        readable_file(Path(location))


def restore_corpus(location: str, backup: Path | None, who: str, reporter: Reporter) -> Opened:
    """Restores a backup and opens it; None = the newest undamaged one."""
    from awase.jobs.checking import restore

    done = restore(Path(location), backup, reporter)
    return replace(open_corpus(location, who, reporter), remarks=(done,))


def open_corpus(location: str, who: str, reporter: Reporter, password: str = "") -> Opened:
    """Opens the corpus at `location`, with a server's password."""
    reporter.advance(0, _N_STEPS)
    from awase.storage.store import CorpusStore

    reporter.advance(1, _N_STEPS)
    store = CorpusStore.open_or_read_only(location, who=who, password=password, reporter=reporter)
    return _read(store, who, reporter)


def create_corpus(
    location: str, name: str, who: str, source: Path | None, reporter: Reporter
) -> Opened:
    """Creates a corpus, from the Awase JSON file `source` if given; atomic."""
    reporter.advance(0, _N_STEPS)
    from awase.jobs.files.reading import read_file
    from awase.storage.store import CorpusStore

    addition = None if source is None else _read_json(read_file(source), source.name)
    reporter.advance(1, _N_STEPS)
    store = CorpusStore.create(
        location,
        name=name,
        who=who,
        addition=addition,
        source=source.name if source else "",
        reporter=reporter,
    )
    return _read(store, who, reporter)


def open_demonstration(language: str, folder: Path, reporter: Reporter) -> Opened:
    """Opens the demonstration in `language` as its first annotator, created if missing."""
    reporter.advance(0, _N_STEPS)
    from awase.jobs.importing import make_demonstration

    who = DEMONSTRATION_ANNOTATOR
    path = make_demonstration(language, folder, who=who, reporter=reporter)
    return open_corpus(str(path), who, reporter)


def json_name(path: Path) -> str:
    """Returns the corpus name in an Awase JSON file; empty without."""
    from awase.jobs.files.reading import read_file

    try:
        stored = json.loads(read_file(path).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError, EnvironmentProblem):
        return ""
    name = stored.get("name") if isinstance(stored, dict) else None
    return name if isinstance(name, str) else ""


def becomes_corpus(path: Path) -> bool:
    """Returns whether a path is importable, not a corpus."""
    if path.suffix.lower() == ".json":
        return True
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            if file.read(len(_CORPUS_MARK)) == _CORPUS_MARK:
                return False
        from awase.jobs.importing import format_of_place  # every format: a corpus needs none

        return bool(format_of_place(path).reads)
    except (OSError, InputError, EnvironmentProblem):
        return False


def is_own_json(path: Path) -> bool:
    """Returns whether a JSON file is Awase JSON, the default without another format's signs."""
    from awase.jobs.importing import format_of_place

    try:
        return format_of_place(path).id == "awase-json"
    except (InputError, EnvironmentProblem):
        return True


def _read(store: "CorpusStore", who: str, reporter: Reporter) -> Opened:
    try:
        reporter.advance(2, _N_STEPS)
        with undisturbed():
            corpus = store.corpus()
        # A handed-out copy is edited under its owner's name; and a server accepts the role's own
        # work only.
        who = store.person() or store.bare_ownership().handed_to or who
        _make_ready(store, corpus, who)
        # A dropped job stops here; nobody would close its result.
        reporter.advance(_N_STEPS, _N_STEPS)
        return Opened(store=store, corpus=corpus, who=who)
    except BaseException:
        store.close()
        raise


def _make_ready(store: "CorpusStore", corpus: "Corpus", who: str) -> None:
    """Warms caches for the first page."""
    from awase.core.annotation.candidates import TopicIndex
    from awase.core.annotation.suggesters import ADDED

    ADDED.names()
    done = store.history(who).done
    last = corpus.topic(done[-1].edit.topic) if done else None
    for topic in (*corpus.topics[:1], *([last] if last else [])):
        TopicIndex(topic)  # caches the slow parts


def _read_json(data: bytes, name: str) -> "Addition":
    from awase.core.formats.reading.requests import ReadRequest
    from awase.core.formats.registry import format_by_id
    from awase.core.text.encoding import decode

    text = decode(data, "utf-8").text
    return format_by_id("awase-json").reader()(ReadRequest(text=text, source=name)).addition


_GAP: Final = "\N{NO-BREAK SPACE}"


class IconButton(QPushButton):
    """Button with a gap between icon and text, which Qt does not scale with the font."""

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self.fontMetrics().horizontalAdvance(_GAP), 0)

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        option.text = _GAP + option.text


class RowButton(QPushButton):
    """A button as wide as its list."""

    def __init__(self, name: Message, *, detail: str = "") -> None:
        """`detail`, a path, is elided in the middle."""
        super().__init__()
        called(pressed_by_enter(self), name)
        self._full_detail = detail
        self.setProperty("look", "row")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._icon, label = QLabel(), bind(QLabel(), "text", name)
        self._detail = styled(QLabel(detail), "muted")
        self._detail.setVisible(bool(detail))
        self._detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for part in (self._icon, label, self._detail):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        texts = QVBoxLayout()
        spaced(texts, self, label, self._detail, across=0, down=0, between=0)
        layout = spaced(QHBoxLayout(self), self, self._icon, across=1 / 2, down=1 / 3)
        layout.addLayout(texts, 1)

    def set_icon(self, picture: QIcon) -> None:
        side = round(self.fontMetrics().height() * 1.3)
        self._icon.setPixmap(picture.pixmap(QSize(side, side), self.devicePixelRatioF()))

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]  # Qt hands a QResizeEvent
        width = self._detail.width()
        elided = self._detail.fontMetrics().elidedText(
            self._full_detail, Qt.TextElideMode.ElideMiddle, width
        )
        self._detail.setText(elided)


_SUFFIXES = (".awase", ".json")
_TEXT_SUFFIXES = (".txt", ".text")


class DropArea(FileDropTarget, QFrame):
    """Drop target for a corpus or texts."""

    dropped = Signal(object)  # paths

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "drop")
        self.setAcceptDrops(True)

    def accepts(self, paths: Sequence[Path]) -> bool:
        return corpus_among(paths) is not None or may_be_texts(paths)

    def add_files(self, paths: Sequence[Path]) -> None:
        self.dropped.emit(tuple(paths))

    def show_hover(self, is_over: bool) -> None:
        self.setProperty("hot", is_over)
        self.style().unpolish(self)
        self.style().polish(self)


def corpus_among(paths: Sequence[Path]) -> Path | None:
    """Returns the first file that can be opened as a corpus."""
    return next((path for path in paths if path.suffix.lower() in _SUFFIXES), None)


def may_be_texts(paths: Sequence[Path]) -> bool:
    """Returns whether these are folders and plain texts, by name."""
    return bool(paths) and all(
        path.suffix.lower() in _TEXT_SUFFIXES or path.is_dir() for path in paths
    )


class WelcomePage(QScrollArea):
    """Ways to open a corpus."""

    commandChosen = Signal(str)  # id of a command of the window
    fileChosen = Signal(str)
    demonstrationChosen = Signal(str)

    def __init__(self, themes: ThemeBox) -> None:
        super().__init__()
        self._themes = themes
        self._recent: tuple[str, ...] | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._title = styled(QLabel("Awase"), "title")
        self._subtitle = bind(
            styled(QLabel(), "muted", wraps=True),
            "text",
            mark("Align abstracts with their sources, see the minimal cover, score systems."),
        )
        self.drop_area = DropArea()
        self._drop_icon = QLabel()
        self._drop_text = bind(
            styled(QLabel(), wraps=True),
            "text",
            mark("Drop a folder of texts, a corpus (.awase) or Awase JSON here"),
        )
        self._open = self._button(mark("Open…"), "menu:open")
        self._new = self._button(mark("New corpus…"), "menu:new")
        self._texts = self._button(mark("New corpus from texts…"), "menu:new-from-texts")
        self._open.setDefault(True)
        self._recent_title = bind(styled(QLabel(), "muted"), "text", mark("Recent"))
        self._demo_title = bind(styled(QLabel(), "muted"), "text", mark("To try it out"))
        self._recent_rows, self._demo_rows = QVBoxLayout(), QVBoxLayout()
        self._no_recent = bind(
            styled(QLabel(), "muted"), "text", mark("Corpora that you open appear here.")
        )
        self._no_recent.setContentsMargins(self.fontMetrics().height() // 2, 0, 0, 0)
        self._lay_out()
        for language, title in DEMONSTRATIONS.items():
            row = RowButton(title)
            row.clicked.connect(
                lambda _=False, chosen=language: self.demonstrationChosen.emit(chosen)
            )
            self._demo_rows.addWidget(row)
        themes.changed.connect(self._on_theme_changed)
        self._on_theme_changed(themes.theme)
        self.show_recent(())

    def show_recent(self, locations: Sequence[str]) -> None:
        """Lists recent corpora, the latest first."""
        if self._recent == tuple(locations):
            return
        self._recent = tuple(locations)
        while (item := self._recent_rows.takeAt(0)) is not None:
            widget = item.widget()
            if isinstance(widget, RowButton):
                widget.deleteLater()
        for location in self._recent:
            name, folder = name_and_folder(location)
            row = RowButton(partial(str, name), detail=folder)
            row.clicked.connect(lambda _=False, chosen=location: self.fileChosen.emit(chosen))
            row.setToolTip(location)
            self._recent_rows.addWidget(row)
        if not self._recent:
            self._recent_rows.addWidget(self._no_recent)
        self._no_recent.setVisible(not self._recent)
        self._set_row_icons(self._themes.theme)

    def _button(self, title: str, command: str) -> IconButton:
        button = pressed_by_enter(written(IconButton(), title))
        button.clicked.connect(lambda: self.commandChosen.emit(command))
        return button

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        page = QWidget()
        self._column = column = QWidget()
        outer = QHBoxLayout(page)
        outer.addStretch(1)
        outer.addWidget(column, 20)
        outer.addStretch(1)
        grid = QGridLayout(column)
        grid.setHorizontalSpacing(line_px * 2)
        grid.setVerticalSpacing(line_px // 2)
        grid.setRowStretch(0, 2)
        grid.addWidget(self._title, 1, 0, 1, 2)
        grid.addWidget(self._subtitle, 2, 0, 1, 2)
        grid.setRowMinimumHeight(3, line_px)
        grid.addWidget(self._filled_drop_area(line_px), 4, 0)
        grid.addLayout(self._lists(line_px), 4, 1)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(5, 3)
        self.setWidget(page)

    def _filled_drop_area(self, line_px: int) -> QFrame:
        inner = spaced(QVBoxLayout(self.drop_area), self, None, down=1)
        for label in (self._drop_icon, self._drop_text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            inner.addWidget(label)
        inner.addSpacing(line_px // 2)
        for button in (self._open, self._new, self._texts):
            inner.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addStretch(1)
        self.drop_area.setMinimumHeight(line_px * 16)
        return self.drop_area

    def _lists(self, line_px: int) -> QVBoxLayout:
        lists = QVBoxLayout()
        for title, rows in (
            (self._demo_title, self._demo_rows),
            (self._recent_title, self._recent_rows),
        ):
            title.setContentsMargins(line_px // 2, 0, 0, line_px // 4)
            rows.setSpacing(0)
            lists.addWidget(title)
            lists.addLayout(rows)
            lists.addSpacing(line_px)
        lists.addStretch(1)
        return lists

    def _on_theme_changed(self, theme: Theme) -> None:
        line_px = self.fontMetrics().height()
        self._column.setMaximumWidth(line_px * 54)
        side = line_px * 3
        self._drop_icon.setPixmap(
            pixmap("open", theme, side, self.devicePixelRatioF(), role="muted")
        )
        self._open.setIcon(icon("open", theme, role="accent_text"))
        self._new.setIcon(icon("new", theme))
        self._texts.setIcon(icon("new", theme))
        self._set_row_icons(theme)

    def _set_row_icons(self, theme: Theme) -> None:
        for row in self.findChildren(RowButton):
            row.set_icon(icon("file", theme, role="link"))
