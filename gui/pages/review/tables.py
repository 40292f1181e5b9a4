"""Tables of the Review page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Final, SupportsFloat

from awase.core.agreement.comparison import WeekOfAgreement, WorstFirst
from awase.core.agreement.distances import GOLD, ROBOT, Kind, SetDistance
from awase.core.agreement.results import (
    Agreement,
    AgreementRow,
    Effects,
    PairFacts,
    SentenceAgreement,
    TopicAgreement,
)
from awase.core.errors import Problem
from awase.core.records.source import sentence_place
from awase.core.reports.grid import (
    UNDEFINED,
    Cell,
    Column,
    Grid,
    RowsOnDemand,
    decimal_text,
    grid_of,
    text_cell,
)
from awase.core.reports.study_report import names_text
from awase.gui.kit.i18n import inline, labelled, listed, mark, ntr, tr, what_of
from awase.gui.kit.look.theme import Theme

LEVELS: Final[Mapping[SetDistance, str]] = {
    SetDistance.ALTERNATIVES: mark("Alternatives, matched one to one"),
    SetDistance.FUNCTION: mark("Which extracts suffice (function)"),
    SetDistance.SUPPORT: mark("All linked sentences (MASI)"),
    SetDistance.EQUAL: mark("Same or not"),
    SetDistance.STATE: mark("Has a source or not"),
    SetDistance.RANK: mark("Ranks"),
    SetDistance.LINKS: mark("Links (Cohen's kappa)"),
}

SHORT_LEVELS: Final[Mapping[SetDistance, str]] = {
    SetDistance.ALTERNATIVES: mark("Alternatives"),
    SetDistance.FUNCTION: mark("Function"),
    SetDistance.SUPPORT: mark("Support"),
    SetDistance.EQUAL: mark("Equal"),
}

KINDS: Final[Mapping[Kind, str]] = {
    Kind.BOTH_NO_SOURCE: mark("both no source"),
    Kind.ONE_NO_SOURCE: mark("one no source"),
    Kind.IDENTICAL: mark("identical"),
    Kind.SAME_AFTER_ABSORPTION: mark("same after absorption"),
    Kind.MISSED_ALTERNATIVE: mark("missed alternative"),
    Kind.GROUPED_OTHERWISE: mark("same sentences, grouped otherwise"),
    Kind.IMPLIES: mark("one implies the other"),
    Kind.OVERLAPPING: mark("overlapping"),
    Kind.DISJOINT: mark("disjoint"),
}

_OTHERS: Final[Mapping[str, str]] = {ROBOT: mark("robot"), GOLD: mark("gold")}

_HIDDEN: Final = Problem(
    what=mark("Topics that are hidden from you here: {n} of {all}."),
    hint=mark("An annotator sees how far others agree where their own work is finished."),
)


def hidden_problem(n: int, n_topics: int) -> Problem:
    return replace(_HIDDEN, fields={"n": n, "all": n_topics})


def who_text(who: str) -> str:
    """Returns an annotator's name; the robot and the gold have one in each language."""
    return tr(_OTHERS[who]) if who in _OTHERS else who


def notes_html(notes: Iterable[tuple[str, str | None]], theme: Theme) -> str:
    """Returns the notes that there are, each behind the name of who wrote it."""
    return "".join(
        f'<p><span style="color:{theme.colours.muted}">{escape(labelled(who, ""))}</span>'
        f"{inline(note)}</p>"
        for who, note in notes
        if note
    )


def coefficient_text(distance: SetDistance) -> str:
    return "κ" if distance is SetDistance.LINKS else "α"


Pair = tuple[str, str]

_KIND_COLUMN = 2
_SHOWN_LEVELS = {
    level: title for level, title in SHORT_LEVELS.items() if level is not SetDistance.EQUAL
}


def matrix_table(found: Agreement, distance: SetDistance) -> Grid:
    """Returns annotators against annotators: alpha above the diagonal, common sentences below."""
    names = found.annotators
    columns = (
        Column(title=tr("Annotator")),
        *(Column(title=name) for name in names),
        Column(title=tr("Mean"), tip=tr("Mean of the annotator's values with all others")),
    )
    rows = [
        (
            Cell(text=name, is_number=False),
            *(_matrix_cell(found, distance, row, column) for column in range(len(names))),
            _mean_cell(found, distance, name),
        )
        for row, name in enumerate(names)
    ]
    rows += [_other_row(found, distance, other) for other in others_of(found, distance)]
    return grid_of(columns, rows)


def pair_at(found: Agreement, row: int, column: int) -> Pair | None:
    """Returns the two annotators of a cell of the matrix; None where it is not of two."""
    names = found.annotators
    first, second = sorted((row, column - 1))
    if 0 <= first < second < len(names):
        return names[first], names[second]
    return None


def others_of(found: Agreement, distance: SetDistance) -> tuple[str, ...]:
    """Returns those compared with annotators: the gold, the robot."""
    rows = [row for row in found.rows if row.distance is distance]
    gold = (GOLD,) if any(row.gold for row in rows) else ()
    return (*gold, *((ROBOT,) if any(row.robot for row in rows) else ()))


def against(found: Agreement, distance: SetDistance, other: str) -> Mapping[str, float | None]:
    alphas: dict[str, float | None] = {}
    for row in found.rows:
        if row.distance is distance:
            alphas |= row.gold if other == GOLD else row.robot
    return alphas


def _matrix_cell(found: Agreement, distance: SetDistance, row: int, column: int) -> Cell:
    pair = pair_at(found, row, column + 1)
    known = found.row(pair, distance) if pair else None
    if known is None:
        return Cell(text="")
    if row > column:
        return Cell(text=str(known.n_items), tip=tr("Sentences that both settled"))
    return _alpha_cell(known.alpha, row_tip(known))


def _alpha_cell(alpha: float | None, tip: str) -> Cell:
    if alpha is None:
        return Cell(text=UNDEFINED, tip=tip)
    return Cell(text=decimal_text(alpha), shade=alpha, tip=f"{alpha:.6f}\n{tip}".strip())


def size_text(row: AgreementRow) -> str:
    """Returns what a coefficient rests on."""
    topics = ntr("{n} topic", "{n} topics", row.n_topics)
    return ntr("{n} sentence in {topics}", "{n} sentences in {topics}", row.n_items, topics=topics)


def row_tip(row: AgreementRow) -> str:
    """Returns observed and expected disagreement of a value, or why it is undefined."""
    lines = [names_text(row.annotators)]
    if row.observed is not None and row.expected is not None:
        lines.append(tr("observed disagreement {value}", value=decimal_text(row.observed)))
        lines.append(tr("expected by chance {value}", value=decimal_text(row.expected)))
    if row.reason is not None:
        lines.append(what_of(row.reason))
    return "\n".join(lines)


def _mean_cell(found: Agreement, distance: SetDistance, name: str) -> Cell:
    alphas = [
        row.alpha
        for row in found.rows
        if row.distance is distance and name in row.annotators and len(row.annotators) == 2
    ]
    mean = _mean_of(alphas)
    why = tr("No value with anybody else is defined.")
    return _alpha_cell(mean, why if mean is None else "")


def _mean_of(alphas: Iterable[float | None]) -> float | None:
    known = [alpha for alpha in alphas if alpha is not None]
    return sum(known) / len(known) if known else None


def _other_row(found: Agreement, distance: SetDistance, other: str) -> tuple[Cell, ...]:
    alphas = against(found, distance, other)
    tip = (
        tr("The first candidate of each sentence, alone: what pressing Enter would give")
        if other == ROBOT
        else tr("What was decided")
    )
    return (
        Cell(text=who_text(other), is_number=False, tip=tip),
        *(_alpha_cell(alphas.get(name), tip) for name in found.annotators),
        _alpha_cell(_mean_of(alphas.values()), tip),
    )


def kinds_table(counts: Mapping[Kind, int]) -> tuple[Grid, list[Kind]]:
    kinds = [kind for kind in Kind if counts.get(kind)]
    most = max(counts.values(), default=1)
    columns = (
        Column(title=tr("How they differ"), stretches=True),
        Column(title=tr("Sentences"), tip=tr("Sentences that both settled")),
    )
    total = sum(counts.values())
    rows = [
        (
            Cell(text=tr(KINDS[kind]), value=at, is_number=False),
            Cell(
                text=str(counts[kind]),
                value=counts[kind],
                shade=counts[kind] / most,
                tip=f"{100 * counts[kind] / total:.1f} %",
            ),
        )
        for at, kind in enumerate(kinds)
    ]
    return grid_of(columns, rows), kinds


def counts_of(pairs: Sequence[PairFacts], chosen: Pair | None) -> dict[Kind, int]:
    counts: dict[Kind, int] = {}
    for one in pairs:
        if chosen in (None, one.annotators):
            for kind, n in one.kinds.items():
                counts[kind] = counts.get(kind, 0) + n
    return counts


def sentences_table(
    sentences: WorstFirst,
    text_of: Callable[[SentenceAgreement], str],
    distance: SetDistance,
    *,
    has_pairs: bool,
) -> Grid:
    """Returns lazy rows for each sentence and pair; `distance` and text are always visible."""
    columns = (
        Column(title=tr("Sentence")),
        Column(title=tr("Pair"), is_shown=has_pairs),
        Column(title=tr("How they differ"), is_spare=True),
        *(
            Column(
                title=tr(title), tip=tr("Distance: 0 = the same"), is_spare=level is not distance
            )
            for level, title in _SHOWN_LEVELS.items()
        ),
        Column(title=tr("Text"), stretches=True),
    )

    def row(at: int) -> tuple[Cell, ...]:
        one = sentences[at]
        name = sentence_place(one.topic, one.abstract, one.n)
        return (
            Cell(text=name, value=at, is_number=False, tip=one.topic),
            text_cell(names_text(one.annotators)),
            Cell(text=tr(KINDS[one.kind]), value=[*Kind].index(one.kind), is_number=False),
            *(
                _known_cell(one.distances[level], tr("Too entangled to count"), has_shade=True)
                for level in _SHOWN_LEVELS
            ),
            text_cell(text_of(one)),
        )

    def values(column: int) -> Sequence[float | str | None]:
        if column == 0:
            return range(len(sentences))
        if column == 1:
            return [names_text(one.annotators) for one in sentences]
        if column == _KIND_COLUMN:
            return [[*Kind].index(one.kind) for one in sentences]
        at = column - _KIND_COLUMN - 1
        if at < len(_SHOWN_LEVELS):
            level = [*_SHOWN_LEVELS][at]
            return [one.distances[level] for one in sentences]
        return [*map(text_of, sentences)]

    return Grid(columns=columns, rows=RowsOnDemand(len(sentences), row, values))


def topics_table(row: AgreementRow, seconds: Mapping[str, float]) -> Grid:
    """Returns a row a topic; `seconds` is work for each sentence, where logged."""
    columns = (
        Column(title=tr("Topic"), stretches=True),
        Column(title=tr("Sentences"), tip=tr("Sentences that both settled")),
        Column(title=tr("Value"), tip=tr("Within the topic alone")),
        Column(title=tr("Disagreement"), tip=tr("Mean distance")),
        Column(title=tr("s / sentence"), tip=tr("Seconds of work for each sentence")),
    )
    rows = [
        (
            Cell(text=one.topic, value=at, is_number=False),
            Cell(text=str(one.n_items), value=one.n_items),
            _known_cell(one.alpha, _why_no_alpha(one), has_shade=True),
            _known_cell(one.observed, _why_no_alpha(one)),
            _seconds_cell(seconds.get(one.topic)),
        )
        for at, one in enumerate(row.by_topic)
    ]
    return grid_of(columns, rows)


def weeks_table(weeks: Sequence[WeekOfAgreement]) -> Grid:
    """Returns a row a week in which sentences were settled by both, the first one first."""
    columns = (
        Column(title=tr("Week of"), stretches=True, tip=tr("In which the later entry was settled")),
        Column(title=tr("Sentences"), tip=tr("Sentences that both settled")),
        Column(title=tr("The same"), tip=tr("Sentences on which they agree in full")),
        Column(title=tr("Disagreement"), tip=tr("Mean distance")),
    )
    rows = [
        (
            Cell(text=one.begins.isoformat(), value=at, is_number=False),
            Cell(text=str(one.n_items), value=one.n_items),
            Cell(text=str(one.n_same), value=one.n_same),
            _known_cell(one.mean_distance, tr("Too entangled to count"), has_shade=True),
        )
        for at, one in enumerate(weeks)
    ]
    return grid_of(columns, rows)


def _seconds_cell(seconds: float | None) -> Cell:
    if seconds is None:
        return Cell(text=UNDEFINED, tip=tr("No time was logged."))
    return Cell(text=f"{seconds:.0f}", value=seconds)


def effects_table(effects: Sequence[Effects]) -> Grid:
    columns = (
        Column(title=tr("Pair"), stretches=True),
        Column(title="|h₁ − h₂|", tip=tr("Mean difference of the sizes of the minimal covers")),
        Column(title=tr("h equal"), tip=tr("Share of abstracts with the same h")),
        Column(
            title="|e₁ − e₂|",
            tip=tr("Mean difference of e(i), over extracts and sentences"),
        ),
        Column(title="τ", tip=tr("Kendall's tau-b of the two orders of systems by coverage")),
        Column(title=tr("Reversed"), tip=tr("Pairs of systems whose order is the opposite")),
    )
    rows = [
        (
            Cell(text=names_text(one.annotators), is_number=False, value=at),
            _known_cell(one.mean_abs_h, tr("No abstract has a sentence that both settled.")),
            _known_cell(one.share_equal_h, tr("No abstract has a sentence that both settled.")),
            _known_cell(one.mean_abs_e, tr("No extract for a sentence that both settled.")),
            _known_cell(
                one.tau_b, tr("Fewer than two systems, or one annotator's work ties them all.")
            ),
            Cell(
                text=str(len(one.flipped)),
                value=len(one.flipped),
                tip=listed(f"{a} / {b}" for a, b in one.flipped),
            ),
        )
        for at, one in enumerate(effects)
    ]
    return grid_of(columns, rows)


def _known_cell(value: SupportsFloat | None, why_none: str, *, has_shade: bool = False) -> Cell:
    if value is None:
        return Cell(text=UNDEFINED, tip=why_none)
    known = float(value)
    return Cell(text=decimal_text(known), value=known, shade=known if has_shade else None)


def _why_no_alpha(one: TopicAgreement) -> str:
    if not one.n_items:
        return tr("No sentence was settled by two.")
    if one.observed is None:
        return tr("Too entangled to count")
    return tr("All entries are the same: nothing could differ by chance.")
