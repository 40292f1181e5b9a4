"""Stack of pages; look and language change on the visible page first.

Qt restyles every widget twice at each change, and each table measures its columns: a third of a
second for all pages, without input handling. So each page has turns of its own, between which keys
are handled.
"""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from awase.gui.kit.look.theme import Theme, ThemeBox, renew_fonts

_HAS_LOOKS = Qt.WidgetAttribute.WA_WState_Polished
# A widget with a style of its own is not asked when the application's changes.
_IS_PASSED_OVER = Qt.WidgetAttribute.WA_SetStyle


# Until the next turn: of the page in sight, before a change that is waited for, and after one, when
# keys and paint come between.
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
        self._turns = QTimer(self)
        self._turns.setSingleShot(True)
        self._turns.timeout.connect(self._on_turn)
        themes.changing.connect(self._on_theme_changing)
        themes.changed.connect(self._on_theme_changed)

    def new_themes(self) -> ThemeBox:
        """Returns the theme box for a new page."""
        return ThemeBox(self._themes.theme, self)

    def add(self, page: QWidget, themes: ThemeBox) -> None:
        """Adds a page built with these themes."""
        self._themes_of[page] = themes
        self.addWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Shows a page after applying look and language."""
        self._bring_up(page)
        self.setCurrentWidget(page)

    def prepare(self, *steps: Callable[[], None]) -> None:
        """Runs each step, which changes look or language, once hidden pages have no styles."""
        # Each has a turn of its own, as has the visible page after one; until then that shows a
        # snapshot.
        self._steps = [*steps]
        if self._with_looks():
            self._turns.start(_SOON_MS)
        else:
            self._take_step()

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

    def _out_of_sight(self) -> list[QWidget]:
        return [page for page in self._themes_of if page is not self.currentWidget()]

    def _with_looks(self) -> list[QWidget]:
        """Returns the hidden pages with styles to be replaced."""
        return [page for page in self._out_of_sight() if page not in self._without_looks]

    def _parts(self, page: QWidget) -> Iterator[QWidget]:
        """Yields a page and its children without open dialogs."""
        window = self.window()
        parts = (page, *page.findChildren(QWidget))
        return (part for part in parts if part.window() is window or not part.isVisible())

    def _take_looks(self, page: QWidget) -> None:
        style = QApplication.style()
        for part in self._parts(page):
            if part.testAttribute(_HAS_LOOKS):
                style.unpolish(part)
                part.setAttribute(_HAS_LOOKS, False)
        self._without_looks.add(page)

    def _take_step(self) -> None:
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
            self._give_looks(seen)
            self._turns.start(_AT_ONCE_MS if self._steps else _LATER_MS)
        elif self._steps and (pages := self._with_looks()):
            self._take_looks(pages[0])
            self._turns.start(_SOON_MS)
        elif self._steps:
            self._take_step()
        elif behind:
            page = next(page for page in self._themes_of if page in behind)
            step = self._give_looks if page in self._without_looks else self._give_language
            step(page)
            self._turns.start(_LATER_MS)

    def _bring_up(self, page: QWidget) -> None:
        """Applies the current look and language to a page."""
        if page in self._without_looks:
            self._give_looks(page)
        if page in self._in_old_language:
            self._give_language(page)

    def _give_looks(self, page: QWidget) -> None:
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
