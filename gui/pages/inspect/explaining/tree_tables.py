"""The matched subtrees of two sentences, laid out as a table."""

from collections.abc import Sequence

from awase.core.errors import Listing
from awase.core.metrics.subtree_similarity import (
    SubtreeComparison,
    SubtreeMatch,
    SubtreeScore,
    words_of,
)
from awase.core.reports.grid import UNDEFINED, Cell, Column, Grid, grid_of
from awase.core.reports.numbers import decimal_text
from awase.gui.kit.texts.i18n import labelled, tr


def match_table(
    comparison: SubtreeComparison | None, *, of_reference: bool
) -> tuple[Grid, Sequence[SubtreeMatch]]:
    """Returns the table of matches, most similar and longest first, and the match of each row.

    Args:
        comparison: Of two sentences; None = empty.
        of_reference: Whether to list the reference's subtrees, not the output's.
    """
    columns = (
        Column(title=tr("Words"), tip=tr("How many words the subtree has."), is_spare=True),
        Column(
            title=tr("Similarity"),
            tip=tr("Of the subtree and its best partner, as the metric counts it."),
        ),
        Column(
            title=tr("Subtree"),
            tip=tr("Subtree of the reference") if of_reference else tr("Subtree of the output"),
            stretches=True,
        ),
        Column(title=tr("Best partner"), stretches=True, is_spare=True),
    )
    if comparison is None:
        return grid_of(columns, ()), ()
    own, other = comparison.system, comparison.reference
    matches: Sequence[SubtreeMatch] = comparison.of_system
    if of_reference:
        own, other, matches = other, own, comparison.of_reference
    ordered = sorted(
        matches, key=lambda match: (match.partner is None, -match.length, -match.similarity)
    )
    rows = [
        (
            Cell(text=str(match.length), value=match.length),
            Cell(
                text=decimal_text(match.similarity if match.partner is not None else None),
                value=match.similarity,
                shade=match.similarity or None,
                tip=""
                if match.partner is not None
                else tr("The other text has no subtree of as many words that is similar."),
            ),
            _word_cell(words_of(match.subtree, own)),
            _word_cell(words_of(match.partner, other) if match.partner is not None else UNDEFINED),
        )
        for match in ordered
    ]
    return grid_of(columns, rows), ordered


def score_text(score: SubtreeScore | None, digits: int = 3) -> str:
    """Returns the scores of two sentences in a line, with this many decimals."""
    if score is None:
        return ""
    lengths = Listing(
        labelled(str(one.length), decimal_text(one.f, digits)) for one in score.lengths if one.f > 0
    )
    return tr(
        "These two sentences: R {r}, P {p}, F {f} · F by number of words: {lengths}",
        r=decimal_text(score.recall, digits),
        p=decimal_text(score.precision, digits),
        f=decimal_text(score.f, digits),
        lengths=lengths or UNDEFINED,
    )


def _word_cell(text: str) -> Cell:
    return Cell(text=text, value=text, is_number=False)
