"""Stretches of a text marked as rich text."""

from collections.abc import Sequence
from html import escape

from awase.core.text.text_search import Span
from awase.gui.kit.look.theme import Theme


def marked(text: str, spans: Sequence[Span], theme: Theme) -> str:
    """Returns the text as HTML with what is common behind a colour and underlined."""
    parts: list[str] = []
    at = 0
    style = f"background-color:{theme.colours.highlight_match}; text-decoration:underline"
    for start, end in spans:
        parts.append(escape(text[at:start]))
        parts.append(f'<span style="{style}">{escape(text[start:end])}</span>')
        at = end
    return "".join(parts) + escape(text[at:])
