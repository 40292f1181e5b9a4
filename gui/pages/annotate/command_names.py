"""What each single command of the page is called where it stands alone, as in the palette."""

from collections.abc import Mapping
from typing import Final

from awase.gui.kit.texts.i18n import in_every_language, mark, tr
from awase.gui.pages.annotate.commands_table import CANDIDATE_IDS, RANK_IDS

_NAMES: Final[Mapping[str, str]] = {
    "row-down": mark("Next row"),
    "row-up": mark("Previous row"),
    "toggle-row": mark("Link or unlink the current row"),
    "new-alternative": mark("Begin a new alternative"),
    "next-alternative": mark("Next alternative"),
    "previous-alternative": mark("Previous alternative"),
    "add-duplicates": mark("Add near-duplicates as alternatives"),
    "remove-alternative": mark("Remove the current alternative"),
    "rank-anew": mark("Rank the candidates anew"),
    "confirm": mark("Confirm and go to the next incomplete sentence"),
    "no-source": mark("No source"),
    "no-rank": mark("No rank"),
    "flag": mark("Flag for another look"),
    "note": mark("Write a note"),
    "undo": mark("Undo"),
    "redo": mark("Redo"),
    "next-sentence": mark("Next sentence"),
    "previous-sentence": mark("Previous sentence"),
    "next-incomplete": mark("Next incomplete sentence of the corpus"),
    "next-filter": mark("Filter the abstract's sentences"),
    "next-abstract": mark("Next abstract"),
    "previous-abstract": mark("Previous abstract"),
    "find": mark("Find in the topic"),
    "find-next": mark("Next place found"),
    "find-previous": mark("Previous place found"),
    "end-find": mark("End finding"),
    "switch-sources": mark("Candidates or documents"),
    "next-system": mark("Next system"),
    "show-others": mark("Show or hide what other annotators did"),
    "guidelines": mark("Show or hide the guidelines"),
    "next-pane": mark("Next pane"),
    "previous-pane": mark("Previous pane"),
    "show-keys": mark("Show the keys"),
}
_NTH_CANDIDATE: Final = mark("Link or unlink candidate {n}")
_NTH_RANK: Final = mark("Rank number {n}")


def command_name(command: str) -> str:
    """Returns what `command` is called, in the window's language."""
    message, n = _message_of(command)
    return tr(message, n=n) if n else tr(message)


def command_names(command: str) -> tuple[str, ...]:
    """Returns what `command` is called in every language, for finding it."""
    message, n = _message_of(command)
    return tuple(text.replace("{n}", str(n)) for text in in_every_language(message))


def _message_of(command: str) -> tuple[str, int]:
    if command in CANDIDATE_IDS:
        return _NTH_CANDIDATE, CANDIDATE_IDS.index(command) + 1
    if command in RANK_IDS:
        return _NTH_RANK, RANK_IDS.index(command) + 1
    return _NAMES[command], 0
