"""Keys as help and tour name them, in Markdown."""

import re

from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.i18n import tr

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#])")


def key_in_markdown(command: str, keys: KeyMap) -> str:
    """Returns the first key of `command` as Markdown; in words when it has none."""
    text = keys.text(command)
    return f"**{escaped(text)}**" if text else tr("(no key)")


def escaped(text: str) -> str:
    """Escapes Markdown."""
    return _MARKDOWN.sub(r"\\\1", text)
