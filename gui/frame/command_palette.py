"""Entries of the palette: menus and commands of the open page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QMainWindow,
    QMenu,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from awase.core.text.script import folded
from awase.gui.frame.commands import PAGES, WINDOW_COMMANDS, Menus
from awase.gui.kit.commands import SearchKeys, path_of, plain
from awase.gui.kit.grid.tables import TableModel
from awase.gui.kit.i18n import in_every_language, listed, tr
from awase.gui.kit.keys import KeyMap
from awase.gui.kit.look.flow import spaced, styled
from awase.gui.kit.look.rows import LineDelegate, Scale, chip_width, draw_chip, smaller
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.number_explanation import Index
from awase.gui.pages.annotate.commands import BEGINNINGS, CANDIDATES, EXCHANGES, RANKS
from awase.gui.session.settings import Services

if TYPE_CHECKING:
    from awase.gui.frame.workspace import Workspace


_AT_START: Final = 0
_AT_WORD: Final = 1
_INSIDE: Final = 2
_SCATTERED: Final = 4


def match_cost(query: str, names: Sequence[str]) -> int | None:
    """Returns the match cost of the best of `names`, 0 = perfect; None = no match.

    Every word must match the same name: at its beginning, at that of one of its words, inside, or
    else with its letters in order, so that `nxtab` matches “Next abstract”.
    """
    words = folded(query).split()
    costs = (_cost_of(words, folded(name)) for name in names)
    return min((cost for cost in costs if cost is not None), default=None)


def _cost_of(words: Sequence[str], name: str) -> int | None:
    costs = [cost for word in words if (cost := _cost_of_word(word, name)) is not None]
    return sum(costs) if len(costs) == len(words) else None


def _cost_of_word(word: str, name: str) -> int | None:
    if name.startswith(word):
        return _AT_START
    if f" {word}" in name:
        return _AT_WORD
    if word in name:
        return _INSIDE
    letters = iter(name)
    # Letters scattered over a long title match anything; one or two of them mean nothing.
    is_scattered = len(word) > 2 and all(letter in letters for letter in word)
    return _SCATTERED if is_scattered else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteCommand:
    """A command that can be run from the palette."""

    id: str
    title: str
    group: str  # its context, such as a menu; translated
    keys: str  # the key that does the same; empty when there is none
    names: tuple[str, ...]
    run: Callable[[], object]


COMMAND_ROLE: Final = Qt.ItemDataRole.UserRole  # the `PaletteCommand`


class PaletteModel(TableModel):
    """Matching commands, recent ones first, then by match cost."""

    titles = ("",)

    def __init__(self, commands: Sequence[PaletteCommand], recent: Sequence[str]) -> None:
        super().__init__()
        self._newness = newness = {command_id: at for at, command_id in enumerate(recent)}
        self._commands = sorted(commands, key=lambda known: newness.get(known.id, len(newness)))
        self.rows = list(self._commands)

    def set_query(self, query: str) -> None:
        """Filters by `query`, ties by length of the name; empty = all."""
        latest = len(self._newness)
        fits = [
            (found, self._newness.get(command.id, latest), len(command.title), at, command)
            for at, command in enumerate(self._commands)
            if (found := match_cost(query, command.names)) is not None
        ]
        fits.sort(key=lambda fit: fit[:4] if query.strip() else fit[3])
        self.beginResetModel()
        self.rows = [fit[-1] for fit in fits]
        self.endResetModel()

    def cell_data(self, index: Index, role: int) -> object:
        command = self.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return command.title
            case Qt.ItemDataRole.UserRole:
                return command
            case Qt.ItemDataRole.AccessibleTextRole:
                return listed(filter(None, (command.title, command.group, command.keys)))
        return None


class PaletteDelegate(LineDelegate):
    """Paints a command on one line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, round(Scale.of(self._view.font()).line * 1.9))

    def paint_row(self, painter: QPainter, rect: QRectF, index: Index, font: QFont) -> None:
        scale = Scale.of(font)
        inner = rect.adjusted(scale.pad * 2, 0, -scale.pad * 2, 0)
        inner.setRight(self._paint_key(painter, inner, index) - scale.gap)
        painter.setFont(font)
        painter.setPen(self.colour("text"))
        metrics = QFontMetricsF(font)
        centred = Qt.AlignmentFlag.AlignVCenter
        title = index.data(Qt.ItemDataRole.DisplayRole)
        elide = Qt.TextElideMode.ElideRight
        painter.drawText(inner, centred, metrics.elidedText(title, elide, inner.width()))
        self._paint_group(
            painter, inner.adjusted(metrics.horizontalAdvance(title) + scale.line, 0, 0, 0), index
        )

    def _paint_group(self, painter: QPainter, rect: QRectF, index: Index) -> None:
        small = smaller(self._view.font(), 0.92)
        metrics = QFontMetricsF(small)
        if rect.width() < metrics.horizontalAdvance("…") * 3:
            return
        painter.setFont(small)
        painter.setPen(self.colour("muted"))
        text = metrics.elidedText(
            index.data(COMMAND_ROLE).group, Qt.TextElideMode.ElideRight, rect.width()
        )
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_key(self, painter: QPainter, rect: QRectF, index: Index) -> float:
        """Paints the key at the right edge and returns its left."""
        keys = index.data(COMMAND_ROLE).keys
        if not keys:
            return rect.right()
        small = smaller(self._view.font(), 0.92)
        width, height = chip_width(keys, small), QFontMetricsF(small).height() * 1.2
        chip = QRectF(rect.right() - width, rect.center().y() - height / 2, width, height)
        painter.setFont(small)
        draw_chip(
            painter, chip, keys, back=self.colour("raised"), ink=self.colour("text"),
            border=self.colour("line"),
        )  # fmt: skip
        return chip.left()


class CommandPalette(QDialog):
    """Finds a command by typing; Enter or a click runs it, Esc closes."""

    commandChosen = Signal(object)  # the `PaletteCommand`; the palette is closed by then

    def __init__(
        self,
        commands: Sequence[PaletteCommand],
        recent: Sequence[str],
        themes: ThemeBox,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Commands"))
        self.model = PaletteModel(commands, recent)
        self.model.setParent(self)
        self.field, self.list = QLineEdit(), QListView()
        self.field.setPlaceholderText(tr("Find a command in English or Japanese"))
        self.field.setAccessibleName(tr("Find a command"))
        self.field.setClearButtonEnabled(True)
        self.list.setModel(self.model)
        self.list.setUniformItemSizes(True)
        PaletteDelegate(themes, self.list)
        self.list.setAccessibleName(tr("Commands"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFocusProxy(self.field)
        SearchKeys(self.field, self.list, self._choose)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self._nothing = styled(QLabel(tr("No command has these letters.")), "muted")
        self._lay_out(parent)
        self.field.textChanged.connect(self._on_text_changed)
        self.list.clicked.connect(self._choose)
        self._on_text_changed("")

    def _lay_out(self, window: QWidget) -> None:
        line = self.fontMetrics().height()
        hint = styled(QLabel(tr("↑ ↓ choose · Enter runs · Esc leaves")), "muted")
        parts = (self.field, self._nothing, self.list, hint)
        spaced(QVBoxLayout(self), self, *parts, grows=self.list, across=1 / 2)
        width = min(line * 38, window.width() - line * 2)
        self.resize(width, min(line * 26, window.height() - line * 4))
        self.move(window.mapToGlobal(QPoint((window.width() - width) // 2, line * 3)))

    def _on_text_changed(self, text: str) -> None:
        self.model.set_query(text)
        self._nothing.setVisible(self.model.rowCount() == 0)
        self.list.setCurrentIndex(self.model.index(0, 0))

    def _choose(self, index: QModelIndex) -> None:
        command = index.data(COMMAND_ROLE) if index.isValid() else None
        if isinstance(command, PaletteCommand):
            self.close()
            self.commandChosen.emit(command)


def open_palette(
    window: QMainWindow, menus: Menus, workspace: "Workspace | None", services: Services
) -> CommandPalette:
    """Opens the palette over `window`; the selected command is run and remembered."""
    commands = [
        *commands_of_pages(workspace, services.keys.keys),
        *commands_of_menus(window, menus),
    ]
    file = services.settings
    palette = CommandPalette(commands, file.settings.recent_commands, services.themes, window)
    focused = QApplication.focusWidget()

    def run(command: PaletteCommand) -> None:
        file.change(file.settings.with_recent_command(command.id))
        if focused is not None:
            focused.setFocus()
        command.run()

    palette.commandChosen.connect(run)
    palette.open()
    return palette


def commands_of_menus(window: QMainWindow, menus: Menus) -> Iterator[PaletteCommand]:
    """Yields every enabled menu entry, submenus included."""
    english = menus.titles

    def walk(menu: QMenu, path: str, path_id: str) -> Iterator[PaletteCommand]:
        for action in menu.actions():
            submenu = _menu_of(action)
            message = english.get(submenu or action, "")
            title = plain(action.text())
            id = f"{path_id}/{plain(message) or title}"
            if submenu is not None:
                yield from walk(submenu, path_of(path, title), id)
            elif action.isEnabled() and not action.isSeparator():
                names = {plain(text) for text in in_every_language(message)} if message else set()
                yield PaletteCommand(
                    id=id,
                    title=title,
                    group=path,
                    keys=action.shortcut().toString(action.shortcut().SequenceFormat.NativeText),
                    names=(title, *sorted(names - {title}), f"{path} {title}"),
                    run=action.trigger,
                )

    for top in window.menuBar().actions():
        menu = _menu_of(top)
        if menu is not None:
            yield from walk(menu, plain(top.text()), plain(english.get(menu, "")))


def commands_of_pages(workspace: "Workspace | None", keys: KeyMap) -> Iterator[PaletteCommand]:
    """Yields every page's commands; running one shows its page."""
    if workspace is None:
        return
    # What the window can do everywhere is offered once, among the entries of its menus.
    everywhere = {command.name for command in WINDOW_COMMANDS}
    ranks = dict(zip(RANKS, workspace.annotate.annotation.ranks, strict=False))
    for page in PAGES:
        # The nine digits come last, as obvious.
        for command in sorted(
            page.commands, key=(*CANDIDATES, *EXCHANGES, *BEGINNINGS).__contains__
        ):
            if command.name in everywhere or (command in RANKS and command not in ranks):
                continue
            rank = ranks.get(command)
            title = tr("Rank {rank}", rank=rank) if rank else command.name
            yield PaletteCommand(
                id=f"annotate/{command.id}" if page.id == "annotate" else command.id,
                title=title,
                group=path_of(page.name, tr(command.group)),
                keys=keys.text(command.id),
                names=(title, *command.names),
                run=partial(workspace.run_on_page, page.id, command.id),
            )


def _menu_of(action: QAction) -> QMenu | None:
    menu = action.menu()
    return menu if isinstance(menu, QMenu) else None
