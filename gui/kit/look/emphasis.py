"""Bold text, where fonts have a bold face.

Many Japanese fonts have none. Qt then thickens the regular one by a length of the requested font
size, not of a scaled painter's: 書 becomes a blob. Such text keeps its weight: headings are a step
larger, marked words have a band behind them.
"""

from functools import lru_cache

from PySide6.QtGui import QFont, QFontDatabase, QTextLayout


def has_bold_face(font: QFont, text: str) -> bool:
    """Returns whether each font that draws `text` for `font` has a bold face."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return all(_is_family_with_bold(run.rawFont().familyName()) for run in layout.glyphRuns())


@lru_cache(maxsize=64)
def _is_family_with_bold(family: str) -> bool:
    styles = QFontDatabase.styles(family)
    # A system may draw with a family that it does not list; then it knows what is bold of it.
    return not styles or any(QFontDatabase.bold(family, style) for style in styles)
