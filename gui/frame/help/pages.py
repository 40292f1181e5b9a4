"""The pages of the help, with the keys as they are bound and the messages as they are worded.

A page is Markdown under resources/help. `{{key:ID}}` stands for the keys of a command, `{{say:…}}`
for a message of the window in its language, `{{keys}}` for the table of all keys, `{{steps}}` for
the steps of the tour.
"""

import re
from importlib.resources import files
from typing import Final

from awase.core.errors import Problem
from awase.gui.frame.commands import WINDOW_COMMANDS
from awase.gui.frame.pages import PAGES as PAGES_OF_THE_WINDOW
from awase.gui.frame.tour.steps import STEPS
from awase.gui.kit.commands.command import Command, path_of
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.keys.markdown import escaped, key_in_markdown
from awase.gui.kit.texts.i18n import listed, tr, what_of

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
    """Returns a message as the window words it, with dots for what its fields will hold."""
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
