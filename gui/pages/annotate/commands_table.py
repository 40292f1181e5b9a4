"""Every command of the page: what it is called, in which group it is explained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.annotate.desk.desk import DIGITS


@dataclass(frozen=True, slots=True)
class CommandText:
    """What people read about a command.

    Attributes:
        ids: Ids in the key bindings; a group such as the nine digits is explained as one.
        title: English message.
    """

    ids: tuple[str, ...]
    title: str


CANDIDATE_IDS: Final = tuple(f"candidate-{digit}" for digit in range(1, DIGITS + 1))
MOST_RANK_KEYS: Final = 6
RANK_IDS: Final = tuple(f"rank-{position}" for position in range(1, MOST_RANK_KEYS + 1))

GROUPS: Final[Sequence[tuple[str, Sequence[CommandText]]]] = (
    (
        mark("Link"),
        (
            CommandText(CANDIDATE_IDS, mark("Link or unlink this candidate")),
            CommandText(("row-down", "row-up"), mark("Next or previous row")),
            CommandText(("toggle-row",), mark("Link or unlink the current row")),
            CommandText(("new-alternative",), mark("Begin a new alternative")),
            CommandText(
                ("previous-alternative", "next-alternative"),
                mark("Previous or next alternative"),
            ),
            CommandText(("add-duplicates",), mark("Add near-duplicates as alternatives")),
            CommandText(("remove-alternative",), mark("Remove the current alternative")),
            CommandText(("rank-anew",), mark("Rank the candidates anew")),
        ),
    ),
    (
        mark("Sentence"),
        (
            CommandText(("confirm",), mark("Confirm and go to the next incomplete sentence")),
            CommandText(("no-source",), mark("No source")),
            CommandText(RANK_IDS, mark("Rank")),
            CommandText(("no-rank",), mark("No rank")),
            CommandText(("flag",), mark("Flag for another look")),
            CommandText(("note",), mark("Write a note")),
            CommandText(("undo", "redo"), mark("Undo or redo")),
        ),
    ),
    (
        mark("Go"),
        (
            CommandText(("previous-sentence", "next-sentence"), mark("Previous or next sentence")),
            CommandText(("next-incomplete",), mark("Next incomplete sentence of the corpus")),
            CommandText(("next-filter",), mark("Filter the abstract's sentences")),
            CommandText(("previous-abstract", "next-abstract"), mark("Previous or next abstract")),
            CommandText(("find",), mark("Find in the topic")),
            CommandText(("find-previous", "find-next"), mark("Previous or next place found")),
            CommandText(("end-find",), mark("End finding")),
            CommandText(("switch-sources",), mark("Candidates or documents")),
            CommandText(("next-system",), mark("Next system")),
            CommandText(("show-others",), mark("Show or hide what other annotators did")),
            CommandText(("guidelines",), mark("Show or hide the guidelines")),
            CommandText(("next-pane", "previous-pane"), mark("Next or previous pane")),
            CommandText(("show-keys",), mark("Show the keys")),
        ),
    ),
)
"""Groups of commands in the order in which they are explained."""

TITLE_BY_ID: Final[Mapping[str, str]] = {
    command: text.title for _, texts in GROUPS for text in texts for command in text.ids
}
"""Command id to its English title."""
