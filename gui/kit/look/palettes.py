"""Colour palettes: light, dark and high contrast.

Contrast of text is at least 4.5 (WCAG 2.2, 1.4.3); a test checks every pair. Chips and bars are
distinguishable for colour-blind people, too (after Okabe and Ito 2008), and never by colour alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """The two colours of a chip: its face and the text on it."""

    back: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """Every colour by what it means, as `#rrggbb`."""

    window: str
    base: str
    alternate: str
    raised: str
    line: str
    edge: str  # borders of what can be typed into or ticked; 3 to 1 on `base` and `window`
    text: str  # on `window`, `base`, `alternate` and `raised`
    muted: str
    accent: str
    accent_text: str
    accent_soft: str  # behind the current row where the text must stay readable
    link: str  # links and accents set as text on `window` and `base`
    highlight_match: str
    warning: str  # text of warnings on `window` and `base`
    warning_soft: str  # behind warnings; `text` stands on it
    danger: str  # text of failures on `window` and `base`
    success: str  # text of things done on `window` and `base`
    gutter: str
    near_duplicate: str  # mark of sentences that say nearly the same; `text` stands on it
    ranks: tuple[Chip, ...]  # chips of the ranks in order of importance; ranks beyond take the last
    states: Mapping[str, Chip]  # chip of each alignment state, by its id
    bars: tuple[str, ...]


def _states(
    todo: Chip, incomplete: Chip, confirmed: Chip, no_source: Chip, flagged: Chip
) -> Mapping[str, Chip]:
    return MappingProxyType(
        {
            "todo": todo,
            "incomplete": incomplete,
            "confirmed": confirmed,
            "no_source": no_source,
            "flagged": flagged,
        }
    )


LIGHT: Final = Colours(
    window="#f5f5f2",
    base="#ffffff",
    alternate="#faf9f7",
    raised="#ebebe6",
    line="#d3d3cc",
    edge="#85868a",
    text="#1f2328",
    muted="#5c636b",
    accent="#1f5f8b",
    accent_text="#ffffff",
    accent_soft="#dfecf5",
    link="#1a5a86",
    highlight_match="#fbe7a1",
    warning="#8a4b00",
    warning_soft="#fdf0d5",
    danger="#a8261c",
    success="#1d6b45",
    gutter="#e6e8ec",
    near_duplicate="#efe3f3",
    ranks=(
        Chip(back="#0f4c75", text="#ffffff"),
        Chip(back="#6aa5cf", text="#10202c"),
        Chip(back="#d6e4ee", text="#1f2f3b"),
        Chip(back="#e4e4df", text="#33373c"),
    ),
    states=_states(
        todo=Chip(back="#e4e4df", text="#43484e"),
        incomplete=Chip(back="#f2d08a", text="#3b2a00"),
        confirmed=Chip(back="#bfe3d0", text="#0d3b25"),
        no_source=Chip(back="#d9d3e6", text="#332655"),
        flagged=Chip(back="#f4c4ae", text="#5a1a00"),
    ),
    bars=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a27400", "#3f8fc4", "#5b5b5b"),
)

DARK: Final = Colours(
    window="#1d1f22",
    base="#232629",
    alternate="#282b2f",
    raised="#2b2e32",
    line="#42464c",
    edge="#767c84",
    text="#e6e5e1",
    muted="#a7adb4",
    accent="#62abdc",
    accent_text="#081622",
    accent_soft="#24394a",
    link="#86bfe6",
    highlight_match="#5f4f12",
    warning="#efb366",
    warning_soft="#3f3216",
    danger="#f09a90",
    success="#86cfa5",
    gutter="#353a41",
    near_duplicate="#42324a",
    ranks=(
        Chip(back="#8cc5ec", text="#0a1c2a"),
        Chip(back="#356f99", text="#ffffff"),
        Chip(back="#2c3f4e", text="#d5e5f0"),
        Chip(back="#3b3f45", text="#d6d8da"),
    ),
    states=_states(
        todo=Chip(back="#3b3f45", text="#d0d3d6"),
        incomplete=Chip(back="#7a5a12", text="#fff0cc"),
        confirmed=Chip(back="#1f5a3f", text="#d6f3e3"),
        no_source=Chip(back="#4b4070", text="#e9e3fb"),
        flagged=Chip(back="#83391a", text="#ffe3d6"),
    ),
    bars=("#56b4e9", "#e69f00", "#2fbf94", "#d98fb9", "#f0e442", "#6f9fd8", "#b5b5b5"),
)

HIGH_CONTRAST: Final = Colours(
    window="#000000",
    base="#000000",
    alternate="#141414",
    raised="#1a1a1a",
    line="#8c8c8c",
    edge="#ffffff",
    text="#ffffff",
    muted="#d9d9d9",
    accent="#ffd60a",
    accent_text="#000000",
    accent_soft="#3a3200",
    link="#7fd4ff",
    highlight_match="#6b5200",
    warning="#ffb340",
    warning_soft="#332400",
    danger="#ff9d94",
    success="#7df0b0",
    gutter="#333333",
    near_duplicate="#4a1f57",
    ranks=(
        Chip(back="#ffffff", text="#000000"),
        Chip(back="#7fd4ff", text="#000000"),
        Chip(back="#00405e", text="#ffffff"),
        Chip(back="#333333", text="#ffffff"),
    ),
    states=_states(
        todo=Chip(back="#333333", text="#ffffff"),
        incomplete=Chip(back="#ffb340", text="#000000"),
        confirmed=Chip(back="#7df0b0", text="#000000"),
        no_source=Chip(back="#d9c2ff", text="#000000"),
        flagged=Chip(back="#ff9d94", text="#000000"),
    ),
    bars=("#56b4e9", "#e69f00", "#2fe0a8", "#ff9ecb", "#f0e442", "#9fc5ff", "#ffffff"),
)

# Palette id, stable because the settings store it, to its colours.
PALETTES: Final[Mapping[str, Colours]] = MappingProxyType(
    {"light": LIGHT, "dark": DARK, "high-contrast": HIGH_CONTRAST}
)


@lru_cache(maxsize=1 << 12)
def contrast_ratio(first: str, second: str) -> float:
    """Returns the WCAG contrast of two `#rrggbb` colours, 1 (none) to 21 (black on white)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
