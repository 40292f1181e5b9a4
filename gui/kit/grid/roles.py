"""What the cells of a table tell beside what Qt asks of every model."""

from enum import IntEnum

from PySide6.QtCore import Qt


class GridRole(IntEnum):
    """Roles beside Qt's own."""

    SORT = Qt.ItemDataRole.UserRole
    SHADE = Qt.ItemDataRole.UserRole + 1
    """How dark the cell is drawn, 0 to 1; None = as the rest of the row."""
    ROW = Qt.ItemDataRole.UserRole + 2
    """Number of the row in what was given to `show`."""
    PLAIN = Qt.ItemDataRole.UserRole + 3
    """The text as programs read it: a hyphen is a minus."""
    IS_NUMBER = Qt.ItemDataRole.UserRole + 4
    """Whether the cell holds a number, or says that there is none."""
    OWN = Qt.ItemDataRole.UserRole + 8
    """The first role that is free for models with more to say."""
