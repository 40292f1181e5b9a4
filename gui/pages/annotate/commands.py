"""The Annotate page: every command of it."""

from functools import partial
from typing import Any, Final

from awase.gui.kit.commands import Command, in_group, shifted_digit
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


# The page is not typed: it imports this module.
def _toggle_candidate(idx: int, page: Any) -> None:  # noqa: ANN401
    page.annotation_actions.toggle_candidate(idx)


def _exchange_candidate(idx: int, page: Any) -> None:  # noqa: ANN401
    page.annotation_actions.exchange_candidate(idx)


def _begin_with_candidate(idx: int, page: Any) -> None:  # noqa: ANN401
    page.annotation_actions.begin_with_candidate(idx)


def _set_rank(position: int, page: Any) -> None:  # noqa: ANN401
    page.annotation_actions.set_rank(position)


CANDIDATES: Final = tuple(
    Command(
        id=f"candidate-{digit}",
        title=mark("Link or unlink candidate {n}"),
        number=digit,
        keys=(str(digit),),
        group=_LINK,
        together=mark("Link or unlink this candidate"),
        run=partial(_toggle_candidate, digit - 1),
    )
    for digit in range(1, N_DIGITS + 1)
)
EXCHANGES: Final = tuple(
    Command(
        id=f"exchange-{digit}",
        title=mark("Further alternative: candidate {n} for the sentence linked last"),
        number=digit,
        keys=shifted_digit(digit),
        group=_LINK,
        together=mark("Further alternative: this candidate for the sentence linked last"),
        run=partial(_exchange_candidate, digit - 1),
    )
    for digit in range(1, N_DIGITS + 1)
)
BEGINNINGS: Final = tuple(
    Command(
        id=f"begin-with-{digit}",
        title=mark("New alternative: begin it with candidate {n}"),
        number=digit,
        keys=(f"Ctrl+Shift+{digit}",),
        group=_LINK,
        together=mark("New alternative: begin it with this candidate"),
        run=partial(_begin_with_candidate, digit - 1),
    )
    for digit in range(1, N_DIGITS + 1)
)
RANKS: Final = tuple(
    Command(
        id=f"rank-{number}",
        title=mark("Rank number {n}"),
        number=number,
        keys=(*letter, f"Alt+{number}"),
        group=_SENTENCE,
        together=mark("Rank"),
        run=partial(_set_rank, number - 1),
    )
    for number, letter in enumerate(("A", "B", "C", "", "", "")[:N_RANK_KEYS], start=1)
)
LINKING: Final = in_group(
    _LINK,
    *CANDIDATES,
    *EXCHANGES,
    *BEGINNINGS,
    Command(
        id="row-down",
        title=mark("Next row"),
        keys=("Down", "J"),
        together=_ROWS,
        run=lambda page: page.step_row(1),
    ),
    Command(
        id="row-up",
        title=mark("Previous row"),
        keys=("Up", "K"),
        together=_ROWS,
        run=lambda page: page.step_row(-1),
    ),
    Command(
        id="toggle-row",
        title=mark("Link or unlink the current row"),
        keys=("Space",),
        run=lambda page: page.toggle_row(),
    ),
    Command(
        id="new-alternative",
        title=mark("Begin a new alternative"),
        keys=("N",),
        run=lambda page: page.annotation_actions.begin_alternative(),
    ),
    Command(
        id="previous-alternative",
        title=mark("Previous alternative"),
        keys=("[",),
        together=_ALTERNATIVES,
        run=lambda page: page.annotation.step_alternative(-1),
    ),
    Command(
        id="next-alternative",
        title=mark("Next alternative"),
        keys=("]",),
        together=_ALTERNATIVES,
        run=lambda page: page.annotation.step_alternative(1),
    ),
    Command(
        id="add-duplicates",
        title=mark("Add near-duplicates as alternatives"),
        keys=("D",),
        run=lambda page: page.annotation_actions.add_duplicates(),
    ),
    Command(
        id="remove-alternative",
        title=mark("Remove the current alternative"),
        keys=("Delete", "Backspace"),
        run=lambda page: page.annotation_actions.remove_alternative(
            page.annotation.alternative_idx
        ),
    ),
    Command(
        id="take-suggestion",
        title=mark("Take the suggestion, confirm and go on"),
        keys=("Y",),
        run=lambda page: page.annotation_actions.take_suggestion(stays=False),
    ),
    Command(
        id="take-suggestion-and-stay",
        title=mark("Take the suggestion and stay"),
        keys=("Shift+Y",),
        run=lambda page: page.annotation_actions.take_suggestion(stays=True),
    ),
    Command(
        id="next-candidates",
        title=mark("Give the digits to the next candidates"),
        keys=(".",),
        run=lambda page: page.centre.show_next_candidates(),
    ),
    Command(
        id="whole-texts",
        title=mark("Fold candidates around what matches, or show them whole"),
        keys=("W",),
        run=lambda page: page.centre.toggle_folding(),
    ),
    Command(
        id="peek",
        title=mark("Show the sentences around the current one while held"),
        keys=("P",),
        run=lambda page: page.centre.peek(),
    ),
    Command(
        id="rank-anew",
        title=mark("Rank the candidates anew"),
        keys=("R",),
        run=lambda page: page.annotation.rank_anew(),
    ),
)
SETTLING: Final = in_group(
    _SENTENCE,
    Command(
        id="confirm",
        title=mark("Confirm and go to the next incomplete sentence"),
        keys=("Return", "Enter"),
        run=lambda page: page.annotation_actions.confirm(),
    ),
    Command(
        id="no-source",
        title=mark("No source"),
        keys=("U",),
        run=lambda page: page.annotation_actions.toggle_no_source(),
    ),
    *RANKS,
    Command(
        id="no-rank",
        title=mark("No rank"),
        keys=("0",),
        run=lambda page: page.annotation_actions.set_rank(-1),
    ),
    Command(
        id="flag",
        title=mark("Flag for another look"),
        keys=("F",),
        run=lambda page: page.annotation_actions.toggle_flag(),
    ),
    Command(
        id="note",
        title=mark("Write a note"),
        keys=("M",),
        run=lambda page: page.alternatives.note.setFocus(),
    ),
)
GOING: Final = in_group(
    mark("Go"),
    Command(
        id="previous-sentence",
        title=mark("Previous sentence"),
        keys=("Left", "Ctrl+Up"),
        together=_SENTENCES,
        run=lambda page: page.abstract.step(-1),
    ),
    Command(
        id="next-sentence",
        title=mark("Next sentence"),
        keys=("Right", "Ctrl+Down"),
        together=_SENTENCES,
        run=lambda page: page.abstract.step(1),
    ),
    Command(
        id="next-incomplete",
        title=mark("Next incomplete sentence of the corpus"),
        keys=("I",),
        run=lambda page: page.annotation_actions.go_to_next_incomplete(),
    ),
    Command(
        id="next-filter",
        title=mark("Filter the abstract's sentences"),
        keys=("G",),
        run=lambda page: page.abstract.filter.step(1),
    ),
    Command(
        id="previous-abstract",
        title=mark("Previous abstract"),
        keys=("Ctrl+PgUp",),
        together=_ABSTRACTS,
        run=lambda page: page.annotation.step_abstract(-1),
    ),
    Command(
        id="next-abstract",
        title=mark("Next abstract"),
        keys=("Ctrl+PgDown",),
        together=_ABSTRACTS,
        run=lambda page: page.annotation.step_abstract(1),
    ),
    Command(
        id="find",
        title=mark("Find in the topic"),
        keys=("/",),
        run=lambda page: page.topic_find.begin(),
    ),
    Command(
        id="find-previous",
        title=mark("Previous place found"),
        keys=("Shift+F3",),
        together=_PLACES,
        run=lambda page: page.topic_find.step(-1),
    ),
    Command(
        id="find-next",
        title=mark("Next place found"),
        keys=("F3",),
        together=_PLACES,
        run=lambda page: page.topic_find.step(1),
    ),
    Command(
        id="end-find",
        title=mark("End finding"),
        keys=("Esc",),
        run=lambda page: page.topic_find.end(),
    ),
    Command(
        id="switch-sources",
        title=mark("Candidates or documents"),
        keys=("V",),
        run=lambda page: page.centre.switch(),
    ),
    Command(
        id="next-system",
        title=mark("Next system"),
        keys=("S",),
        run=lambda page: page.strip.next_system(),
    ),
    Command(
        id="show-others",
        title=mark("Show or hide what other annotators did"),
        keys=("O",),
        run=lambda page: page.annotation.toggle_others(),
    ),
    Command(
        id="guidelines",
        title=mark("Show or hide the guidelines"),
        keys=("H",),
        run=lambda page: page.toggle_guidelines(),
    ),
)
# Every command of the page, in display order.
ANNOTATE_COMMANDS: Final = (*LINKING, *SETTLING, *GOING)

BY_ID: Final = {command.id: command for command in ANNOTATE_COMMANDS}
