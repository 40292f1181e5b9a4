"""Help window: contents and search at the left, the text at the right."""

import re
from importlib.resources import files
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import Problem
from awase.gui.frame.commands import WINDOW_COMMANDS
from awase.gui.frame.pages import PAGES as PAGES_OF_THE_WINDOW
from awase.gui.frame.tour.panel import STEPS
from awase.gui.kit.announcing import LiveLabel
from awase.gui.kit.commands.command import Command, path_of
from awase.gui.kit.forms.dialog import room_for
from awase.gui.kit.keys.key_bindings import KeyBindings
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.keys.markdown import escaped, key_in_markdown
from awase.gui.kit.texts.i18n import language, listed, tr, what_of
from awase.gui.kit.texts.markup import MarkdownView

PAGES: Final = ("tour", "keys", "scores", "warnings", "inspect", "correlations", "people", "review")
PLACE = re.compile(r"\{\{(?:(key|say):)?(.+?)\}\}(?!\})", re.DOTALL)
_FIELD = re.compile(r"\{(\w+)\}")


def page_source(page: str, language: str) -> str:
    """Returns a page as it is shipped."""
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
            (_all_keys(command.id, keys), escaped(command.name))
            for command in commands
            if keys.texts(command.id)
        ]
        parts.append(_table(title, rows))
    return "\n".join(parts)


def _all_keys(command: str, keys: KeyMap) -> str:
    return listed(f"**{escaped(text)}**" for text in keys.texts(command))


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
        self._found = LiveLabel()
        self._found.setProperty("look", "muted")
        self.text = MarkdownView()
        self._lay_out()
        self.contents.currentItemChanged.connect(self._on_item_changed)
        self.field.textChanged.connect(self._on_words_changed)
        self.field.returnPressed.connect(self.find_next)
        keys.changed.connect(self._fill)
        self._retranslate()

    def show_page(self, page: str) -> None:
        item = self.contents.topLevelItem(PAGES.index(page))
        if self.isVisible():
            self.raise_()
        self.show()
        self.activateWindow()
        if item is not None:
            self.contents.setCurrentItem(item)
            # Once the text has the width that the window gives it.
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

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            # The catalogue of the rest of the window changes in the same moment.
            QTimer.singleShot(0, self, self._retranslate)

    def keyPressEvent(self, event: QEvent) -> None:
        if getattr(event, "key", lambda: None)() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)  # type: ignore[arg-type]  # a key event

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(line_px // 2, line_px // 2, line_px // 2, line_px // 2)
        column.setSpacing(line_px // 3)
        search = QHBoxLayout()
        search.addWidget(self.field, 1)
        search.addWidget(self._found)
        column.addLayout(search)
        column.addWidget(self.contents, 1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.text)
        self.splitter.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        self.resize(QSize(line_px * 60, line_px * 40).boundedTo(room_for(self)))

    def _share_width(self) -> None:
        """Sizes the contents to their titles; tooltips have elided ones in full."""
        tree = self.contents
        tree.ensurePolished()
        beside = tree.verticalScrollBar().sizeHint().width() + self.fontMetrics().height() * 2
        needed = tree.sizeHintForColumn(0) + beside
        left = min(needed, round(self.width() * _MOST_FOR_CONTENTS))
        self.splitter.setSizes([left, self.width() - left])

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Help"))
        self.field.setPlaceholderText(tr("Find in the help"))
        self.field.setAccessibleName(tr("Find in the help"))
        self.contents.setAccessibleName(tr("Contents"))
        self.text.setAccessibleName(tr("Help"))
        self._fill()

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

    def _on_item_changed(
        self, item: QTreeWidgetItem | None, _old: QTreeWidgetItem | None = None
    ) -> None:
        self._show_item(item)

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
