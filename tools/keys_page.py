"""Writes docs/keys.md from the commands of the program: `python tools/keys_page.py`."""

import sys
from collections.abc import Iterable
from pathlib import Path

from awase.gui.frame.commands import PAGES, WINDOW_COMMANDS, default_bindings
from awase.gui.kit.commands import Command, plain
from awase.gui.kit.keys import KeyMap

PAGE = Path(__file__).resolve().parent.parent / "docs" / "keys.md"

HEAD = """\
# Keys

Every key can be changed, those of the menus, too: *View → Settings → Keys*. Select a command,
press the new key in the field. A key that another command has on the same page, or in the menus,
is refused, and the message names who has it. *Restore this command* and *Restore all* bring back
the keys below. Changes are kept in `keys.json` beside the settings; a line there that makes no
sense is passed over. `?` shows the keys of the page in sight as they are now, `Ctrl+P` or
`Ctrl+K` finds any command by a few letters.

Keys are matched by key, not by the text they make, so they work while a Japanese input method is
on.

*This page is made from the commands of the program (`python tools/keys_page.py`).*
"""
TAIL = """\
## In the find bar

`Return` goes to the next place, `Shift+Return` to the one before; `Ctrl+Return` links the source
sentence found, or unlinks it; `Esc` ends finding. No other key pressed there reaches the
annotation.

## With the mouse

`Ctrl` and a click on a source sentence begins a new alternative with it. A source sentence
dragged onto an alternative joins it; dragged below the last one, it begins another. The *Edit*
button above the panes, and the right button on a sentence, offer what can be edited: the text of
the sentence, and abstracts and documents, whose sentences are split and joined there.
"""


def keys_page() -> str:
    """Returns the whole page, as it is with the keys that the program comes with."""
    keys = KeyMap(default_bindings())
    parts = [HEAD]
    for page in PAGES:
        for group in dict.fromkeys(command.group for command in page.commands):
            commands = [command for command in page.commands if command.group == group]
            parts.append(_table(f"{plain(page.title)}: {group}", commands, keys))
    parts.append("## Menus\n\nEntries without a key can be given one.\n")
    parts.append(_table("", WINDOW_COMMANDS, keys))
    return "\n".join([*parts, TAIL])


def _table(title: str, commands: Iterable[Command], keys: KeyMap) -> str:
    lines = [f"## {title}", ""] if title else []
    lines += ["| key | command | コマンド |", "|---|---|---|"]
    for command in commands:
        portable = keys.portable(command.id)
        if portable:
            english, *others = command.names
            before = f"{plain(command.menu)} → " if command.menu else ""
            shown = " ".join(f"`{key}`" for key in portable)
            lines.append(f"| {shown} | {before}{english} | {(others or [english])[0]} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(keys_page(), "utf-8")
    sys.exit(0)
