"""What a command is called in the list of keys: those of the page, and the menus' entries."""

import re

from awase.gui.frame.menus import KEYS_OF_MENUS, entry_of
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.annotate.command_names import command_name


def name_of(command: str) -> str:
    """Returns what a command of the key bindings is called, in the window's language."""
    if not command.startswith(KEYS_OF_MENUS):
        return command_name(command)
    menu, entry = entry_of(command)
    return f"{_plain(tr(menu))} › {_plain(tr(entry))}"


def _plain(title: str) -> str:
    """Returns a menu's text without mnemonic and dots."""
    return re.sub(r"\(&\w\)", "", title).replace("&", "").removesuffix("…")
