"""The help: contents and search at the left, the text at the right; all keys on one sheet."""

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QShortcut, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import Problem
from awase.gui.frame.above_page import STEPS
from awase.gui.frame.commands import PAGES as PAGES_OF_THE_WINDOW
from awase.gui.frame.commands import WINDOW_COMMANDS
from awase.gui.kit.commands import Command, by_group, path_of
from awase.gui.kit.forms.dialog import room_for
from awase.gui.kit.i18n import LiveLabel, bind, follow, language, listed, mark, tr, what_of
from awase.gui.kit.keys import KeyBindings, KeyMap, escaped, key_in_markdown
from awase.gui.kit.look.flow import called, spaced, styled
from awase.gui.kit.look.markup import MarkdownView

# Keys of so many commands are on one line; of more, the first and the last.
_MOST_IN_A_ROW = 3
_FEWEST_CHARACTERS = 28  # minimal line width of descriptions


def in_columns(heights: Sequence[int], most: int) -> list[list[int]]:
    """Distributes groups over at most `most` columns in order, minimising the highest."""
    spans = [sum(heights[i:j]) for i in range(len(heights)) for j in range(i + 1, len(heights) + 1)]
    for limit in sorted(spans):
        if limit >= max(heights):
            columns = _filled(heights, limit)
            if len(columns) <= max(1, most):
                return columns
    return []


def _filled(heights: Sequence[int], limit: int) -> list[list[int]]:
    columns: list[list[int]] = []
    used = limit + 1
    for at, height in enumerate(heights):
        if used + height > limit:
            columns.append([])
            used = 0
        columns[-1].append(at)
        used += height
    return columns


def _columns(groups: "Sequence[_Group]", across: int, gap: int) -> list[list[int]]:
    """Returns groups in as many columns as fit, wrapping words."""
    heights = [group.sizeHint().height() for group in groups]
    parts: list[list[int]] = []
    for most in range(len(groups), 0, -1):
        parts = in_columns(heights, most)
        for part in parts:
            across_keys = max(groups[at].across_keys for at in part)
            for at in part:
                groups[at].grid.setColumnMinimumWidth(0, across_keys)  # descriptions are aligned
        least = sum(max(groups[at].minimumSizeHint().width() for at in part) for part in parts)
        if least + gap * len(parts) <= across:
            break
    return parts


class KeySheet(QDialog):
    """Sheet of keys; any key but for scrolling closes it."""

    def __init__(self, commands: Iterable[Command], keys: KeyMap, parent: QWidget) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Keys"))
        groups = [_Group(self, tr(title), lines) for title, lines in by_group(commands).items()]
        line, room = self.fontMetrics().height(), room_for(self)
        self.body = QWidget()
        columns = spaced(QHBoxLayout(self.body), self, down=1, between=2)
        across = room.width() - line  # without the scroll bar
        parts = _columns(groups, across, line * 2)
        widths = [max(groups[at].width_in_full for at in part) for part in parts]
        for part, width in zip(parts, widths, strict=True):
            column = QVBoxLayout()
            column.setSpacing(line)
            for at in part:
                column.addWidget(groups[at])
            column.addStretch(1)
            columns.addLayout(column, width)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.body)
        scroll.setAccessibleName(tr("Keys"))
        spaced(QVBoxLayout(self), self, scroll, across=0, down=0)
        width = min(sum(widths) + line * 2 * len(parts), across)
        height = columns.totalHeightForWidth(width)
        self.resize(QSize(width + line, height).boundedTo(room))

    def keyPressEvent(self, event: QEvent) -> None:
        self.close()  # scroll keys do not arrive here

    def keys_text(self, commands: Sequence[Command]) -> str:
        texts = [self._keys.texts(command.id) for command in commands]
        if len(texts) == 1:
            return listed(texts[0])
        if len(texts) == 2:
            return listed(" ".join(pair) for pair in zip(*texts, strict=False))
        firsts = [keys[0] for keys in texts if keys]
        if len(firsts) > _MOST_IN_A_ROW and commands[0].number:
            return f"{firsts[0]} – {firsts[-1]}"
        return " ".join(firsts)


class _Group(QWidget):
    """Keys under one heading."""

    def __init__(self, sheet: KeySheet, title: str, lines: Mapping[str, Sequence[Command]]) -> None:
        super().__init__(sheet)
        metrics = sheet.fontMetrics()
        heading = QLabel(title)
        font = heading.font()
        font.setWeight(QFont.Weight.Bold)
        heading.setFont(font)
        self.grid = grid = QGridLayout()
        grid.setHorizontalSpacing(metrics.height())
        grid.setVerticalSpacing(metrics.height() // 2)
        in_full = self.across_keys = 0
        for row, commands in enumerate(lines.values()):
            keys = QLabel(sheet.keys_text(commands))
            keys.setFont(font)
            self.across_keys = max(self.across_keys, keys.sizeHint().width())
            grid.addWidget(keys, row, 0, Qt.AlignmentFlag.AlignTop)
            words = QLabel(commands[0].line)
            in_full = max(in_full, words.sizeHint().width())
            words.setWordWrap(True)
            grid.addWidget(words, row, 1)
        grid.setColumnMinimumWidth(1, min(in_full, metrics.averageCharWidth() * _FEWEST_CHARACTERS))
        grid.setColumnStretch(1, 1)
        spaced(QVBoxLayout(self), sheet, heading, grid, across=0, down=0, between=1)
        self._in_full, self._heading = in_full, heading

    @property
    def width_in_full(self) -> int:
        """Width without line breaks."""
        keys = self.grid.columnMinimumWidth(0) + self.grid.horizontalSpacing()
        return max(keys + self._in_full, self._heading.sizeHint().width())


PAGES: Final = ("tour", "keys", "scores", "warnings", "inspect", "correlations", "people", "review")
PLACE = re.compile(r"\{\{(?:(key|say):)?(.+?)\}\}(?!\})", re.DOTALL)
_FIELD = re.compile(r"\{(\w+)\}")


def page_source(page: str, language: str) -> str:
    place = files("awase.resources").joinpath("help", language, f"{page}.md")
    return place.read_text("utf-8")


def page_text(page: str, language: str, keys: KeyMap) -> str:
    """Returns a page in Markdown, in the window's language and with the keys of `keys`."""

    def filled(match: re.Match[str]) -> str:
        kind, value = match[1], match[2]
        if kind == "key":
            return key_in_markdown(value, keys)
        if kind == "say":
            return escaped(_said(value))
        return {"keys": _keys_table, "steps": _steps}[value](keys)

    return PLACE.sub(filled, page_source(page, language))


def _said(message: str) -> str:
    """Returns a message as displayed, with dots for its fields."""
    return what_of(Problem(what=message, fields=dict.fromkeys(_FIELD.findall(message), "…")))


def _keys_table(keys: KeyMap) -> str:
    groups: dict[str, list[Command]] = {}
    for page in PAGES_OF_THE_WINDOW:
        for command in page.commands:
            groups.setdefault(path_of(page.name, tr(command.group)), []).append(command)
    groups[tr("Menus")] = list(WINDOW_COMMANDS)
    parts = []
    for title, commands in groups.items():
        rows = [
            (
                listed(f"**{escaped(text)}**" for text in keys.texts(command.id)),
                escaped(command.name),
            )
            for command in commands
            if keys.texts(command.id)
        ]
        parts.append(_table(title, rows))
    return "\n".join(parts)


def _table(title: str, rows: list[tuple[str, str]]) -> str:
    lines = [f"## {title}", "", f"| {tr('Key')} | {tr('Command')} |", "|---|---|"]
    return "\n".join([*lines, *(f"| {key} | {name} |" for key, name in rows), ""])


def _steps(keys: KeyMap) -> str:
    return "\n".join(
        f"{number}. **{escaped(tr(step.title))}** {step.text_in(keys, key_in_markdown)}"
        for number, step in enumerate(STEPS, start=1)
    )


_POSITION: Final = Qt.ItemDataRole.UserRole
_DEEPEST: Final = 2
_MOST_FOR_CONTENTS: Final = 0.4  # of the width; the text needs the rest


class HelpWindow(QWidget):
    """A window of its own: never in the way of the keys of the work."""

    def __init__(self, keys: KeyBindings, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._keys = keys
        self.contents = QTreeWidget()
        self.contents.setHeaderHidden(True)
        self.contents.setRootIsDecorated(False)
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self._found = styled(LiveLabel(), "muted")
        self.text = MarkdownView()
        line_px = self.fontMetrics().height()
        left, search = QWidget(), QHBoxLayout()
        spaced(
            search, self, self.field, self._found, grows=self.field, across=0, down=0, between=1 / 3
        )
        spaced(
            QVBoxLayout(left), self, search, self.contents, grows=self.contents, across=1 / 2,
            between=1 / 3,
        )  # fmt: skip
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.text)
        self.splitter.setStretchFactor(1, 1)
        spaced(QVBoxLayout(self), self, self.splitter, across=0, down=0)
        self.resize(QSize(line_px * 60, line_px * 40).boundedTo(room_for(self)))
        self.contents.currentItemChanged.connect(self._show_item)
        self.field.textChanged.connect(self._on_words_changed)
        self.field.returnPressed.connect(self.find_next)
        keys.changed.connect(self._fill)
        bind(self, "windowTitle", mark("Help"))
        bind(self.field, "placeholderText", mark("Find in the help"))
        called(self.field, mark("Find in the help"))
        called(self.contents, mark("Contents"))
        called(self.text, mark("Help"))
        QShortcut(Qt.Key.Key_Escape, self, self.close)
        follow(self, self._fill)

    def show_page(self, page: str) -> None:
        item = self.contents.topLevelItem(PAGES.index(page))
        if self.isVisible():
            self.raise_()
        self.show()
        self.activateWindow()
        if item is not None:
            self.contents.setCurrentItem(item)
            # Once the text has its final width.
            QTimer.singleShot(0, self, lambda: self._show_item(item))

    def find_next(self) -> None:
        """Goes to the next match, wrapping around."""
        words = self.field.text().strip()
        if not words:
            self._found.setText("")
            return
        is_found = self.text.find(words)
        if not is_found:
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
            is_found = self.text.find(words)
        self._found.setText("" if is_found else tr("not found"))

    def _share_width(self) -> None:
        """Sizes the contents to their titles; tooltips have elided ones in full."""
        tree = self.contents
        tree.ensurePolished()
        beside = tree.verticalScrollBar().sizeHint().width() + self.fontMetrics().height() * 2
        needed = tree.sizeHintForColumn(0) + beside
        left = min(needed, round(self.width() * _MOST_FOR_CONTENTS))
        self.splitter.setSizes([left, self.width() - left])

    def _fill(self) -> None:
        code, keys = language(), self._keys.keys
        at = self.contents.currentItem()
        kept = self.contents.indexOfTopLevelItem(_top(at)) if at else 0
        self.text.show_markdown("\n\n".join(page_text(page, code, keys) for page in PAGES))
        self.contents.clear()
        parent: QTreeWidgetItem | None = None
        block = self.text.document().begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if 0 < level <= _DEEPEST:
                item = QTreeWidgetItem([block.text()])
                item.setToolTip(0, block.text())
                item.setData(0, _POSITION, block.position())
                if level == 1 or parent is None:
                    self.contents.addTopLevelItem(item)
                    parent = item
                else:
                    parent.addChild(item)
            block = block.next()
        self.contents.expandAll()
        shown = self.contents.topLevelItem(max(0, kept))
        if shown is not None:
            self.contents.setCurrentItem(shown)
        self._share_width()

    def _show_item(self, item: QTreeWidgetItem | None) -> None:
        if item is None:
            return
        document: QTextDocument = self.text.document()
        cursor = QTextCursor(document)
        cursor.setPosition(item.data(0, _POSITION))
        self.text.setTextCursor(cursor)
        top = document.documentLayout().blockBoundingRect(cursor.block()).top()
        self.text.verticalScrollBar().setValue(round(top))

    def _on_words_changed(self) -> None:
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self.find_next()


def _top(item: QTreeWidgetItem) -> QTreeWidgetItem:
    while (parent := item.parent()) is not None:
        item = parent
    return item
