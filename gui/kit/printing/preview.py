"""What Qt's own preview of pages lacks: its icons are of one size, whatever that of the letters."""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget

_ICON: Final = 1.4
"""Side of an icon, in heights of a line, as in the rail."""
_AS_DRAWN: Final = 32
"""The largest that Qt has of each; an icon is never made larger than that by itself."""


def grow_icons(dialog: QWidget) -> None:
    """Makes the icons of the dialog's tool bars as large as the letters want them."""
    wanted = round(dialog.fontMetrics().height() * _ICON)
    for bar in dialog.findChildren(QToolBar):
        side = max(wanted, bar.iconSize().height())
        bar.setIconSize(QSize(side, side))
        for action in bar.actions():
            if side > _AS_DRAWN and not action.icon().isNull():
                action.setIcon(_grown(action.icon(), side))
        for button in bar.findChildren(QToolButton):
            button.setIconSize(bar.iconSize())  # what holds two of them does not follow the bar


def _grown(icon: QIcon, side: int) -> QIcon:
    drawn = icon.pixmap(QSize(_AS_DRAWN, _AS_DRAWN))
    smooth = Qt.TransformationMode.SmoothTransformation
    return QIcon(drawn.scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio, smooth))
