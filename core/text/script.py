"""Letters: languages and scripts, characters that do not belong into texts, search, lengths."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final
from unicodedata import combining, normalize

_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_HALF_WIDTH_MARKS: Final = "\uff9e\uff9f"
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_LEAST_JAPANESE_SHARE = 0.2
_HAN: Final = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
_KANA: Final = re.compile(r"[ぁ-ゟァ-ヺー-ヿㇰ-ㇿｦ-ﾟ]")
# Headlines of Japanese papers often have no kana, sentences of this length hardly ever.
_LEAST_CHINESE: Final = 20


@cache
def _japanese_letters() -> re.Pattern[str]:
    """Returns the regular expression of kana and kanji, lazily compiled."""
    return re.compile(r"[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ々]")


def has_japanese_letters(text: str) -> bool:
    """Returns whether there is any kana or kanji in the text."""
    return not text.isascii() and _japanese_letters().search(text) is not None


def detect_language(text: str) -> str:
    """Returns `ja` if at least a fifth of the letters are kana or kanji, otherwise `en`.

    >>> detect_language("TSC-3 のコーパス")
    'ja'
    """
    if text.isascii():
        return "en"
    n_japanese = len(_japanese_letters().findall(text))
    n_letters = n_japanese + len(_LATIN.findall(text))
    return "ja" if n_japanese and n_japanese >= _LEAST_JAPANESE_SHARE * n_letters else "en"


def is_chinese(text: str, *, is_declared: bool = False) -> bool:
    """Returns whether a text of some length has Chinese characters and no kana among them.

    A text that is declared Chinese may have any length.
    """
    least = 1 if is_declared else _LEAST_CHINESE
    return len(_HAN.findall(text)) >= least and _KANA.search(text) is None


def without_selectors(text: str) -> str:
    """Removes variation selectors, which choose a glyph."""
    return text if text.isascii() else _SELECTORS.sub("", text)


def clusters(text: str) -> list[tuple[int, int]]:
    """Returns (start, end) of each character with its marks and selectors.

    >>> clusters("か\u3099ﾃﾞ")
    [(0, 2), (2, 4)]
    """
    starts = [
        at for at, letter in enumerate(text)
        if at == 0 or not (
            combining(letter) or letter in _HALF_WIDTH_MARKS or _SELECTORS.match(letter)
        )
    ]  # fmt: skip
    return list(zip(starts, [*starts[1:], len(text)], strict=False))


_SEPARATOR: Final = re.compile(r"</?t>|<q>|<n>|</s>|<S_SEP>|\[SEP\]", re.IGNORECASE)
_OPENING: Final = re.compile(r"<s>", re.IGNORECASE)


@dataclass(eq=False, slots=True, kw_only=True)
class Separators:
    """Splitting by sentence tags, and a record of those found."""

    is_on: bool = True
    # In order; without `<t> … </t>`, which are this program's own.
    found: dict[str, None] = field(default_factory=dict)
    joins_lines: bool = False

    def note_lines(self) -> None:
        """Records a split by line feeds."""
        self.found[r"\n"] = None

    def parts(self, text: str) -> tuple[str, ...] | None:
        """Returns the sentences of a text with tags; None without tags.

        >>> Separators().parts("a b <q> c"), Separators().parts("<q>a</q>")
        (('a b', 'c'), None)
        """
        if not self.is_on or ("<" not in text and "[" not in text):
            return None
        met = dict.fromkeys(_SEPARATOR.findall(text))
        if "</q>" in text:
            met.pop("<q>", None)  # HTML's quotations
        if not met:
            return None
        self.found |= {tag: None for tag in met if tag not in ("<t>", "</t>")}
        if "</s>" in met:
            text = _OPENING.sub(" ", text)
        pieces = re.split("|".join(map(re.escape, met)), text)
        return tuple(filter(None, map(str.strip, pieces)))


Span = tuple[int, int]

# Wave dash and minus, which keyboards and conversions exchange for ～ and －.
_ALIKE = {0x301C: "~", 0x2212: "-"}


def folded(text: str) -> str:
    """Returns `text` as it is compared: NFKC, without case and variation selectors."""
    if text.isascii():
        return text.lower()
    return normalize("NFKC", without_selectors(text)).casefold().translate(_ALIKE)


def spans_of(text: str, needle: str) -> tuple[Span, ...]:
    """Returns the (start, end) of non-overlapping occurrences of a `folded` needle."""
    if not needle:
        return ()
    if text.isascii():
        return tuple((at, at + len(needle)) for at in _places(text.lower(), needle))
    pieces, starts, ends = [], [], []
    for start, end in clusters(text):
        piece = folded(text[start:end])
        pieces.append(piece)
        starts += [start] * len(piece)
        ends += [end] * len(piece)
    spans: list[Span] = []
    for at in _places("".join(pieces), needle):
        start, end = starts[at], ends[at + len(needle) - 1]
        if not spans or start >= spans[-1][1]:  # ß is folded to two letters
            spans.append((start, end))
    return tuple(spans)


def _places(text: str, needle: str) -> list[int]:
    places = []
    at = text.find(needle)
    while at >= 0:
        places.append(at)
        at = text.find(needle, at + len(needle))
    return places


def joined_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Returns the union of spans, as ordered (start, end) that do not touch.

    >>> joined_spans([(4, 6), (0, 2), (2, 3)])
    ((0, 3), (4, 6))
    """
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Control characters but tab and line end, halves of surrogate pairs, byte order marks and what is
# no character; and what turns the direction of all text behind it, which garbles other sentences.
_UNWANTED = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\u202a-\u202e\u2066-\u2069]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    r"""A text without what cannot be stored or shown."""

    text: str  # with `\n` at the line ends
    # (code such as `U+0000`, how often) of each character that was left out.
    removed: tuple[tuple[str, int], ...] = ()

    @property
    def n_removed(self) -> int:
        """Number of removed characters."""
        return sum(count for _, count in self.removed)


def cleaned(text: str) -> Cleaned:
    r"""Normalises line ends and removes control characters.

    Emoji, combining marks, and right-to-left letters and marks stay.

    >>> cleaned("a\x00b\r\n").text
    'ab\n'
    """
    plain = _LINE_ENDS.sub("\n", text)
    counts = Counter(_UNWANTED.findall(plain))
    removed = tuple((f"U+{ord(char):04X}", count) for char, count in sorted(counts.items()))
    return Cleaned(text=_UNWANTED.sub("", plain) if removed else plain, removed=removed)


def on_one_line(text: str) -> str:
    """Returns a clean text on one line, without outer blanks and tabs."""
    return " ".join(cleaned(text).text.split("\n")).replace("\t", " ").strip()


_RUNS: Final = re.compile(r"'*[=+\-@\t\r＝＋－＠](?s:.)")
_GUARD: Final = "'"


def to_cell(text: str) -> str:
    """Escapes `text` as a spreadsheet cell that is no formula.

    >>> to_cell("=1+1"), to_cell("-0.5"), to_cell("lead")
    ("'=1+1", '-0.5', 'lead')
    """
    is_taken = _RUNS.match(text) and not is_number(text.lstrip(_GUARD))
    return _GUARD + text if is_taken else text


def from_cell(cell: str) -> str:
    """Inverts `to_cell`.

    >>> from_cell("'=1+1"), from_cell("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell.startswith(_GUARD) and to_cell(cell[1:]) == cell else cell


def as_cells(rows: Iterable[Sequence[str]]) -> str:
    """Returns the rows for pasting into a spreadsheet: a line each, cells parted by tabs."""
    lines = ("\t".join(to_cell(" ".join(cell.split())) for cell in row) for row in rows)
    return "".join(f"{line}\n" for line in lines)


def is_number(text: str | bytes) -> bool:
    """Returns whether a text is one number as programs write it."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def length_of(sentences: Sequence[str], unit: str) -> int:
    """Returns the length of a summary in `unit`; `ValueError` if unknown.

    Characters exclude white space, as in TSC; words are separated by blanks; bytes are those of
    UTF-8, without line ends.

    >>> length_of(["犬が 走る。"], "characters")
    5
    """
    return sum(lengths_of(sentences, unit))


def lengths_of(sentences: Iterable[str], unit: str) -> list[int]:
    """Returns the length of each sentence; arguments and errors as of `length_of`."""
    if unit not in _OF_ONE:
        raise ValueError(f"no unit {unit!r}")
    return [*map(_OF_ONE[unit], sentences)]


def _n_characters(text: str) -> int:
    """Returns the number of characters for a reader: marks and variation selectors do not count."""
    if text.isascii():
        return len("".join(text.split()))
    return sum(not text[start].isspace() for start, _ in clusters(text))


_OF_ONE: Final[Mapping[str, Callable[[str], int]]] = MappingProxyType(
    {
        "characters": _n_characters,
        "words": lambda sentence: len(sentence.split()),
        "bytes": lambda sentence: len(sentence.encode("utf-8", "replace")),
        "sentences": lambda sentence: int(bool(sentence.strip())),
    }
)


def usual_unit(language: str | None, text: str = "") -> str:
    """Returns the default unit of summaries in `language`; None = detect it in the text."""
    code = language or detect_language(text)
    return "characters" if code == "ja" else "words"
