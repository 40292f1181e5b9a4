"""Roles of cells beside Qt's."""

from enum import IntEnum

from PySide6.QtCore import Qt


class GridRole(IntEnum):
    """Roles besides Qt's."""

    SORT = Qt.ItemDataRole.UserRole
    # How dark the cell is drawn, 0 to 1; None = as the rest of the row.
    SHADE = Qt.ItemDataRole.UserRole + 1
    ROW = Qt.ItemDataRole.UserRole + 2  # number of the row in what was given to `show`
    PLAIN = Qt.ItemDataRole.UserRole + 3  # the text as programs read it: a hyphen is a minus
    # Whether the cell holds a number, or says that there is none.
    IS_NUMBER = Qt.ItemDataRole.UserRole + 4
    OWN = Qt.ItemDataRole.UserRole + 8  # the first role that is free for models with more to say
