"""Stack of pages, rail, and Undo and Redo; look and language change on the visible page first.

Qt restyles every widget twice at each change, and each table measures its columns: a third of a
second for all pages, without input handling. So each page has turns of its own, between which keys
are handled.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from awase.gui.kit.i18n import follow, mark
from awase.gui.kit.jobs.running import once
from awase.gui.kit.keys import KeyMap
from awase.gui.kit.look.flow import written
from awase.gui.kit.look.stylesheet import letter_px
from awase.gui.kit.look.theme import Theme, ThemeBox, icon, renew_fonts
from awase.gui.session.pages import Page
from awase.gui.session.session import CorpusSession
from awase.gui.session.undo_stack import UndoStack

_ICON: Final = 1.4
_SMALLEST_ICON: Final = 0.5  # sides of an icon, in heights of a line
_WITH_TEXTS: Final = Qt.ToolButtonStyle.ToolButtonTextUnderIcon
_ICONS_ALONE: Final = Qt.ToolButtonStyle.ToolButtonIconOnly


class Rail(QWidget):
    """Page switcher; icons shrink when large letters need the height, and texts go without it."""

    pageChosen = Signal(str)
    settingsChosen = Signal()

    def __init__(self, entries: Sequence[Page], themes: ThemeBox, keys: KeyMap) -> None:
        """Builds a button for each of `entries`, with its key in `keys`."""
        super().__init__()
        self._keys = keys
        self.setProperty("look", "rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._entries = tuple(entries)
        self._themes = themes
        self._around_icons = {_WITH_TEXTS: 0, _ICONS_ALONE: 0}
        self._group = QButtonGroup(self)  # with `setAutoExclusive` Tab finds the checked one alone
        self._buttons = {entry.id: self._button() for entry in entries}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 1, 0)
        layout.setSpacing(0)
        for page_id, button in self._buttons.items():
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, page_id=page_id: self.pageChosen.emit(page_id))
            self._group.addButton(button)
            layout.addWidget(button)
        layout.addStretch(1)
        self._settings = written(self._button(), mark("Settings"), mark("Settings"))
        self._all = (*self._buttons.values(), self._settings)
        self._settings.clicked.connect(self.settingsChosen)
        layout.addWidget(self._settings)
        themes.changed.connect(self._on_theme_changed)
        self._on_theme_changed(themes.theme)
        follow(self, self._write_texts)

    def set_page(self, page_id: str) -> None:
        self._buttons[page_id].setChecked(True)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        height = self._height_with(self._smallest, _ICONS_ALONE)
        return QSize(hint.width(), min(hint.height(), height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._size_icons()

    def _button(self) -> QToolButton:
        button = QToolButton()
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _on_theme_changed(self, theme: Theme) -> None:
        for entry in self._entries:
            self._buttons[entry.id].setIcon(icon(entry.id, theme))
        self._settings.setIcon(icon("settings", theme))
        self._even_out()

    def _size_icons(self) -> None:
        """Sizes the icons to the usual, or to the height that texts leave."""
        smallest, usual = self._smallest, round(self.fontMetrics().height() * _ICON)
        needed = self._height_with(smallest, _WITH_TEXTS)
        look = _WITH_TEXTS if needed <= self.height() else _ICONS_ALONE
        spare = (self.height() - self._height_with(smallest, look)) // len(self._all)
        side = max(smallest, min(usual, smallest + spare))
        for button in self._all:
            button.setToolButtonStyle(look)
            button.setIconSize(QSize(side, side))

    @property
    def _smallest(self) -> int:
        return round(letter_px(self) * _SMALLEST_ICON)

    def _height_with(self, side: int, look: Qt.ToolButtonStyle) -> int:
        """Returns the total height of the buttons in this look with icons of this side."""
        return self._around_icons[look] + side * len(self._all)

    def _write_texts(self) -> None:
        for entry in self._entries:
            button = self._buttons[entry.id]
            button.setText(entry.name)
            keys = self._keys.text(f"menu:page:{entry.id}")
            button.setToolTip(f"{entry.name} ({keys})" if keys else entry.name)
        self._even_out()

    def _even_out(self) -> None:
        for button in self._all:
            button.setMinimumWidth(0)
        for look in (_ICONS_ALONE, _WITH_TEXTS):
            for button in self._all:
                button.setToolButtonStyle(look)
            hints = (one.sizeHint().height() - one.iconSize().height() for one in self._all)
            self._around_icons[look] = sum(hints)
        width = max(button.sizeHint().width() for button in self._all)
        for button in self._all:
            button.setMinimumWidth(width)
        self._size_icons()


_HAS_LOOKS = Qt.WidgetAttribute.WA_WState_Polished
# A widget with a style of its own is not notified when the application's changes.
_IS_PASSED_OVER = Qt.WidgetAttribute.WA_SetStyle


# Delays: of the visible page, before a requested change, and after one, so that keys and paint come
# between.
_AT_ONCE_MS, _SOON_MS, _LATER_MS = 0, 5, 150


class PageStack(QStackedWidget):
    """Shows one page; hidden ones follow changes one an event-loop turn, or when shown."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._themes_of: dict[QWidget, ThemeBox] = {}
        self._steps: list[Callable[[], None]] = []
        self._is_ready = False
        self._passed_over: list[QWidget] = []
        self._without_looks: set[QWidget] = set()
        self._in_old_language: set[QWidget] = set()
        self._turns = once(self, 0, self._on_turn)
        themes.changing.connect(self._on_theme_changing)
        themes.changed.connect(self._on_theme_changed)

    def add(self, page: QWidget, themes: ThemeBox) -> None:
        self._themes_of[page] = themes
        self.addWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Shows a page after applying look and language."""
        if page in self._without_looks:
            self._apply_looks(page)
        if page in self._in_old_language:
            self._give_language(page)
        self.setCurrentWidget(page)

    def prepare(self, *steps: Callable[[], None]) -> None:
        """Runs each step, which changes look or language, once hidden pages have no styles."""
        # Each has a turn of its own, as has the visible page after one; until then that shows a
        # snapshot.
        self._steps = [*steps]
        if self._with_looks():
            self._turns.start(_SOON_MS)
        else:
            self._run_step()

    def event(self, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.LanguageChange:
            return super().event(event)
        for page in self._themes_of:
            if page is self.currentWidget():
                QCoreApplication.sendEvent(page, event)
            else:
                self._in_old_language.add(page)
        self._turns.start(_LATER_MS)
        return True

    def _with_looks(self) -> list[QWidget]:
        """Returns the hidden pages with styles to be replaced."""
        out_of_sight = (page for page in self._themes_of if page is not self.currentWidget())
        return [page for page in out_of_sight if page not in self._without_looks]

    def _parts(self, page: QWidget) -> Iterator[QWidget]:
        """Yields a page and its children without open dialogs."""
        window = self.window()
        parts = (page, *page.findChildren(QWidget))
        return (part for part in parts if part.window() is window or not part.isVisible())

    def _take_looks(self, page: QWidget) -> None:
        style = self.style()
        for part in self._parts(page):
            if part.testAttribute(_HAS_LOOKS):
                style.unpolish(part)
                part.setAttribute(_HAS_LOOKS, False)
        self._without_looks.add(page)

    def _run_step(self) -> None:
        self._is_ready = True
        try:
            self._steps.pop(0)()
        finally:
            self._is_ready = False
            is_behind = self.currentWidget() in self._without_looks
            self._turns.start(_AT_ONCE_MS if is_behind or self._steps else _LATER_MS)

    def _on_theme_changing(self) -> None:
        pages = self._with_looks()
        seen = self.currentWidget()
        if self._is_ready and seen is not None and seen not in self._without_looks:
            seen.setUpdatesEnabled(False)
            pages.append(seen)
        for page in pages:
            self._take_looks(page)
        for page in self._without_looks:
            _keep_letters(page)
        self._passed_over = [
            part
            for page in self._without_looks
            for part in self._parts(page)
            if not part.testAttribute(_IS_PASSED_OVER)
        ]
        for part in self._passed_over:
            part.setAttribute(_IS_PASSED_OVER)
        for page, themes in self._themes_of.items():
            if page not in self._without_looks:
                themes.expect()

    def _on_theme_changed(self, theme: Theme) -> None:
        passed_over, self._passed_over = self._passed_over, []
        for part in passed_over:
            part.setAttribute(_IS_PASSED_OVER, False)
        for page, themes in self._themes_of.items():
            if page not in self._without_looks:
                themes.tell(theme)
        self._turns.start(_LATER_MS)

    def _on_turn(self) -> None:
        """Runs the next pending step."""
        behind = self._without_looks | self._in_old_language
        seen = self.currentWidget()
        if seen is not None and seen in self._without_looks:
            self._apply_looks(seen)
            self._turns.start(_AT_ONCE_MS if self._steps else _LATER_MS)
        elif self._steps and (pages := self._with_looks()):
            self._take_looks(pages[0])
            self._turns.start(_SOON_MS)
        elif self._steps:
            self._run_step()
        elif behind:
            page = next(page for page in self._themes_of if page in behind)
            step = self._apply_looks if page in self._without_looks else self._give_language
            step(page)
            self._turns.start(_LATER_MS)

    def _apply_looks(self, page: QWidget) -> None:
        self._without_looks.remove(page)
        page.setFont(QFont())
        parts = [*self._parts(page)]
        for kind in (QEvent.Type.Polish, QEvent.Type.StyleChange):
            for part in parts:
                QCoreApplication.sendEvent(part, QEvent(kind))
        renew_fonts(parts)
        self._themes_of[page].tell(self._themes.theme)
        page.setUpdatesEnabled(True)

    def _give_language(self, page: QWidget) -> None:
        self._in_old_language.remove(page)
        QCoreApplication.sendEvent(page, QEvent(QEvent.Type.LanguageChange))


def _keep_letters(page: QWidget) -> None:
    """Fixes a page's font, as inheriting its container's notifies each child."""
    font = QFont(page.font())
    font.setFamilies(font.families())
    font.setPointSize(font.pointSize())
    page.setFont(font)


class Undoing(QObject):
    """Chooses between the visible page's steps and the edits of the corpus."""

    # What is undone should be visible: the page's steps come first, except for edits made after
    # them.

    changed = Signal()  # something else is undone or redone next

    def __init__(self, session: CorpusSession) -> None:
        super().__init__(session)
        self._session = session
        self._own: UndoStack[Any] | None = None
        self._index = session.undo_stack.index()
        # Edits since the page was shown or its last step; negative for undone ones.
        self._n_edits = 0
        session.undo_stack.indexChanged.connect(self._on_corpus_changed)

    def look_at(self, page: QWidget) -> None:
        """Uses the visible page's `own_steps`, if any: steps that are no edits."""
        if self._own is not None:
            self._own.indexChanged.disconnect(self._on_own_changed)
        own: UndoStack[Any] | None = getattr(page, "own_steps", None)  # the page's own values
        self._own = own
        if own is not None:
            own.indexChanged.connect(self._on_own_changed)
        self._on_own_changed()

    @property
    def to_undo(self) -> UndoStack[Any]:
        """The stack whose last step is undone next."""
        own, edits = self._own, self._session.undo_stack
        return own if own is not None and self._n_edits <= 0 and own.canUndo() else edits

    @property
    def to_redo(self) -> UndoStack[Any]:
        """The stack whose last undone step is redone next."""
        own, edits = self._own, self._session.undo_stack
        return own if own is not None and self._n_edits >= 0 and own.canRedo() else edits

    def _on_own_changed(self, _index: int = 0) -> None:
        self._n_edits = 0
        self.changed.emit()

    def _on_corpus_changed(self, index: int) -> None:
        if not self._session.undo_stack.is_replaying:
            self._n_edits += index - self._index
        self._index = index
        self.changed.emit()
