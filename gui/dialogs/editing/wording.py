"""Translated messages of the editing dialogs."""

from awase.core.annotation.content import Uses
from awase.core.records.abstract import Limit
from awase.core.text.resplitting import ResplitOutcome
from awase.core.text.script import Cleaned
from awase.gui.kit.texts.direction import isolated
from awase.gui.kit.texts.i18n import listed, mark, ntr, tr

_LONGEST = 60

# Unit of a limit to its English name.
UNIT_TITLES = {
    "characters": mark("characters"),
    "words": mark("words"),
    "bytes": mark("bytes"),
    "sentences": mark("sentences"),
}


def quoted(text: str) -> str:
    """Shortens a text and isolates its writing direction."""
    return isolated(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")


def count_text(size: int, unit: str, limit: Limit | None) -> str:
    """Describes a summary's length and excess."""
    name = tr(UNIT_TITLES[unit])
    if limit is None:
        return tr("{size} {unit}", size=size, unit=name)
    if size > limit.size:
        return tr(
            "{size} of {limit} {unit}: {over} too many",
            size=size,
            limit=limit.size,
            unit=name,
            over=size - limit.size,
        )
    return tr("{size} of {limit} {unit}", size=size, limit=limit.size, unit=name)


def removed_text(found: Cleaned) -> str:
    """Describes what was removed from a pasted text."""
    codes = listed((code for code, _ in found.removed), most=5)
    return ntr(
        "{n} character that cannot be stored or shown was left out ({codes}).",
        "{n} characters that cannot be stored or shown were left out ({codes}).",
        found.n_removed,
        codes=codes,
    )


def fate_text(label: str, text: str, fate: ResplitOutcome, n_places: int) -> str:
    """Describes the outcome for an old sentence."""
    message = {
        ResplitOutcome.GONE: tr("{label} is gone: “{text}”"),
        ResplitOutcome.JOINED: tr("{label} was joined with its neighbour: “{text}”"),
        ResplitOutcome.EDITED: tr("{label} was changed: “{text}”"),
        ResplitOutcome.SAME: tr("{label} is as it was: “{text}”"),
    }.get(fate)
    if message is None:
        message = ntr(
            "{label} became {n} sentence: “{text}”",
            "{label} became {n} sentences: “{text}”",
            n_places,
            label="{label}",
            text="{text}",
        )
    return message.format(label=label, text=quoted(text))


def uses_text(uses: Uses) -> str:
    """Describes the number of links and extract members."""
    parts = []
    if uses.n_links:
        links = ntr("{n} link", "{n} links", uses.n_links)
        of = ntr("in {n} alternative", "in {n} alternatives", uses.n_alternatives)
        parts.append(f"{links} {of}" if not _is_japanese_order() else f"{of}{links}")
    if uses.n_extract_members:
        parts.append(ntr("{n} extract member", "{n} extract members", uses.n_extract_members))
    return listed(parts)


def _is_japanese_order() -> bool:
    return tr(", ") == "、"
