"""Icons of Qt's print preview, in the theme's colours and size."""

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget

from awase.gui.kit.look.icons import icon
from awase.gui.kit.look.theme import Theme

_ICON: Final = 1.4  # side of an icon, in heights of a line, as in the rail
# In the order of Qt's actions, most of which have no name but one in the window's language.
_ICONS: Final = (
    "fit-width", "fit-page", "zoom-out", "zoom-in", "portrait", "landscape", "first", "previous",
    "next", "last", "single", "facing", "overview", "setup", "print",
)  # fmt: skip


def give_icons(dialog: QWidget, theme: Theme) -> None:
    bars = dialog.findChildren(QToolBar)
    actions = [one for bar in bars for one in bar.actions() if not one.icon().isNull()]
    if len(actions) == len(_ICONS):  # or Qt has others than it had, with icons of its own
        for action, name in zip(actions, _ICONS, strict=True):
            action.setIcon(icon(f"pages/{name}", theme))
    wanted = round(dialog.fontMetrics().height() * _ICON)
    for bar in bars:
        side = max(wanted, bar.iconSize().height())
        bar.setIconSize(QSize(side, side))
        for button in bar.findChildren(QToolButton):
            button.setIconSize(bar.iconSize())  # what holds two of them does not follow the bar
