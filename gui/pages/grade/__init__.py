"""The Grade page: compose an extract by hand, with live grades."""

from typing import Final

from awase.gui.kit.commands import ENTER_KEYS, Command, in_group
from awase.gui.kit.i18n import mark
from awase.gui.kit.number_explanation import why_command
from awase.gui.session.pages import NO_ABSTRACTS, NO_TEXTS, NOTHING_LINKED, Page, calling


def _moving(id: str, title: str, key: str, by: int) -> Command:
    together = mark("Move the sentence up or down")
    return calling(id, title, "move_current", key, numbers=(by,), together=together)


PAGE: Final = Page(
    id="grade",
    title=mark("&Grade"),
    keys=("Ctrl+3",),
    needs=(NO_TEXTS, NO_ABSTRACTS, NOTHING_LINKED),
    commands=in_group(
        mark("The extract"),
        why_command("grade"),
        calling(
            "grade:toggle",
            mark("Add or remove the sentence"),
            "toggle_current",
            "Space",
            *ENTER_KEYS,
        ),
        calling("grade:add-best", mark("Add the sentence that adds most"), "add_best", "N"),
        _moving("grade:move-up", mark("Move the sentence up"), "[", -1),
        _moving("grade:move-down", mark("Move the sentence down"), "]", 1),
        calling("grade:paste", mark("Use the sentences named in the clipboard"), "paste", "Ctrl+V"),
    ),
)
