"""HTML comparison of two annotators, and derivation of a value."""

from collections.abc import Mapping, Sequence
from html import escape

from awase.core.agreement.comparison import ComparedSource, SentenceComparison
from awase.core.agreement.distances import SetDistance
from awase.core.agreement.results import AgreementDifference, AgreementRow, SentenceAgreement
from awase.core.annotation.formula import AND, label_of
from awase.core.records.alignment import Alternative
from awase.core.records.identifiers import SentenceRef, sentence_place
from awase.core.reports.agreement_report import BETWEEN_NAMES, alpha_text
from awase.core.reports.grid import UNDEFINED
from awase.core.reports.numbers import change_text, decimal_text, typeset
from awase.gui.kit.i18n import labelled, problem_text, tr
from awase.gui.kit.look.rows import STATE_NAMES
from awase.gui.kit.look.theme import Theme
from awase.gui.kit.texts import inline
from awase.gui.pages.review.tables import (
    KINDS,
    LEVELS,
    SHORT_LEVELS,
    coefficient_text,
    size_text,
    who_text,
)

SHOW_SCHEME = "show"
_BOTH, _ONLY_FIRST, _ONLY_SECOND = "=", "−", "+"


def comparison_html(
    sentence: SentenceAgreement,
    compared: SentenceComparison,
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
) -> str:
    """Returns both entries as HTML: matched formulas, then the source sentences and their links."""
    muted = theme.colours.muted
    distances = " · ".join(
        f"{tr(title)} {decimal_text(sentence.distances[level])}"
        for level, title in SHORT_LEVELS.items()
    )
    place = sentence_place(sentence.topic, sentence.abstract, sentence.n)
    return (
        f'<p style="color:{muted}">{escape(place)}</p><p><b>{escape(compared.text)}</b></p>'
        f"<p>{escape(tr(KINDS[sentence.kind]))}"
        f'<br><span style="color:{muted}">{escape(distances)}</span></p>'
        + _formulas(compared, numbers, theme)
        + _sources(compared, numbers, theme)
        + _notes(compared, theme)
    )


def _formulas(
    compared: SentenceComparison, numbers: Mapping[SentenceRef, int], theme: Theme
) -> str:
    heads = "".join(
        f'<td style="padding-right:2em; color:{theme.colours.muted}">{escape(who)}'
        f" · {escape(tr(STATE_NAMES[state]))}</td>"
        for who, state in zip(compared.annotators, compared.states, strict=True)
    )
    rows = [
        "<tr>"
        + _set_cell(one, other, _ONLY_FIRST, numbers, theme)
        + _set_cell(other, one, _ONLY_SECOND, numbers, theme)
        + "</tr>"
        for one, other in compared.alternatives
    ]
    dropped = sum(compared.dropped)
    note = (
        f'<p style="color:{theme.colours.muted}">'
        + escape(tr("Alternatives that contain another one are not shown: {n}", n=dropped))
        + "</p>"
        if dropped
        else ""
    )
    return f'<table cellspacing="4"><tr>{heads}</tr>{"".join(rows)}</table>{note}'


def _set_cell(
    own: Alternative | None,
    other: Alternative | None,
    sign: str,
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
) -> str:
    """Returns an alternative; a member missing in its counterpart has a sign before it."""
    if own is None:
        return f'<td style="padding-right:2em; color:{theme.colours.muted}">{UNDEFINED}</td>'
    shared = other.as_set if other is not None else frozenset()
    terms = [
        escape(label_of(ref, numbers))
        if ref in shared
        else f"<b>{sign}{escape(label_of(ref, numbers))}</b>"
        for ref in own.members
    ]
    return f'<td style="padding-right:2em">{AND.join(terms)}</td>'


def _sources(compared: SentenceComparison, numbers: Mapping[SentenceRef, int], theme: Theme) -> str:
    if not compared.sources:
        return ""
    first, second = (escape(who) for who in compared.annotators)
    muted = theme.colours.muted
    head = (
        f'<tr><td style="color:{muted}">{first}&nbsp;</td>'
        f'<td style="color:{muted}">{second}&nbsp;</td><td></td><td></td></tr>'
    )
    rows = "".join(_source_row(one, numbers, theme) for one in compared.sources)
    return f'<table cellspacing="4">{head}{rows}</table>'


def _source_row(one: ComparedSource, numbers: Mapping[SentenceRef, int], theme: Theme) -> str:
    is_common = one.by_first and one.by_second
    sign = _BOTH if is_common else _ONLY_FIRST if one.by_first else _ONLY_SECOND
    back = "" if is_common else f' style="background-color:{theme.colours.highlight_match}"'
    ref = escape(str(one.ref), quote=True)
    label = escape(label_of(one.ref, numbers))
    return (
        f'<tr><td align="center">{"●" if one.by_first else "○"}</td>'
        f'<td align="center">{"●" if one.by_second else "○"}</td>'
        f'<td>{sign}&nbsp;<a href="{SHOW_SCHEME}:{ref}">{label}</a>&nbsp;</td>'
        f"<td{back}>{escape(one.text)}</td></tr>"
    )


def _notes(compared: SentenceComparison, theme: Theme) -> str:
    return "".join(
        f'<p><span style="color:{theme.colours.muted}">{escape(labelled(who, ""))}</span>'
        f"{inline(note)}</p>"
        for who, note in zip(compared.annotators, compared.notes, strict=True)
        if note
    )


def explanation_html(
    row: AgreementRow, differences: Sequence[AgreementDifference], theme: Theme
) -> str:
    """Returns the derivation of a value, and its differences from others, as HTML."""
    sign = coefficient_text(row.distance)
    value = f"{sign} = {alpha_text(row)}"
    head = f"<p><b>{escape(labelled(tr(LEVELS[row.distance]), value))}</b></p>"
    if row.observed is None or row.expected is None or row.alpha is None:
        reason = f"<p>{escape(_reason_text(row))}</p>"
        return head + reason + _signature(row, theme)
    lines = [
        tr("Do, the mean distance of two annotators on the same sentence: {value}",
           value=f"{row.observed:.4f}"),
        tr("De, that of two values drawn at random within a topic: {value}",
           value=f"{row.expected:.4f}")
        if row.distance is not SetDistance.LINKS
        else tr("De, what is to be expected by chance: {value}", value=f"{row.expected:.4f}"),
        f"{sign} = 1 − Do / De = 1 − {row.observed:.4f} / {row.expected:.4f} = {row.alpha:.4f}",
        size_text(row),
        tr("1 = full agreement, 0 = as by chance. What suffices depends on the use: compare with "
           "the robot, and look at what the disagreement does."),
    ]  # fmt: skip
    if row.distance is SetDistance.LINKS:
        lines.append(f"F1 {decimal_text(row.f1)}")
    body = "".join(f"<p>{escape(line)}</p>" for line in lines)
    why = f"<p>{escape(_reason_text(row))}</p>" if row.reason is not None else ""
    return head + body + why + _differences(differences) + _signature(row, theme)


def _differences(differences: Sequence[AgreementDifference]) -> str:
    """Returns a line for each comparison with others, and the meaning of its interval."""
    lines = []
    for one in differences:
        if one.value is None:
            continue
        bounds = one.interval
        told = "" if bounds is None else f" [{change_text(bounds.low)}, {change_text(bounds.high)}]"
        both = f"{_names(one.first)} − ({_names(one.second)})"
        lines.append(f"<p>{escape(labelled(both, ''))}{typeset(change_text(one.value) + told)}</p>")
    if not lines:
        return ""
    note = tr("Differences in the topics that both have, with their intervals:")
    return f"<p>{escape(note)}</p>" + "".join(lines)


def _names(annotators: Sequence[str]) -> str:
    return BETWEEN_NAMES.join(map(who_text, annotators))


def _reason_text(row: AgreementRow) -> str:
    return problem_text(row.reason) if row.reason else ""


def _signature(row: AgreementRow, theme: Theme) -> str:
    return f'<p style="color:{theme.colours.muted}">{escape(row.signature)}</p>'
