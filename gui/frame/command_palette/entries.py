"""Entries of the palette: menus and commands of the open page."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu

from awase.gui.frame.command_palette.dialog import CommandPalette
from awase.gui.frame.command_palette.model import PaletteCommand
from awase.gui.frame.commands import WINDOW_COMMANDS
from awase.gui.frame.menus import Menus
from awase.gui.frame.pages import PAGES
from awase.gui.kit.commands.command import path_of, plain
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.i18n import in_every_language, tr
from awase.gui.pages.annotate.commands import BEGINNINGS, CANDIDATES, EXCHANGES, RANKS
from awase.gui.session.services import Services

if TYPE_CHECKING:
    from awase.gui.frame.workspace import Workspace


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
    english = menus.english_titles()

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
        # The nine digits are known to whoever reads this list; they come last.
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
