"""Parts of forms; titles and hints are English messages, marked for translation."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import Enum

from PySide6.QtWidgets import QWidget

from awase.gui.kit.i18n import Message, mark


class Asks(Enum):
    """Kind of dialog of a path's button."""

    FILE = "file"
    FILES = "files"
    FOLDER = "folder"
    NEW_FILE = "new file"


@dataclass(frozen=True, slots=True)
class Line:
    """A line edit; a secret one hides its text."""

    value: str = ""
    _: KW_ONLY
    hint: str = ""
    is_fixed: bool = False
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """One of several."""

    options: Sequence[tuple[object, str]] = ()
    # Selected data; unknown = the first one. Of an open choice, its text.
    value: object = None
    _: KW_ONLY
    messages: Sequence[tuple[object, str]] = ()
    is_open: bool = False  # whether other text may be typed
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """An integer; `special` replaces the lowest one, `unit` follows others."""

    value: int
    low: int
    high: int
    _: KW_ONLY
    special: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A check box with the field's title."""

    value: bool = False


@dataclass(frozen=True, slots=True)
class PathField:
    """A path of a file or folder, with a browse button."""

    value: str = ""
    _: KW_ONLY
    asks: Asks = Asks.FILE
    hint: str = ""  # what may be written there
    question: str = ""  # title of the dialog; empty = the field's
    filters: Sequence[str] = ()  # names of kinds of files, each with its patterns
    suffix: str = ""
    confirms: bool = True


@dataclass(frozen=True, slots=True)
class Shown:
    """Something only to be read."""

    value: str = ""
    _: KW_ONLY
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class Own:
    """A control that the dialog builds and reads itself."""

    widget: QWidget


Kind = Line | ChoiceField | Number | Check | PathField | Shown | Own


@dataclass(frozen=True, slots=True)
class Field:
    """A value with its title."""

    name: str
    title: Message  # by which people do; the accessible name, too
    kind: Kind
    _: KW_ONLY
    tip: str = ""
    is_above: bool = False  # whether the title is above, not beside
    is_title_shown: bool = True  # whether the title is seen; it is the accessible name in any case
    is_live: bool = False
    beside: "Field | None" = None  # a field without a title of its own in the same line
    share: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """A text; with a name it is written by the dialog."""

    text: str = ""
    _: KW_ONLY
    name: str = ""
    look: str = "muted"
    is_code: bool = False
    is_selectable: bool = False
    wraps: bool = True
    share: int = 0


@dataclass(frozen=True, slots=True)
class Body:
    """A widget of the dialog's own: a list, a table, an editor."""

    name: str
    title: Message  # its accessible name; empty = the widget names its parts itself
    widget: QWidget
    _: KW_ONLY
    has_heading: bool = False
    share: int = 1  # of the room that is left; 0 = as high as it needs to be
    scrolls: bool = False  # whether it scrolls where there is not room for all of it
    is_live: bool = False


@dataclass(frozen=True, slots=True)
class Button:
    """A button, never pressed by Enter in a field."""

    name: str
    title: str
    does: Callable[[], object]
    _: KW_ONLY
    tip: str = ""
    is_live: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """Stretch."""

    share: int = 1


class Row:
    """Parts side by side: in one line, or (`wraps`) going on below where there is no room."""

    def __init__(self, *parts: "Part", share: int = 0, wraps: bool = False) -> None:
        self.parts, self.share, self.wraps = parts, share, wraps


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of parts, each with its share of the width."""

    columns: "Sequence[tuple[int, Sequence[Part]]]"
    share: int = 1


@dataclass(frozen=True, slots=True)
class Pairs:
    """Fields in lines of two; None in the second column = the first spans the line."""

    lines: Sequence[tuple[Field, Field | None]]
    share: int = 0


@dataclass(frozen=True, slots=True)
class Tabs:
    """Pages of parts under titles."""

    pages: "Sequence[tuple[str, Sequence[Part]]]"
    share: int = 1


Part = Field | Note | Body | Button | Gap | Row | Columns | Pairs | Tabs


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A dialog's fields and texts."""

    title: str  # of the window; empty = the dialog writes it
    parts: Sequence[Part]
    accept: str = ""  # text of the default button; empty = none
    leave: str = mark("Cancel")  # text of the closing button; empty = none, only Escape
    actions: Sequence[Button] = ()
    focus: str = ""  # name of what has the keyboard first; empty = the first field
    width: int  # in heights of a line
    height: int = 0  # likewise; 0 = as high as it needs to be


def vectors_field(location: str) -> Field:
    hint = mark("a word2vec, GloVe or fastText file, the folder of a language model, or ja-ginza")
    return Field("vectors", mark("Word vectors"), PathField(location, hint=hint))


def model_field(location: str) -> Field:
    hint = mark("the folder of a model for transformers, or the name of one downloaded")
    return Field("model", mark("Language model"), PathField(location, asks=Asks.FOLDER, hint=hint))
