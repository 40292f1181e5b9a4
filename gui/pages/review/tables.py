"""What the Review page puts into its tables."""

from collections.abc import Callable, Mapping, Sequence

from awase.core.agreement.distances import Distance
from awase.core.agreement.effects import Effects
from awase.core.agreement.kinds import Kind
from awase.core.agreement.results import Agreement, AgreementRow, PairFacts, SentenceAgreement
from awase.core.agreement.whose import GOLD, ROBOT
from awase.core.reports.agreement_report import names_text, number_text
from awase.core.reports.score_report import UNDEFINED
from awase.gui.kit.grid.grid import GridCell, GridColumn
from awase.gui.kit.texts.i18n import tr, what_of
from awase.gui.pages.review.wording import KINDS, SHORT_LEVELS, who_text

Table = tuple[Sequence[GridColumn], Sequence[Sequence[GridCell]]]
Pair = tuple[str, str]

_SHOWN_LEVELS = {
    level: title for level, title in SHORT_LEVELS.items() if level is not Distance.EQUAL
}


def matrix_table(found: Agreement, distance: Distance) -> Table:
    """Returns annotators against annotators: alpha above the diagonal, common sentences below."""
    names = found.annotators
    columns = (
        GridColumn(title=tr("Annotator")),
        *(GridColumn(title=name) for name in names),
        GridColumn(title=tr("Mean"), tip=tr("Mean of the annotator's values with all others")),
    )
    rows = [
        (
            GridCell(text=name, is_number=False),
            *(_matrix_cell(found, distance, row, column) for column in range(len(names))),
            _mean_cell(found, distance, name),
        )
        for row, name in enumerate(names)
    ]
    rows += [_other_row(found, distance, other) for other in others_of(found, distance)]
    return columns, rows


def pair_at(found: Agreement, row: int, column: int) -> Pair | None:
    """Returns the two annotators of a cell of the matrix; None where it is not of two."""
    names = found.annotators
    first, second = sorted((row, column - 1))
    if 0 <= first < second < len(names):
        return names[first], names[second]
    return None


def others_of(found: Agreement, distance: Distance) -> tuple[str, ...]:
    """Returns who is compared with annotators without being one: the gold, the robot."""
    rows = [row for row in found.rows if row.distance is distance]
    gold = (GOLD,) if any(row.gold for row in rows) else ()
    return (*gold, *((ROBOT,) if any(row.robot for row in rows) else ()))


def against(found: Agreement, distance: Distance, other: str) -> Mapping[str, float | None]:
    """Returns the alpha of the gold or the robot with each annotator."""
    alphas: dict[str, float | None] = {}
    for row in found.rows:
        if row.distance is distance:
            alphas |= row.gold if other == GOLD else row.robot
    return alphas


def _matrix_cell(found: Agreement, distance: Distance, row: int, column: int) -> GridCell:
    pair = pair_at(found, row, column + 1)
    known = found.row(pair, distance) if pair else None
    if known is None:
        return GridCell(text="")
    if row > column:
        return GridCell(text=str(known.n_items), tip=tr("Sentences that both settled"))
    return _alpha_cell(known.alpha, row_tip(known))


def _alpha_cell(alpha: float | None, tip: str) -> GridCell:
    return GridCell(text=number_text(alpha), shade=None if alpha is None else alpha, tip=tip)


def row_tip(row: AgreementRow) -> str:
    """Returns what stands behind a value: disagreement observed and expected, or why none."""
    lines = [names_text(row.annotators)]
    if row.observed is not None and row.expected is not None:
        lines.append(tr("observed disagreement {value}", value=number_text(row.observed)))
        lines.append(tr("expected by chance {value}", value=number_text(row.expected)))
    if row.reason is not None:
        lines.append(what_of(row.reason))
    return "\n".join(lines)


def _mean_cell(found: Agreement, distance: Distance, name: str) -> GridCell:
    alphas = [
        row.alpha
        for row in found.rows
        if row.distance is distance and name in row.annotators and len(row.annotators) == 2
    ]
    known = [alpha for alpha in alphas if alpha is not None]
    return _alpha_cell(sum(known) / len(known) if known else None, "")


def _other_row(found: Agreement, distance: Distance, other: str) -> tuple[GridCell, ...]:
    alphas = against(found, distance, other)
    known = [alpha for alpha in alphas.values() if alpha is not None]
    tip = (
        tr("The first candidate of each sentence, alone: what pressing Enter would give")
        if other == ROBOT
        else tr("What was decided")
    )
    return (
        GridCell(text=who_text(other), is_number=False, tip=tip),
        *(_alpha_cell(alphas.get(name), tip) for name in found.annotators),
        _alpha_cell(sum(known) / len(known) if known else None, tip),
    )


def kinds_table(counts: Mapping[Kind, int]) -> tuple[Table, list[Kind]]:
    """Returns how often each kind occurs; the second value tells which kind each row is."""
    kinds = [kind for kind in Kind if counts.get(kind)]
    most = max(counts.values(), default=1)
    columns = (
        GridColumn(title=tr("How they differ"), stretches=True),
        GridColumn(title=tr("Sentences")),
    )
    total = sum(counts.values())
    rows = [
        (
            GridCell(text=tr(KINDS[kind]), sort=at, is_number=False),
            GridCell(
                text=str(counts[kind]),
                sort=counts[kind],
                shade=counts[kind] / most,
                tip=f"{counts[kind] / total:.1%}",
            ),
        )
        for at, kind in enumerate(kinds)
    ]
    return (columns, rows), kinds


def counts_of(pairs: Sequence[PairFacts], chosen: Pair | None) -> dict[Kind, int]:
    """Returns the kinds of a pair, or of all pairs together."""
    counts: dict[Kind, int] = {}
    for one in pairs:
        if chosen in (None, one.annotators):
            for kind, n in one.kinds.items():
                counts[kind] = counts.get(kind, 0) + n
    return counts


def sentences_table(
    sentences: Sequence[SentenceAgreement],
    text_of: Callable[[SentenceAgreement], str],
    *,
    has_pairs: bool,
) -> Table:
    """Returns a row for each sentence and pair."""
    columns = (
        GridColumn(title=tr("Sentence")),
        GridColumn(title=tr("Pair"), is_shown=has_pairs),
        GridColumn(title=tr("How they differ")),
        *(
            GridColumn(title=tr(title), tip=tr("Distance: 0 = the same"))
            for title in _SHOWN_LEVELS.values()
        ),
        GridColumn(title=tr("Text"), stretches=True),
    )
    rows = [
        (
            GridCell(text=f"{one.abstract} · {one.n}", sort=at, is_number=False, tip=one.topic),
            GridCell(
                text=names_text(one.annotators), sort=names_text(one.annotators), is_number=False
            ),
            GridCell(text=tr(KINDS[one.kind]), sort=[*Kind].index(one.kind), is_number=False),
            *(_distance_cell(one.distances[level]) for level in _SHOWN_LEVELS),
            _text_cell(text_of(one)),
        )
        for at, one in enumerate(sentences)
    ]
    return columns, rows


def _text_cell(text: str) -> GridCell:
    return GridCell(text=text, sort=text, is_number=False)


def _distance_cell(value: float | None) -> GridCell:
    if value is None:
        return GridCell(text=UNDEFINED, tip=tr("Too entangled to count"))
    return GridCell(text=f"{value:.2f}", sort=value, shade=value, tip=f"{value:.6f}")


def topics_table(row: AgreementRow, seconds: Mapping[str, float]) -> Table:
    """Returns a row a topic.

    Args:
        row: Of the annotators shown.
        seconds: Topic to seconds of work for each sentence; topics without a log are missing.
    """
    columns = (
        GridColumn(title=tr("Topic"), stretches=True),
        GridColumn(title=tr("Sentences")),
        GridColumn(title=tr("Value"), tip=tr("Within the topic alone")),
        GridColumn(title=tr("Disagreement"), tip=tr("Mean distance")),
        GridColumn(title=tr("s / sentence"), tip=tr("Seconds of work for each sentence")),
    )
    rows = [
        (
            GridCell(text=one.topic, sort=at, is_number=False),
            GridCell(text=str(one.n_items), sort=one.n_items),
            GridCell(text=number_text(one.alpha), sort=one.alpha, shade=one.alpha),
            GridCell(text=number_text(one.observed), sort=one.observed),
            _seconds_cell(seconds.get(one.topic)),
        )
        for at, one in enumerate(row.by_topic)
    ]
    return columns, rows


def _seconds_cell(seconds: float | None) -> GridCell:
    if seconds is None:
        return GridCell(text=UNDEFINED, tip=tr("No time was logged."))
    return GridCell(text=f"{seconds:.0f}", sort=seconds)


def effects_table(effects: Sequence[Effects]) -> Table:
    """Returns what the disagreement of each pair does."""
    columns = (
        GridColumn(title=tr("Pair"), stretches=True),
        GridColumn(title="|h₁ − h₂|", tip=tr("Mean difference of the sizes of the minimal covers")),
        GridColumn(title=tr("h equal"), tip=tr("Share of abstracts with the same h")),
        GridColumn(
            title="|e₁ − e₂|",
            tip=tr("Mean difference of e(i), over extracts and sentences"),
        ),
        GridColumn(title="τ", tip=tr("Kendall's tau-b of the two orders of systems by coverage")),
        GridColumn(
            title=tr("Turned round"), tip=tr("Pairs of systems whose order is the opposite")
        ),
    )
    rows = [
        (
            GridCell(text=names_text(one.annotators), is_number=False, sort=at),
            _share_cell(one.mean_abs_h),
            _share_cell(one.share_equal_h),
            _share_cell(one.mean_abs_e),
            _share_cell(one.tau_b),
            GridCell(
                text=str(len(one.flipped)),
                sort=len(one.flipped),
                tip=", ".join(f"{a} / {b}" for a, b in one.flipped),
            ),
        )
        for at, one in enumerate(effects)
    ]
    return columns, rows


def _share_cell(value: object) -> GridCell:
    known = None if value is None else float(value)  # type: ignore[arg-type]  # Fraction or float
    return GridCell(text=number_text(known), sort=known)
