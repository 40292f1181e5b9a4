"""The Annotate page: every command of it; what they do is in `AnnotatePage._all_commands`."""

from collections.abc import Callable, Iterable
from typing import Final

from awase.gui.kit.commands import Command, Need, in_group, shifted_digit
from awase.gui.kit.i18n import mark

N_DIGITS: Final = 9  # how many candidates have a digit

N_RANK_KEYS: Final = 6  # how many ranks can have a key

_LINK: Final = mark("Link")
_SENTENCE: Final = mark("Sentence")
_ROWS: Final = mark("Next or previous row")
_ALTERNATIVES: Final = mark("Previous or next alternative")
_SENTENCES: Final = mark("Previous or next sentence")
_ABSTRACTS: Final = mark("Previous or next abstract")
_PLACES: Final = mark("Previous or next place found")


def _command(id: str, title: str, *keys: str, **more: str | int) -> Command:
    """Returns a command that the page's `commands` run."""
    # The page is not typed: it imports this module.
    return Command(id, title, keys, run=lambda page: page.commands[id](), **more)  # type: ignore[arg-type]


def _numbered(
    group: str,
    name: str,
    title: str,
    together: str,
    keys_of: Callable[[int], Iterable[str]],
    n: int = N_DIGITS,
) -> tuple[Command, ...]:
    """Returns a command for each number from 1, explained together in the key sheet."""
    return in_group(
        group,
        *(
            _command(f"{name}-{at}", title, *keys_of(at), number=at, together=together)
            for at in range(1, n + 1)
        ),
    )


CANDIDATES: Final = _numbered(
    _LINK,
    "candidate",
    mark("Link or unlink candidate {n}"),
    mark("Link or unlink this candidate"),
    lambda digit: (str(digit),),
)
EXCHANGES: Final = _numbered(
    _LINK,
    "exchange",
    mark("Further alternative: candidate {n} for the sentence linked last"),
    mark("Further alternative: this candidate for the sentence linked last"),
    shifted_digit,
)
BEGINNINGS: Final = _numbered(
    _LINK,
    "begin-with",
    mark("New alternative: begin it with candidate {n}"),
    mark("New alternative: begin it with this candidate"),
    lambda digit: (f"Ctrl+Shift+{digit}",),
)
RANKS: Final = _numbered(
    _SENTENCE,
    "rank",
    mark("Rank number {n}"),
    mark("Rank"),
    lambda number: (*"ABC"[number - 1 : number], f"Alt+{number}"),
    N_RANK_KEYS,
)
LINKING: Final = in_group(
    _LINK,
    *CANDIDATES,
    *EXCHANGES,
    *BEGINNINGS,
    _command("row-down", mark("Next row"), "Down", "J", together=_ROWS),
    _command("row-up", mark("Previous row"), "Up", "K", together=_ROWS),
    _command("toggle-row", mark("Link or unlink the current row"), "Space"),
    _command("new-alternative", mark("Begin a new alternative"), "N"),
    _command("previous-alternative", mark("Previous alternative"), "[", together=_ALTERNATIVES),
    _command("next-alternative", mark("Next alternative"), "]", together=_ALTERNATIVES),
    _command("add-duplicates", mark("Add near-duplicates as alternatives"), "D"),
    _command("remove-alternative", mark("Remove the current alternative"), "Delete", "Backspace"),
    _command("take-suggestion", mark("Accept the suggestion, confirm and go on"), "Y"),
    _command("take-suggestion-and-stay", mark("Accept the suggestion and stay"), "Shift+Y"),
    _command("next-candidates", mark("Move the digits to the next candidates"), "."),
    _command("whole-texts", mark("Shorten candidates to what matches, or show them in full"), "W"),
    _command("peek", mark("Show the sentences around the current one while held"), "P"),
    _command("rank-anew", mark("Rank the candidates again"), "R"),
)
SETTLING: Final = in_group(
    _SENTENCE,
    _command("confirm", mark("Confirm and go to the next incomplete sentence"), "Return", "Enter"),
    _command("no-source", mark("No source"), "U"),
    *RANKS,
    _command("no-rank", mark("No rank"), "0"),
    _command("flag", mark("Flag for another look"), "F"),
    _command("note", mark("Write a note"), "M"),
)
GOING: Final = in_group(
    mark("Go"),
    _command(
        "previous-sentence", mark("Previous sentence"), "Left", "Ctrl+Up", together=_SENTENCES
    ),
    _command("next-sentence", mark("Next sentence"), "Right", "Ctrl+Down", together=_SENTENCES),
    _command("next-incomplete", mark("Next incomplete sentence of the corpus"), "I"),
    _command("next-filter", mark("Filter the abstract's sentences"), "G"),
    _command("previous-abstract", mark("Previous abstract"), "Ctrl+PgUp", together=_ABSTRACTS),
    _command("next-abstract", mark("Next abstract"), "Ctrl+PgDown", together=_ABSTRACTS),
    _command("find", mark("Find in the topic"), "/"),
    _command("find-previous", mark("Previous place found"), "Shift+F3", together=_PLACES),
    _command("find-next", mark("Next place found"), "F3", together=_PLACES),
    _command("end-find", mark("End finding"), "Esc"),
    _command("switch-sources", mark("Candidates or documents"), "V"),
    _command("next-system", mark("Next system"), "S"),
    _command("show-others", mark("Show or hide other annotators' work"), "O"),
    _command("guidelines", mark("Show or hide the guidelines"), "H"),
)


def editing(what: str, title: str, *keys: str) -> Command:
    """Returns a command of the window that edits the corpus at the position on this page."""
    return Command(
        f"menu:edit:{what}",
        title,
        keys,
        needs=Need.WRITING,
        run=lambda window: window.shown.edit(f"edit:{what}"),
    )


# In the menu *Corpus*, and in this page's own.
EDIT_TEXT: Final = editing("text", mark("Edit the &text of the sentence"), "F2")
EDIT_ABSTRACTS: Final = (
    editing("new-abstract", mark("&Write an abstract…")),
    editing("abstract", mark("&Edit the abstract…"), "Shift+F2"),
    editing("remove-abstract", mark("Remove the a&bstract…")),
)
EDIT_DOCUMENTS: Final = (
    editing("new-document", mark("&Add a document…")),
    editing("document", mark("&Split the document again…")),
    editing("remove-document", mark("Re&move the document…")),
)
# Every command of the page, in display order; what they do is in `AnnotatePage._all_commands`.
ANNOTATE_COMMANDS: Final = (*LINKING, *SETTLING, *GOING)

BY_ID: Final = {command.id: command for command in ANNOTATE_COMMANDS}
