"""What was found, laid out as tables."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from awase.core.inspection.buckets import Bucket, by_alternatives, by_place, by_rank, by_size
from awase.core.inspection.sentences import InspectedSentence, Inspection, Spending
from awase.core.reports.score_report import UNDEFINED
from awase.gui.kit.grid.grid import GridCell, GridColumn
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.state_names import STATE_NAMES

FIRST_SYSTEM_COLUMN: Final = 6
"""Columns of the heat map before the systems: where, rank, text, alternatives, mean, spread."""
MEAN_COLUMN: Final = 4

Table = tuple[Sequence[GridColumn], Sequence[Sequence[GridCell]]]


def share_text(value: Fraction | None) -> str:
    """Returns a share as a heat map shows it: 1, .67, 0; a dash when undefined."""
    if value is None:
        return UNDEFINED
    if value in (0, 1):
        return str(value)
    text = f"{float(value):.2f}"
    return text.removeprefix("0") if value < 1 and text != "1.00" else text


def heat_table(found: Inspection, systems: Sequence[str]) -> Table:
    """Returns a row for each abstract sentence, a column for each system."""
    columns = (
        GridColumn(title=tr("Sentence")),
        GridColumn(title=tr("Rank"), is_shown=any(s.rank for s in found.sentences)),
        GridColumn(title=tr("Text"), stretches=True),
        GridColumn(title=tr("Alts."), tip=tr("Number of alternatives")),
        GridColumn(title=tr("Mean"), tip=tr("Mean e(i) of the systems: low is missed by most.")),
        GridColumn(
            title=tr("Spread"), tip=tr("Largest less smallest e(i): how far the systems disagree.")
        ),
        *(GridColumn(title=system) for system in systems),
    )
    rows = [
        (
            GridCell(text=sentence.place, sort=at, is_number=False),
            GridCell(text=sentence.rank or "", sort=sentence.rank, is_number=False),
            GridCell(text=sentence.text, sort=sentence.text, is_number=False),
            GridCell(text=str(len(sentence.sizes) or ""), sort=len(sentence.sizes)),
            _share_cell(sentence.mean),
            GridCell(text=share_text(sentence.spread), sort=_number(sentence.spread)),
            *(_value_cell(sentence, system) for system in systems),
        )
        for at, sentence in enumerate(found.sentences)
    ]
    return columns, rows


def _share_cell(value: Fraction | None) -> GridCell:
    return GridCell(
        text=share_text(value),
        sort=_number(value),
        shade=_number(value),
        tip=f"{value} = {float(value):.6f}" if value is not None else "",
    )


def _value_cell(sentence: InspectedSentence, system: str) -> GridCell:
    value = sentence.values.get(system)
    if value is not None:
        return _share_cell(value)
    if sentence.sizes:
        return GridCell(text=UNDEFINED, tip=tr("The system has no extract for this abstract."))
    state = tr(STATE_NAMES[sentence.state])
    return GridCell(
        text=UNDEFINED,
        tip=tr("Not measured: the sentence has no alternative ({state}).", state=state),
    )


def comparison_table(found: Inspection, first: str, second: str) -> tuple[Table, list[int]]:
    """Returns both systems side by side, the largest |difference| first.

    The second value tells which sentence of `found` each row is.
    """
    both = [
        (idx, sentence, sentence.values[first], sentence.values[second])
        for idx, sentence in enumerate(found.sentences)
        if first in sentence.values and second in sentence.values
    ]
    both.sort(key=lambda row: -abs(row[2] - row[3]))
    columns = (
        GridColumn(title=tr("Sentence")),
        GridColumn(title=tr("Text"), stretches=True),
        GridColumn(title=first),
        GridColumn(title=second),
        GridColumn(title=tr("Difference")),
    )
    rows = [
        (
            GridCell(text=sentence.place, sort=idx, is_number=False),
            GridCell(text=sentence.text, sort=sentence.text, is_number=False),
            _share_cell(one),
            _share_cell(other),
            GridCell(text=signed(one - other), sort=float(one - other)),
        )
        for idx, sentence, one, other in both
    ]
    return (columns, rows), [idx for idx, *_ in both]


def signed(value: Fraction) -> str:
    """Returns a difference with its sign, 0 without."""
    if not value:
        return "0"
    return ("+" if value > 0 else "−") + share_text(abs(value))


def spending_table(found: Inspection) -> Table:
    """Returns what each system spent its places on, in shares of the places it had."""
    titles = (
        GridColumn(title=tr("System")),
        GridColumn(title=tr("Extracts"), tip=tr("Abstracts that it has an extract for.")),
        GridColumn(title=tr("Places"), tip=tr("Sentences asked for: h of each abstract.")),
        GridColumn(title=tr("Useful"), tip=tr("In the alternative chosen for some sentence.")),
        GridColumn(
            title=tr("Redundant"),
            tip=tr("In alternatives, none of which was chosen: what it says is covered already."),
        ),
        GridColumn(title=tr("Irrelevant"), tip=tr("In no alternative.")),
        GridColumn(title=tr("Repeated"), tip=tr("Places lost to a sentence that stood before.")),
        GridColumn(title=tr("Unused"), tip=tr("Places that were not filled.")),
    )
    return titles, [_spending_row(system, spent) for system, spent in found.spending.items()]


def _spending_row(system: str, spent: Spending) -> tuple[GridCell, ...]:
    parts = (
        spent.n_useful,
        spent.n_redundant,
        spent.n_irrelevant,
        spent.n_repeated,
        spent.n_unused,
    )
    return (
        GridCell(text=system, sort=system, is_number=False),
        GridCell(text=str(spent.n_extracts), sort=spent.n_extracts),
        GridCell(text=str(spent.n_asked), sort=spent.n_asked),
        *(_part_cell(spent, n) for n in parts),
    )


def _part_cell(spent: Spending, n: int) -> GridCell:
    share = spent.share(n)
    if share is None:
        return GridCell(text=UNDEFINED, tip=tr("There was no place to fill."))
    return GridCell(
        text=f"{float(share):.1%}",
        sort=float(share),
        shade=float(share),
        tip=f"{n} / {spent.n_asked}",
    )


def bucket_table(found: Inspection, systems: Sequence[str]) -> Table:
    """Returns mean e(i) over sentences that have something in common, four features in turn."""
    sentences = found.sentences
    groups = (
        (tr("Rank"), by_rank(sentences, systems)),
        (tr("Number of alternatives"), by_alternatives(sentences, systems)),
        (tr("Size of the smallest alternative"), by_size(sentences, systems)),
        (tr("Place of the earliest member in its document"), by_place(sentences, systems)),
    )
    columns = (
        GridColumn(title=tr("Feature"), stretches=True),
        GridColumn(title=tr("Value")),
        GridColumn(title=tr("Sentences")),
        GridColumn(title=tr("Mean")),
        *(GridColumn(title=system) for system in systems),
    )
    buckets = [(feature, bucket) for feature, group in groups for bucket in group]
    rows = [
        (
            GridCell(text=feature, sort=at, is_number=False),
            GridCell(text=range_text(bucket), sort=at),
            GridCell(text=str(bucket.n), sort=bucket.n),
            _share_cell(bucket.mean),
            *(_share_cell(bucket.means[system]) for system in systems),
        )
        for at, (feature, bucket) in enumerate(buckets)
    ]
    return columns, rows


def range_text(bucket: Bucket) -> str:
    """Returns a bucket's values: A, 2, 4-10, 11 and more."""
    if bucket.lowest is None:
        return tr("none")
    if bucket.highest is None:
        return tr("{n} or more", n=bucket.lowest)
    if bucket.lowest == bucket.highest:
        return str(bucket.lowest)
    return f"{bucket.lowest}–{bucket.highest}"


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
