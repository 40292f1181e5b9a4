"""Roles of the page's models."""

from enum import IntEnum, auto

from PySide6.QtCore import Qt


class AbstractRole(IntEnum):
    """About an abstract sentence."""

    NUMBER = Qt.ItemDataRole.UserRole + 1
    RANK = auto()
    RANK_POSITION = auto()
    STATE = auto()
    N_ALTERNATIVES = auto()
    HAS_NOTE = auto()
    SHARES = auto()
    SPANS = auto()


class SourceRole(IntEnum):
    """About a source sentence, or the document above it."""

    REF = Qt.ItemDataRole.UserRole + 1
    LABEL = auto()
    DIGIT = auto()
    IS_LINKED = auto()
    OTHERS = auto()
    USED_BY = auto()
    LIKE = auto()
    SPANS = auto()
    IS_DOCUMENT = auto()
    ABOUT = auto()


class AlternativeRole(IntEnum):
    """About an alternative."""

    MEMBERS = Qt.ItemDataRole.UserRole + 1
    IS_CURRENT = auto()
    WARNING = auto()
