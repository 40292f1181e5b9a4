"""HTML explanation of one system's pyramid score: units matched, missed, and counted once."""

from collections.abc import Mapping
from html import escape

from awase.core.analysis.inspection import Marking, common_spans
from awase.core.annotation.formula import address_of
from awase.core.metrics.kit.signature import weight_text
from awase.core.metrics.pseudo_pyramid import Explained
from awase.core.metrics.pseudo_pyramid_matching import PyramidUnit, UnitMatch
from awase.core.records.identifiers import SentenceRef
from awase.core.reports.numbers import decimal_text
from awase.gui.kit.look.theme import Theme
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.markup import marked


def pyramid_report(
    one: Explained,
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    *,
    linked: frozenset[SentenceRef] = frozenset(),
) -> str:
    """Returns the explanation as HTML."""
    paid_for = {match.oracle_idx: match for match in one.matching.matches}
    parts = [_head(one)]
    for idx, unit in enumerate(one.pyramid.units):
        parts.append(
            _unit(one, idx, unit, paid_for.get(idx), numbers, theme, unit.unit.ref in linked)
        )
    parts.append(_useless(one, theme))
    return "".join(parts)


def _head(one: Explained) -> str:
    paid, upper = weight_text(one.matching.paid), weight_text(one.pyramid.upper)
    value = decimal_text(one.value)
    where = " · ".join(filter(None, (one.topic, one.length, one.system)))
    found = tr(
        "{found} of {all} oracle units found", found=len(one.matching.matches),
        all=len(one.pyramid.units),
    )  # fmt: skip
    parts = [
        f"<h3>{escape(where)}</h3>",
        f"<p><b>{escape(paid)} / {escape(upper)} = {value}</b> · {escape(found)}</p>",
    ]
    if one.value is None:
        reason = tr("Undefined: no unit of the source within the limit shares anything with a "
                    "reference (Upper = 0).")  # fmt: skip
        parts.append(f"<p>{escape(reason)}</p>")
    return "".join(parts)


def _unit(
    one: Explained,
    idx: int,
    unit: PyramidUnit,
    match: UnitMatch | None,
    numbers: Mapping[SentenceRef, int],
    theme: Theme,
    is_linked: bool,
) -> str:
    verdict = tr("found") if match is not None else tr("missed")
    sign = "✓" if match is not None else "✗"
    weight = tr("weight {weight}", weight=weight_text(unit.weight))
    label = address_of(unit.unit.ref, numbers)
    ours = one.units[match.system_idx] if match is not None else ""
    here = f" · {tr('linked to the sentence above')}" if is_linked else ""
    spans, theirs = common_spans(unit.unit.text, ours, Marking.SUBSEQUENCE) if ours else ((), ())
    parts = [
        f"<p>{sign} <b>{escape(verdict)}</b> · {escape(weight)} · {escape(label + here)}<br/>"
        f"{marked(unit.unit.text, spans, theme)}</p>"
    ]
    if match is not None:
        shared = tr("by, {common} of {all} words", common=match.common, all=len(unit.tokens))
        parts.append(_below(shared, marked(ours, theirs, theme), theme))
    used = {other.system_idx for other in one.matching.matches}
    for other in one.matching.others:
        if other.oracle_idx == idx and other.system_idx not in used:
            again = tr("again, not paid")
            parts.append(_below(again, escape(one.units[other.system_idx]), theme))
    return "".join(parts)


def _useless(one: Explained, theme: Theme) -> str:
    pairs = (*one.matching.matches, *one.matching.others)
    alike = {match.system_idx for match in pairs}
    texts = [text for idx, text in enumerate(one.units) if idx not in alike]
    if not texts:
        return ""
    rows = "".join(
        f'<p style="margin-left:2em; color:{theme.colours.muted}">{escape(text)}</p>'
        for text in texts
    )
    return f"<h4>{escape(tr('Units of the system that are in no oracle'))}</h4>{rows}"


def _below(what: str, html: str, theme: Theme) -> str:
    told = f'<span style="color:{theme.colours.muted}">{escape(what)}</span>'
    return f'<p style="margin-left:2em">{told}<br/>{html}</p>'
