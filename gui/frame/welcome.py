"""Welcome page: drop a file, open a recent one, or a demonstration."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

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

from awase.gui.frame.opening import DEMONSTRATIONS
from awase.gui.kit.focus import TakesFiles, pressed_by_enter
from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.look.theme import Theme, ThemeBox, icon, pixmap
from awase.gui.kit.texts import bind, follow

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

    def __init__(self, name: str, *, detail: str = "", is_message: bool = False) -> None:
        """Builds the row.

        Args:
            detail: Its path; elided in the middle.
            is_message: Whether `name` is an English message to be translated.
        """
        super().__init__()
        pressed_by_enter(self)
        self._full_name, self._full_detail, self._is_message = name, detail, is_message
        self.setProperty("look", "row")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._icon, self._name, self._detail = QLabel(), QLabel(), QLabel(detail)
        self._detail.setProperty("look", "muted")
        self._detail.setVisible(bool(detail))
        self._detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for label in (self._icon, self._name, self._detail):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        line_px = self.fontMetrics().height()
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self._name)
        texts.addWidget(self._detail)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line_px // 2, line_px // 3, line_px // 2, line_px // 3)
        layout.setSpacing(line_px // 2)
        layout.addWidget(self._icon)
        layout.addLayout(texts, 1)
        follow(self, self._write_texts)

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

    def _write_texts(self) -> None:
        name = tr(self._full_name) if self._is_message else self._full_name
        self._name.setText(name)
        self.setAccessibleName(name)


_SUFFIXES = (".awase", ".json")
_TEXT_SUFFIXES = (".txt", ".text")


class DropArea(TakesFiles, QFrame):
    """Drop target for a corpus or texts."""

    dropped = Signal(object)  # paths

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "drop")
        self.setAcceptDrops(True)

    def takes(self, paths: Sequence[Path]) -> bool:
        return corpus_among(paths) is not None or may_be_texts(paths)

    def take_files(self, paths: Sequence[Path]) -> None:
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
    dropped = Signal(object)  # paths
    demonstrationChosen = Signal(str)

    def __init__(self, themes: ThemeBox) -> None:
        super().__init__()
        self._themes = themes
        self._recent: tuple[str, ...] | None = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._title, self._subtitle = QLabel("Awase"), QLabel()
        self._title.setProperty("look", "title")
        self._subtitle.setProperty("look", "muted")
        self._subtitle.setWordWrap(True)
        self._drop = DropArea()
        self._drop.dropped.connect(self.dropped)
        self._drop_icon, self._drop_text = QLabel(), QLabel()
        self._open, self._new, self._texts = IconButton(), IconButton(), IconButton()
        self._open.setDefault(True)
        for button, command in (
            (self._open, "menu:open"),
            (self._new, "menu:new"),
            (self._texts, "menu:new-from-texts"),
        ):
            button.clicked.connect(lambda _=False, id=command: self.commandChosen.emit(id))
        self._recent_title, self._demo_title = QLabel(), QLabel()
        self._recent_rows, self._demo_rows = QVBoxLayout(), QVBoxLayout()
        self._no_recent = QLabel()
        self._no_recent.setProperty("look", "muted")
        self._no_recent.setContentsMargins(self.fontMetrics().height() // 2, 0, 0, 0)
        self._lay_out()
        for demonstration in DEMONSTRATIONS:
            row = RowButton(demonstration.title, is_message=True)
            row.clicked.connect(
                lambda _=False, chosen=demonstration.language: self.demonstrationChosen.emit(chosen)
            )
            self._demo_rows.addWidget(row)
        themes.changed.connect(self._on_theme_changed)
        self._on_theme_changed(themes.theme)
        self.show_recent(())
        self._bind_texts()

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
            row = RowButton(Path(location).stem, detail=str(Path(location).parent))
            row.clicked.connect(lambda _=False, chosen=location: self.fileChosen.emit(chosen))
            row.setToolTip(location)
            self._recent_rows.addWidget(row)
        if not self._recent:
            self._recent_rows.addWidget(self._no_recent)
        self._no_recent.setVisible(not self._recent)
        self._set_row_icons(self._themes.theme)

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
        inner = QVBoxLayout(self._drop)
        inner.setSpacing(line_px // 2)
        inner.setContentsMargins(line_px, line_px, line_px, line_px)
        inner.addStretch(1)
        for label in (self._drop_icon, self._drop_text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            inner.addWidget(label)
        self._drop_text.setWordWrap(True)
        inner.addSpacing(line_px // 2)
        for button in (self._open, self._new, self._texts):
            pressed_by_enter(button)
            inner.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        inner.addStretch(1)
        self._drop.setMinimumHeight(line_px * 16)
        return self._drop

    def _lists(self, line_px: int) -> QVBoxLayout:
        lists = QVBoxLayout()
        for title, rows in (
            (self._demo_title, self._demo_rows),
            (self._recent_title, self._recent_rows),
        ):
            title.setProperty("look", "muted")
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

    def _bind_texts(self) -> None:
        bind(
            self._subtitle,
            "text",
            mark("Align abstracts with their sources, see the minimal cover, score systems."),
        )
        bind(
            self._drop_text,
            "text",
            mark("Drop a folder of texts, a corpus (.awase) or Awase JSON here"),
        )
        bind(self._open, "text", mark("Open…"))
        bind(self._new, "text", mark("New corpus…"))
        bind(self._texts, "text", mark("New corpus from texts…"))
        bind(self._recent_title, "text", mark("Recent"))
        bind(self._demo_title, "text", mark("To try it out"))
        bind(self._no_recent, "text", mark("Corpora that you open appear here."))
