"""Actions that show a dialog over the open corpus."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, cast

IMPORT: Final = "dialogs.transfer.import_dialog:ImportDialog"
TAKE_BACK: Final = "dialogs.team.take_back:TakeBackDialog"


@dataclass(frozen=True, slots=True)
class ShowDialog:
    """Shows a dialog; the tests that hold of every dialog find it in the command."""

    # `module:class` below `awase.gui`; made of the session, the services and a parent. What may
    # fail has a signal `failed` of a headline and an error.
    dialog: str

    # Any: the window, which this module cannot know.
    def __call__(self, window: Any) -> None:  # noqa: ANN401
        window.dialogs.show(self.dialog, window.shown.session)


# Any: dialogs share how they are made and some of what they do, and no base of their own.
def dialog_class(dialog: str) -> Callable[..., Any]:
    """Returns the class that `module:class` below `awase.gui` names."""
    module, name = dialog.split(":")
    return cast(Callable[..., Any], getattr(import_module(f"awase.gui.{module}"), name))
