"""HTML of an adjudication case: each annotator, the gold, and the source sentences."""

import random
from collections.abc import Mapping, Sequence
from html import escape

from awase.core.agreement.adjudication import AdjudicationCase
from awase.core.annotation.formula import AND, formula, label_of
from awase.core.records.alignment import AlignmentState, Alternative, GoldEntry
from awase.core.records.identifiers import SentenceRef, sentence_place
from awase.core.records.topic import Topic
from awase.core.reports.grid import UNDEFINED
from awase.core.reports.numbers import decimal_text
from awase.gui.kit.look.theme import Theme
from awase.gui.kit.texts.direction import inline
from awase.gui.kit.texts.i18n import labelled, listed, mark, tr
from awase.gui.kit.texts.state_names import STATE_NAMES

ORIGINS: Mapping[str, str] = {
    "unanimous": mark("unanimous"),
    "taken": mark("taken from one annotator"),
    "union": mark("union"),
    "intersection": mark("intersection"),
    "majority": mark("majority"),
    "edited": mark("put together"),
}
CAUSES: Mapping[str, str] = {
    "guideline gap": mark("guideline gap"),
    "oversight": mark("oversight"),
    "ambiguous text": mark("ambiguous text"),
    "near-duplicate": mark("near-duplicate"),
    "typing slip": mark("typing slip"),
}
_SHOW = "show"
HERE = "here"  # anchor of the source sentence that Space puts into the gold


def columns_of(case: AdjudicationCase) -> tuple[str, ...]:
    """Returns the annotators in pseudo-random, stable column order, to blind the adjudicator."""
    names = sorted(case.entries)
    random.Random("/".join(map(str, case.key))).shuffle(names)
    return tuple(names)


def case_html(
    case: AdjudicationCase,
    topic: Topic,
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    *,
    shows_names: bool,
    shown: Sequence[SentenceRef] = (),
    at: SentenceRef | None = None,
) -> str:
    """Returns the case as HTML; `shows_names` heads columns with annotators' names, not numbers."""
    muted = theme.colours.muted
    columns = columns_of(case)
    distance = tr("distance {value}", value=decimal_text(case.distance))
    place = f"{sentence_place(*case.key)} · {distance}"
    return (
        f'<p style="color:{muted}">{escape(place)}</p><p><b>{escape(case.text)}</b></p>'
        + _families(case, columns, numbers, theme, shows_names=shows_names)
        + _numbered(case, columns, numbers, theme, shows_names=shows_names)
        + _sources(case, columns, topic, numbers, theme, shown, at)
        + _notes(case, columns, theme)
    )


def _title(columns: Sequence[str], at: int, *, shows_names: bool) -> str:
    return f"⇧{at + 1} {columns[at]}" if shows_names else f"⇧{at + 1}"


def _families(
    case: AdjudicationCase,
    columns: Sequence[str],
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    *,
    shows_names: bool,
) -> str:
    """Returns the formulas: the first annotator, the gold, the others."""
    heads = [escape(_title(columns, at, shows_names=shows_names)) for at in range(len(columns))]
    bodies = [
        escape(formula(case.entries[who].alternatives, numbers) or tr("no source"))
        for who in columns
    ]
    heads.insert(1, f"<b>{escape(tr('Gold'))}</b>")
    bodies.insert(1, f"<b>{escape(_gold_text(case.gold, numbers))}</b>")
    style = 'style="padding-right:2em"'
    head = "".join(f"<td {style}>{one}</td>" for one in heads)
    body = "".join(f"<td {style}>{one}</td>" for one in bodies)
    return (
        f'<table cellspacing="4"><tr>{head}</tr><tr>{body}</tr></table>'
        f'<p style="color:{theme.colours.muted}">{escape(_state_text(case))}</p>'
    )


def _gold_text(gold: GoldEntry | None, numbers: Mapping[SentenceRef, int]) -> str:
    if gold is None:
        return UNDEFINED
    if gold.entry.state is AlignmentState.NO_SOURCE:
        return tr("no source")
    return formula(gold.entry.alternatives, numbers) or UNDEFINED


def _state_text(case: AdjudicationCase) -> str:
    gold = case.gold
    if gold is None:
        return tr("Nothing is decided yet.")
    parts = [tr(STATE_NAMES[gold.entry.state]), tr(ORIGINS[gold.origin.value])]
    if gold.decided_by is not None:
        parts.append(tr("decided by {who}", who=gold.decided_by))
    if gold.entry.rank is not None:
        parts.append(tr("rank {rank}", rank=gold.entry.rank))
    if gold.cause is not None:
        parts.append(tr(CAUSES.get(gold.cause, gold.cause)))
    if gold.locked:
        parts.append(tr("locked"))
    if case.is_outdated:
        parts.append(tr("outdated: an annotator has changed the entry since"))
    return " · ".join(parts)


def _numbered(
    case: AdjudicationCase,
    columns: Sequence[str],
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    *,
    shows_names: bool,
) -> str:
    """Returns all alternatives with the keys that toggle them."""
    inside = {one.as_set for one in case.gold.entry.alternatives} if case.gold else set()
    rows = []
    for number, one in enumerate(case.listed, start=1):
        owners = listed(
            who if shows_names else f"⇧{columns.index(who) + 1}"
            for who in columns
            if who in one.owners
        )
        sign = "✓" if one.alternative.as_set in inside else "·"
        rows.append(
            f'<tr><td align="center">{sign}</td><td><b>{number}</b>&nbsp;</td>'
            f"<td>{_set_text(one.alternative, numbers)}&nbsp;</td>"
            f'<td style="color:{theme.colours.muted}">{escape(owners)}</td></tr>'
        )
    return f'<table cellspacing="4">{"".join(rows)}</table>'


def _set_text(alternative: Alternative, numbers: Mapping[SentenceRef, int]) -> str:
    return AND.join(escape(label_of(ref, numbers)) for ref in alternative.members)


def _sources(
    case: AdjudicationCase,
    columns: Sequence[str],
    topic: Topic,
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    shown: Sequence[SentenceRef],
    at: SentenceRef | None,
) -> str:
    linked = [set(case.entries[who].refs()) for who in columns]
    linked.insert(1, set(case.gold.entry.refs()) if case.gold else set())
    titles = [f"⇧{at + 1}" for at in range(len(columns))]
    titles.insert(1, tr("Gold"))
    muted = theme.colours.muted
    head = "".join(f'<td style="color:{muted}">{escape(title)}&nbsp;</td>' for title in titles)
    rows = []
    listed = set(shown)
    for ref, sentence in topic.sentences():
        if ref in listed:
            dots = "".join(
                f'<td align="center">{"●" if ref in refs else "○"}</td>' for refs in linked
            )
            name = escape(str(ref), quote=True)
            text = escape(sentence.text)
            sign = f'<a name="{HERE}">▸</a>' if ref == at else "&nbsp;"
            text = f"<b>{text}</b>" if ref == at else text
            rows.append(
                f'<tr><td>{sign}</td>{dots}<td><a href="{_SHOW}:{name}">'
                f"{escape(label_of(ref, numbers))}</a>&nbsp;</td><td>{text}</td></tr>"
            )
    return f'<table cellspacing="4"><tr><td></td>{head}</tr>{"".join(rows)}</table>' if rows else ""


def _notes(case: AdjudicationCase, columns: Sequence[str], theme: Theme) -> str:
    notes = [(f"⇧{at + 1}", case.entries[who].note) for at, who in enumerate(columns)]
    if case.gold is not None:
        notes.append((tr("Gold"), case.gold.entry.note))
    return "".join(
        f'<p><span style="color:{theme.colours.muted}">{escape(labelled(who, ""))}</span>'
        f"{inline(note)}</p>"
        for who, note in notes
        if note
    )
