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
        f"candidate-{digit}",
        mark("Link or unlink candidate {n}"),
        (str(digit),),
        number=digit,
        group=_LINK,
        together=mark("Link or unlink this candidate"),
        run=partial(_toggle_candidate, digit - 1),
    )
    for digit in range(1, N_DIGITS + 1)
)
EXCHANGES: Final = tuple(
    Command(
        f"exchange-{digit}",
        mark("Further alternative: candidate {n} for the sentence linked last"),
        shifted_digit(digit),
        number=digit,
        group=_LINK,
        together=mark("Further alternative: this candidate for the sentence linked last"),
        run=partial(_exchange_candidate, digit - 1),
    )
    for digit in range(1, N_DIGITS + 1)
)
BEGINNINGS: Final = tuple(
    Command(
        f"begin-with-{digit}",
        mark("New alternative: begin it with candidate {n}"),
        (f"Ctrl+Shift+{digit}",),
        number=digit,
        group=_LINK,
        together=mark("New alternative: begin it with this candidate"),
        run=partial(_begin_with_candidate, digit - 1),
    )
    for digit in range(1, N_DIGITS + 1)
)
RANKS: Final = tuple(
    Command(
        f"rank-{number}",
        mark("Rank number {n}"),
        (*letter, f"Alt+{number}"),
        number=number,
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
        "row-down",
        mark("Next row"),
        ("Down", "J"),
        together=_ROWS,
        run=lambda page: page.step_row(1),
    ),
    Command(
        "row-up",
        mark("Previous row"),
        ("Up", "K"),
        together=_ROWS,
        run=lambda page: page.step_row(-1),
    ),
    Command(
        "toggle-row",
        mark("Link or unlink the current row"),
        ("Space",),
        run=lambda page: page.toggle_row(),
    ),
    Command(
        "new-alternative",
        mark("Begin a new alternative"),
        ("N",),
        run=lambda page: page.annotation_actions.begin_alternative(),
    ),
    Command(
        "previous-alternative",
        mark("Previous alternative"),
        ("[",),
        together=_ALTERNATIVES,
        run=lambda page: page.annotation.step_alternative(-1),
    ),
    Command(
        "next-alternative",
        mark("Next alternative"),
        ("]",),
        together=_ALTERNATIVES,
        run=lambda page: page.annotation.step_alternative(1),
    ),
    Command(
        "add-duplicates",
        mark("Add near-duplicates as alternatives"),
        ("D",),
        run=lambda page: page.annotation_actions.add_duplicates(),
    ),
    Command(
        "remove-alternative",
        mark("Remove the current alternative"),
        ("Delete", "Backspace"),
        run=lambda page: page.annotation_actions.remove_alternative(
            page.annotation.alternative_idx
        ),
    ),
    Command(
        "take-suggestion",
        mark("Take the suggestion, confirm and go on"),
        ("Y",),
        run=lambda page: page.annotation_actions.take_suggestion(stays=False),
    ),
    Command(
        "take-suggestion-and-stay",
        mark("Take the suggestion and stay"),
        ("Shift+Y",),
        run=lambda page: page.annotation_actions.take_suggestion(stays=True),
    ),
    Command(
        "next-candidates",
        mark("Give the digits to the next candidates"),
        (".",),
        run=lambda page: page.centre.show_next_candidates(),
    ),
    Command(
        "whole-texts",
        mark("Fold candidates around what matches, or show them whole"),
        ("W",),
        run=lambda page: page.centre.toggle_folding(),
    ),
    Command(
        "peek",
        mark("Show the sentences around the current one while held"),
        ("P",),
        run=lambda page: page.centre.peek(),
    ),
    Command(
        "rank-anew",
        mark("Rank the candidates anew"),
        ("R",),
        run=lambda page: page.annotation.rank_anew(),
    ),
)
SETTLING: Final = in_group(
    _SENTENCE,
    Command(
        "confirm",
        mark("Confirm and go to the next incomplete sentence"),
        ("Return", "Enter"),
        run=lambda page: page.annotation_actions.confirm(),
    ),
    Command(
        "no-source",
        mark("No source"),
        ("U",),
        run=lambda page: page.annotation_actions.toggle_no_source(),
    ),
    *RANKS,
    Command(
        "no-rank", mark("No rank"), ("0",), run=lambda page: page.annotation_actions.set_rank(-1)
    ),
    Command(
        "flag",
        mark("Flag for another look"),
        ("F",),
        run=lambda page: page.annotation_actions.toggle_flag(),
    ),
    Command(
        "note", mark("Write a note"), ("M",), run=lambda page: page.alternatives.note.setFocus()
    ),
)
GOING: Final = in_group(
    mark("Go"),
    Command(
        "previous-sentence",
        mark("Previous sentence"),
        ("Left", "Ctrl+Up"),
        together=_SENTENCES,
        run=lambda page: page.abstract.step(-1),
    ),
    Command(
        "next-sentence",
        mark("Next sentence"),
        ("Right", "Ctrl+Down"),
        together=_SENTENCES,
        run=lambda page: page.abstract.step(1),
    ),
    Command(
        "next-incomplete",
        mark("Next incomplete sentence of the corpus"),
        ("I",),
        run=lambda page: page.annotation_actions.go_to_next_incomplete(),
    ),
    Command(
        "next-filter",
        mark("Filter the abstract's sentences"),
        ("G",),
        run=lambda page: page.abstract.filter.step(1),
    ),
    Command(
        "previous-abstract",
        mark("Previous abstract"),
        ("Ctrl+PgUp",),
        together=_ABSTRACTS,
        run=lambda page: page.annotation.step_abstract(-1),
    ),
    Command(
        "next-abstract",
        mark("Next abstract"),
        ("Ctrl+PgDown",),
        together=_ABSTRACTS,
        run=lambda page: page.annotation.step_abstract(1),
    ),
    Command("find", mark("Find in the topic"), ("/",), run=lambda page: page.topic_find.begin()),
    Command(
        "find-previous",
        mark("Previous place found"),
        ("Shift+F3",),
        together=_PLACES,
        run=lambda page: page.topic_find.step(-1),
    ),
    Command(
        "find-next",
        mark("Next place found"),
        ("F3",),
        together=_PLACES,
        run=lambda page: page.topic_find.step(1),
    ),
    Command("end-find", mark("End finding"), ("Esc",), run=lambda page: page.topic_find.end()),
    Command(
        "switch-sources",
        mark("Candidates or documents"),
        ("V",),
        run=lambda page: page.centre.switch(),
    ),
    Command("next-system", mark("Next system"), ("S",), run=lambda page: page.strip.next_system()),
    Command(
        "show-others",
        mark("Show or hide what other annotators did"),
        ("O",),
        run=lambda page: page.annotation.toggle_others(),
    ),
    Command(
        "guidelines",
        mark("Show or hide the guidelines"),
        ("H",),
        run=lambda page: page.toggle_guidelines(),
    ),
)
# Every command of the page, in display order.
ANNOTATE_COMMANDS: Final = (*LINKING, *SETTLING, *GOING)

BY_ID: Final = {command.id: command for command in ANNOTATE_COMMANDS}
