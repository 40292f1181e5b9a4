"""How a screen is brought to rest before it is drawn."""

from PySide6.QtWidgets import QWidget

from awase.gui.main_screens import settle, wait
from awase.gui.session.settings import Services


def come_to_rest(services: Services) -> None:
    """Returns when no job is at work."""
    settle()
    wait(lambda: not services.jobs.is_busy)


def opened(dialog: QWidget) -> QWidget:
    """Returns the dialog, shown."""
    dialog.show()
    return dialog
