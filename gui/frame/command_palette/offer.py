"""What the palette offers: each entry of the menus, each command of the open page."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu

from awase.gui.frame.command_palette.dialog import CommandPalette
from awase.gui.frame.command_palette.model import PaletteCommand
from awase.gui.frame.menus import Menus
from awase.gui.kit.texts.i18n import in_every_language, tr
from awase.gui.pages.annotate.command_names import command_name, command_names
from awase.gui.pages.annotate.commands_table import CANDIDATE_IDS, GROUPS, RANK_IDS
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.services import Services

if TYPE_CHECKING:
    from awase.gui.frame.workspace import Workspace

_OF_MENUS = ("undo", "redo")
"""Commands of the page that the menus have, too, and say more about."""


def open_palette(
    window: QMainWindow, menus: Menus, workspace: "Workspace | None", services: Services
) -> CommandPalette:
    """Shows the palette over `window`; what is chosen is run and remembered."""
    commands = [*commands_of_page(workspace), *commands_of_menus(window, menus)]
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
    """Yields every entry of the menu bar that can be chosen now, those of submenus, too."""
    english = menus.english_titles()

    def walk(menu: QMenu, path: str, path_id: str) -> Iterator[PaletteCommand]:
        for action in menu.actions():
            submenu = _menu_of(action)
            message = english.get(submenu or action, "")
            title = _plain(action.text())
            id = f"{path_id}/{_plain(message) or title}"
            if submenu is not None:
                yield from walk(submenu, f"{path} › {title}", id)
            elif action.isEnabled() and not action.isSeparator():
                names = {_plain(text) for text in in_every_language(message)} if message else set()
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
            yield from walk(menu, _plain(top.text()), _plain(english.get(menu, "")))


def commands_of_page(workspace: "Workspace | None") -> Iterator[PaletteCommand]:
    """Yields every command of the Annotate page; running one shows the page."""
    page = workspace.page("annotate") if workspace is not None else None
    if workspace is None or not isinstance(page, AnnotatePage):
        return
    ranks = dict(zip(RANK_IDS, page.desk.ranks, strict=False))
    group_by_command = {
        command: group for group, texts in GROUPS for text in texts for command in text.ids
    }
    # The nine digits are known to whoever reads this list; they come last.
    for command, group in sorted(
        group_by_command.items(), key=lambda item: item[0] in CANDIDATE_IDS
    ):
        if command in _OF_MENUS or (command in RANK_IDS and command not in ranks):
            continue
        rank = ranks.get(command)
        title = tr("Rank {rank}", rank=rank) if rank else command_name(command)
        yield PaletteCommand(
            id=f"annotate/{command}",
            title=title,
            group=f"{tr('Annotate')} › {tr(group)}",
            keys=page.keys.text(command),
            names=(title, *command_names(command)),
            run=_run_on_page(workspace, page.commands[command]),
        )


def _run_on_page(workspace: "Workspace", command: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        if not workspace.page("annotate").isVisible():
            workspace.show_page("annotate")
        command()

    return run


def _menu_of(action: QAction) -> QMenu | None:
    menu = action.menu()
    return menu if isinstance(menu, QMenu) else None


def _plain(title: str) -> str:
    """Returns a menu's text without mnemonic and dots: 開く(&O)… is 開く."""
    return re.sub(r"\(&\w\)", "", title).replace("&", "").removesuffix("…")
