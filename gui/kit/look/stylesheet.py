"""Colour palettes and style sheet: rail, banners, cards, headers, beyond Fusion and palettes.

Contrast of text is at least 4.5 (WCAG 2.2, 1.4.3); a test checks every pair. Chips and bars are
distinguishable for colour-blind people, too (after Okabe and Ito 2008), and never by colour alone.

Widgets select a look through the dynamic property `look`; lengths follow the font's height.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QLabel, QWidget


@dataclass(frozen=True, slots=True)
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
    warning_soft: str  # background of warnings, under `text`
    danger: str  # text of failures on `window` and `base`
    success: str  # text of things done on `window` and `base`
    gutter: str
    near_duplicate: str  # mark of near-duplicates, under `text`
    ranks: tuple[Chip, ...]  # chips of the ranks by importance; further ranks use the last
    states: Mapping[str, Chip]  # chip of each alignment state, by its id
    bars: tuple[str, ...]


_IDS: Final = ("light", "dark", "high-contrast")  # of the palettes; settings store them
# Each colour in the order of the palettes.
_PLAIN: Final = {
    "window": ("#f5f5f2", "#1d1f22", "#000000"),
    "base": ("#ffffff", "#232629", "#000000"),
    "alternate": ("#faf9f7", "#282b2f", "#141414"),
    "raised": ("#ebebe6", "#2b2e32", "#1a1a1a"),
    "line": ("#d3d3cc", "#42464c", "#8c8c8c"),
    "edge": ("#85868a", "#767c84", "#ffffff"),
    "text": ("#1f2328", "#e6e5e1", "#ffffff"),
    "muted": ("#5c636b", "#a7adb4", "#d9d9d9"),
    "accent": ("#1f5f8b", "#62abdc", "#ffd60a"),
    "accent_text": ("#ffffff", "#081622", "#000000"),
    "accent_soft": ("#dfecf5", "#24394a", "#3a3200"),
    "link": ("#1a5a86", "#86bfe6", "#7fd4ff"),
    "highlight_match": ("#fbe7a1", "#5f4f12", "#6b5200"),
    "warning": ("#8a4b00", "#efb366", "#ffb340"),
    "warning_soft": ("#fdf0d5", "#3f3216", "#332400"),
    "danger": ("#a8261c", "#f09a90", "#ff9d94"),
    "success": ("#1d6b45", "#86cfa5", "#7df0b0"),
    "gutter": ("#e6e8ec", "#353a41", "#333333"),
    "near_duplicate": ("#efe3f3", "#42324a", "#4a1f57"),
}
# Of chips, the face and the text on it.
_RANKS: Final = (
    (("#0f4c75", "#ffffff"), ("#8cc5ec", "#0a1c2a"), ("#ffffff", "#000000")),
    (("#6aa5cf", "#10202c"), ("#356f99", "#ffffff"), ("#7fd4ff", "#000000")),
    (("#d6e4ee", "#1f2f3b"), ("#2c3f4e", "#d5e5f0"), ("#00405e", "#ffffff")),
    (("#e4e4df", "#33373c"), ("#3b3f45", "#d6d8da"), ("#333333", "#ffffff")),
)
_STATES: Final = {
    "todo": (("#e4e4df", "#43484e"), ("#3b3f45", "#d0d3d6"), ("#333333", "#ffffff")),
    "incomplete": (("#f2d08a", "#3b2a00"), ("#7a5a12", "#fff0cc"), ("#ffb340", "#000000")),
    "confirmed": (("#bfe3d0", "#0d3b25"), ("#1f5a3f", "#d6f3e3"), ("#7df0b0", "#000000")),
    "no_source": (("#d9d3e6", "#332655"), ("#4b4070", "#e9e3fb"), ("#d9c2ff", "#000000")),
    "flagged": (("#f4c4ae", "#5a1a00"), ("#83391a", "#ffe3d6"), ("#ff9d94", "#000000")),
}
_BARS: Final = (
    ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a27400", "#3f8fc4", "#5b5b5b"),
    ("#56b4e9", "#e69f00", "#2fbf94", "#d98fb9", "#f0e442", "#6f9fd8", "#b5b5b5"),
    ("#56b4e9", "#e69f00", "#2fe0a8", "#ff9ecb", "#f0e442", "#9fc5ff", "#ffffff"),
)


def _palette(idx: int) -> Colours:
    return Colours(
        **{role: colours[idx] for role, colours in _PLAIN.items()},
        ranks=tuple(Chip(*colours[idx]) for colours in _RANKS),
        states={state: Chip(*colours[idx]) for state, colours in _STATES.items()},
        bars=_BARS[idx],
    )


PALETTES: Final[Mapping[str, Colours]] = {name: _palette(idx) for idx, name in enumerate(_IDS)}


@lru_cache(maxsize=1 << 12)
def contrast_ratio(first: str, second: str) -> float:
    """Returns the WCAG contrast of two `#rrggbb` colours, 1 (none) to 21 (black on white)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


TARGET_PX = 24  # what can be pressed is at least as high and wide (WCAG 2.2, 2.5.8)


def stylesheet(colours: Colours, line_px: int, point_size: int) -> str:
    small, medium, large = (max(1, round(line_px * part)) for part in (0.2, 0.4, 0.7))
    # A rim of another colour alone is not seen in large letters; it grows into the padding.
    rim = max(2, round(line_px * 0.09))
    grown = min(rim - 1, small)
    values = {
        **asdict(colours),
        "small": small,
        "medium": medium,
        "large": large,
        "radius": max(2, round(line_px * 0.22)),
        "title_pt": round(point_size * 2.2),
        "box": round(line_px * 0.75),
        "drop": round(line_px * 1.2),
        "arrow": round(line_px * 0.6),
        "row": max(small // 2, (TARGET_PX - line_px + 1) // 2),
        "spin": small - 1,  # as high as other boxes, whose frames are inside
        "tab_side": (small + medium) // 2,
        "menu": round(line_px * 1.3),
        "ink": _ink(colours.base),
        "ink_on_accent": _ink(colours.accent),
        "icons": str(files("awase.resources").joinpath("icons", "controls")).replace("\\", "/"),
        "rim": rim,
        "grown": grown,
        "small_in_rim": small - grown,
        "medium_in_rim": medium - grown,
        "large_in_rim": large - grown,
        "spin_in_rim": max(0, small - 1 - grown),
        "rail": round(line_px * 0.22),
        "rail_gap": round(line_px * 0.25),  # what more it had, icons would lack on low screens
        "icon": line_px,
        "target": max(line_px, TARGET_PX - 2 - 2 * small),
        "bare_target": max(line_px, TARGET_PX),
        "scroller": 2 * TARGET_PX,  # two arrows beside tabs without room
        "tab": max(line_px + small, TARGET_PX),  # Qt draws a tab behind lower, so its letters, too
    }
    return "".join(rule % values for rule in _RULES)


def _ink(back: str) -> str:
    """Returns the readable one of the two inks of control icons on `back`."""
    return max(("black", "white"), key=lambda ink: contrast_ratio(_INKS[ink], back))


_INKS = {"black": "#1f2328", "white": "#f2f2ee"}
_RULES = (
    """
QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QSpinBox { background: %(base)s; color: %(text)s;
    border: 1px solid %(edge)s; border-radius: %(radius)dpx; padding: %(small)dpx %(small)dpx;
    selection-background-color: %(accent)s; selection-color: %(accent_text)s; }
QLineEdit, QPlainTextEdit, QTextEdit { placeholder-text-color: %(muted)s; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus, QSpinBox:focus {
    border: %(rim)dpx solid %(accent)s; padding: %(small_in_rim)dpx; }
QDialog QListWidget { border: 1px solid %(edge)s; }
QDialog QListWidget:focus { border-color: %(accent)s; }
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled { background: %(window)s;
    color: %(muted)s; border-color: %(line)s; }
QComboBox { padding-left: %(medium)dpx; }
QComboBox:focus { padding-left: %(medium_in_rim)dpx; }
QSpinBox { padding: %(spin)dpx %(grown)dpx; }
QSpinBox:focus { padding: %(spin_in_rim)dpx 0; }
QSpinBox QLineEdit, QSpinBox QLineEdit:focus, QComboBox QLineEdit, QComboBox QLineEdit:focus {
    border: none; padding: 0; background: transparent; }
QComboBox::drop-down { border: none; width: %(drop)dpx; }
QComboBox::down-arrow { image: url("%(icons)s/down-%(ink)s.svg");
    width: %(arrow)dpx; height: %(arrow)dpx; }
QComboBox QAbstractItemView { background: %(base)s; color: %(text)s; border: 1px solid %(line)s;
    selection-background-color: %(accent)s; selection-color: %(accent_text)s; }
QSpinBox::up-button, QSpinBox::down-button { border: none; width: %(drop)dpx; }
QSpinBox::up-arrow { image: url("%(icons)s/up-%(ink)s.svg");
    width: %(arrow)dpx; height: %(arrow)dpx; }
QSpinBox::down-arrow { image: url("%(icons)s/down-%(ink)s.svg");
    width: %(arrow)dpx; height: %(arrow)dpx; }
QCheckBox { spacing: %(medium)dpx; }
QCheckBox::indicator, QListView::indicator { width: %(box)dpx; height: %(box)dpx;
    border: 1px solid %(edge)s; border-radius: %(radius)dpx; background: %(base)s; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: %(accent)s; }
QCheckBox:focus { color: %(link)s; }
QCheckBox::indicator:checked, QListView::indicator:checked {
    background: %(accent)s; border-color: %(accent)s;
    image: url("%(icons)s/check-%(ink_on_accent)s.svg"); }
QListView::indicator:checked:selected { border-color: %(accent_text)s; }
""",
    """
QToolTip { color: %(text)s; background: %(base)s; border: 1px solid %(line)s;
    padding: %(small)dpx %(medium)dpx; }
QMenuBar { background: %(raised)s; border-bottom: 1px solid %(line)s; }
QMenuBar::item { padding: %(small)dpx %(medium)dpx; background: transparent; }
QMenuBar::item:selected { background: %(accent)s; color: %(accent_text)s; }
QMenu { background: %(base)s; border: 1px solid %(line)s; padding: %(small)dpx 0; }
QMenu::item { padding: %(small)dpx %(large)dpx; }
QMenu::item { padding-left: %(menu)dpx; }
QMenu::indicator { width: %(box)dpx; height: %(box)dpx; left: %(small)dpx; }
QMenu::indicator:checked { image: url("%(icons)s/check-%(ink)s.svg"); }
QMenu::indicator:checked:selected { image: url("%(icons)s/check-%(ink_on_accent)s.svg"); }
QMenu::item:selected { background: %(accent)s; color: %(accent_text)s; }
QMenu::item:disabled { color: %(muted)s; }
QMenu::separator { height: 1px; background: %(line)s; margin: %(small)dpx 0; }
""",
    """
QWidget[look="rail"] { background: %(raised)s; border-right: 1px solid %(line)s; }
QWidget[look="rail"] QToolButton { border: none; border-left: %(rail)dpx solid transparent;
    padding: %(rail_gap)dpx %(medium)dpx; color: %(muted)s; background: transparent; }
QWidget[look="rail"] QToolButton:hover { color: %(text)s; background: %(window)s; }
QWidget[look="rail"] QToolButton:checked { color: %(text)s; background: %(window)s;
    border-left-color: %(accent)s; }
QWidget[look="rail"] QToolButton:focus { color: %(link)s; }
""",
    """
QFrame[look="banner"] { background: %(warning_soft)s; border: none;
    border-bottom: 1px solid %(line)s; }
QFrame[look="banner"] QLabel { color: %(text)s; }
QFrame[look="tour"] { background: %(accent_soft)s; border: none;
    border-bottom: 1px solid %(line)s; }
QTextBrowser[look="flat"], QTextBrowser[look="flat"]:focus { border: none; border-radius: 0;
    padding: %(small)dpx; }
QFrame[look="strip"] { background: %(raised)s; border: none; border-top: 1px solid %(line)s; }
QFrame[look="card"] { background: %(base)s; border: 1px solid %(line)s;
    border-radius: %(radius)dpx; }
QFrame[look="drop"] { background: %(base)s; border: 1px dashed %(muted)s;
    border-radius: %(radius)dpx; }
QFrame[look="drop"][hot="true"] { border: 2px solid %(accent)s; background: %(accent_soft)s; }
QLabel, QToolTip { qproperty-textFormat: PlainText; }
QLabel[markup="RichText"] { qproperty-textFormat: RichText; }
QLabel[markup="MarkdownText"] { qproperty-textFormat: MarkdownText; }
QLabel[look="title"] { font-size: %(title_pt)dpt; font-weight: bold; }
QLabel[look="heading"] { font-weight: bold; }
QLabel[look="muted"] { color: %(muted)s; }
QLabel[look="warning"] { color: %(warning)s; }
QLabel[look="danger"] { color: %(danger)s; }
QLabel[look="success"] { color: %(success)s; }
""",
    """
QPushButton { padding: %(small)dpx %(large)dpx; border: 1px solid %(line)s;
    border-radius: %(radius)dpx; background: %(raised)s; color: %(text)s; }
QPushButton, QComboBox, QSpinBox { min-height: %(target)dpx; }
QPushButton { icon-size: %(icon)dpx; }
QPushButton::menu-indicator { image: url("%(icons)s/down-%(ink)s.svg");
    width: %(arrow)dpx; height: %(arrow)dpx; subcontrol-position: right center;
    right: %(small)dpx; }
QListWidget::item, QTreeWidget::item { padding: %(row)dpx %(small)dpx; }
QListWidget, QTreeWidget { outline: 1px dotted %(muted)s; }
QListWidget[look="checks"] { outline: 0; }
QListWidget[look="checks"]::item:selected, QListWidget[look="checks"]::item:focus {
    background: %(accent_soft)s; color: %(text)s; }
QCheckBox, QRadioButton { min-height: %(bare_target)dpx; icon-size: %(icon)dpx; }
QTabWidget::pane { border: 1px solid %(line)s; background: %(window)s; }
QTabBar { icon-size: %(icon)dpx; }
QTabBar::tab { min-height: %(tab)dpx; padding: 0 %(tab_side)dpx; background: %(raised)s;
    color: %(muted)s; border: 1px solid %(line)s; border-top: %(small)dpx solid transparent; }
QTabBar::tab:!first { border-left: none; }
QTabBar::scroller { width: %(scroller)dpx; }
QTabBar::tab:hover { color: %(text)s; }
QTabBar::tab:selected { background: %(window)s; color: %(text)s; border-top-color: %(accent)s;
    border-bottom-color: %(window)s; }
QTabBar::tab:selected:focus { color: %(link)s; }
QPushButton:hover { border-color: %(muted)s; }
QPushButton:focus { border: %(rim)dpx solid %(accent)s;
    padding: %(small_in_rim)dpx %(large_in_rim)dpx; }
QPushButton:pressed { background: %(line)s; }
QPushButton:disabled { color: %(muted)s; background: %(window)s; }
QPushButton:default { background: %(accent)s; color: %(accent_text)s;
    border-color: %(accent)s; }
QPushButton:default:focus { border-color: %(text)s; }
QPushButton:default:disabled { background: %(window)s; color: %(muted)s;
    border-color: %(line)s; }
QPushButton[look="row"] { text-align: left; border: 1px solid transparent;
    background: transparent; padding: %(medium)dpx; }
QPushButton[look="row"]:hover { background: %(accent_soft)s; }
QPushButton[look="row"]:focus { border: %(rim)dpx solid %(accent)s;
    padding: %(medium_in_rim)dpx; background: %(accent_soft)s; }
""",
    """
QTableView { outline: 0; border: 1px solid %(line)s;
    selection-background-color: %(accent_soft)s; selection-color: %(text)s; }
QTableView[look="flat"] { border: 1px solid %(base)s; }
QDialog QTableView[look="flat"] { border: 1px solid %(edge)s; }
QTableView:focus { border-color: %(accent)s; }
QTableView[look="flat"]:focus { border-color: %(accent)s; }
QTableView::item { padding: %(small)dpx %(medium)dpx; }
QHeaderView { background: %(raised)s; }
QHeaderView::section { background: %(raised)s; color: %(text)s; border: none;
    border-right: 1px solid %(line)s; border-bottom: 1px solid %(line)s;
    padding: %(small)dpx %(medium)dpx; }
QHeaderView::up-arrow { image: url("%(icons)s/up-%(ink)s.svg");
    width: %(arrow)dpx; height: %(arrow)dpx; subcontrol-position: right center; right: 1px; }
QHeaderView::down-arrow { image: url("%(icons)s/down-%(ink)s.svg");
    width: %(arrow)dpx; height: %(arrow)dpx; subcontrol-position: right center; right: 1px; }
QTableCornerButton::section { background: %(raised)s; border: none; }
QScrollBar { background: %(base)s; border: none; margin: 0; }
QScrollArea > QWidget > QScrollBar { background: %(window)s; }
QScrollBar:vertical { width: %(large)dpx; }
QScrollBar:horizontal { height: %(large)dpx; }
QScrollBar::handle { background: %(edge)s; border-radius: %(small)dpx; }
QScrollBar::handle:vertical { min-height: 2em; margin: 0 %(small)dpx; }
QScrollBar::handle:horizontal { min-width: 2em; margin: %(small)dpx 0; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: %(muted)s; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QSplitter::handle { background: %(line)s; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QProgressBar { border: none; border-radius: %(small)dpx; background: %(line)s;
    max-height: %(medium)dpx; text-align: center; }
QProgressBar::chunk { background: %(accent)s; border-radius: %(small)dpx; }
""",
)


# After these a widget is measured again: a new font may precede the sheet with its padding.
NEW_SIZES: Final = (QEvent.Type.FontChange, QEvent.Type.StyleChange)


def letter_px(widget: QWidget) -> int:
    """Returns the unit of widths: the height of a line, or less where its font has tall lines.

    Lines of Noto CJK are half as high again as its letters, which is no reason to be wider.
    """
    return min(widget.fontMetrics().height(), round(1.2 * QFontInfo(widget.font()).pixelSize()))


def set_look(label: QLabel, look: str) -> None:
    if label.property("look") != look:
        label.setProperty("look", look)
        label.style().unpolish(label)
        label.style().polish(label)
