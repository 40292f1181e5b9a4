"""Decoding of files, without silently broken characters.

All Japanese encodings are decoded by CP932's table, so that EUC-JP, ISO-2022-JP and CP932 give the
same characters (`～` is U+FF5E in all), and vendors' characters of newspapers (`①`, `㈱`, `髙`)
are decoded where Python's own `euc_jp` refuses them.

Candidates compete by the log likelihood of independent characters: a character class's share in
newspapers over its size. All explain the same bytes, so that sums are comparable; EUC-JP read as
CP932, or the reverse, is half-width katakana and rare kanji. The shares are rounded counts, not
fitted: a class is off by a factor of two at most, and the required margins are thousands.
"""

import codecs
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from awase.core.errors import CorpusFormatError, Listing, Problem

_ASCII = math.log(0.03)
_HIRAGANA = math.log(0.45 / 83)
_KATAKANA = math.log(0.08 / 87)
_KANJI_1 = math.log(0.30 / 2965)
_KANJI_2 = math.log(0.004 / 3390)
_STOP = math.log(0.08 / 4)
_BRACKET = math.log(0.04 / 20)
_WIDE = math.log(0.03 / 62)
_SIGN = math.log(0.005 / 100)
_VENDOR = math.log(0.0005 / 100)
_HALF_KANA = math.log(0.0005 / 63)
_RARE = math.log(0.0001 / 6000)

_LETTER = math.log(0.05 / 40)
_ODD_LETTER = math.log(0.003 / 40)
_QUOTE = math.log(0.02 / 12)
_ODD_SIGN = math.log(0.0005 / 40)
_INSIDE_WORD = -6.0

_LEAST_MARGIN = 6.0
_LEAST_JAPANESE = -10.0
_LEAST_WESTERN = -8.5
_N_WITHOUT_KANA = 10

_COMMON_LETTERS = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüßœÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒŠšŽž")
_COMMON_SIGNS = frozenset("‘’“”«»–—…°€£§·•©®\xa0\xad¿¡×½")
_ODD_IN_JAPANESE = ((re.compile(r"[a-z][^\x00-\x7f]|[^\x00-\x7f][a-z]"), -2.5),)
# Neighbours outside ASCII; signs, and capitals, inside words.
_ODD_IN_WESTERN = (
    (re.compile(r"(?=[^\x00-\x7f‘’“”«»–—…\xa0\xad]{2})"), -3.0),
    (
        re.compile(r"(?=[^\W\d_][^\w\s\x00-\x7f‘’–—·\xad][^\W\d_])|(?=[a-z][¹²³ªº][a-z])"),
        _INSIDE_WORD,
    ),
    (re.compile(r"(?=[a-zß-ÿ][À-ÖØ-ÞŠŒŽ])"), _INSIDE_WORD),
)


def japanese_plausibility(text: str) -> float | None:
    """Returns the log likelihood of `text` as Japanese, None when it is out of the question."""
    if not _has_kana(text) and sum(not char.isascii() for char in text) >= _N_WITHOUT_KANA:
        return None
    return _log_likelihood(text, _japanese_character, _ODD_IN_JAPANESE, _LEAST_JAPANESE)


def western_plausibility(text: str) -> float | None:
    """Returns the log likelihood of `text` as French, German, … in CP1252, None when hopeless."""
    return _log_likelihood(text, _western_character, _ODD_IN_WESTERN, _LEAST_WESTERN)


def _log_likelihood(
    text: str,
    weight_of: Callable[[str], float],
    odd: Sequence[tuple[re.Pattern[str], float]],
    least: float,
) -> float | None:
    """Returns that of all characters; None where those outside ASCII have too little on average.

    `odd` has patterns, and what each place where one matches weighs in addition.
    """
    high = {char: n for char, n in Counter(text).items() if not char.isascii()}
    n_high = sum(high.values())
    sum_high = sum(weight_of(char) * n for char, n in high.items())
    sum_high += sum(weight * len(pattern.findall(text)) for pattern, weight in odd)
    if not n_high or sum_high / n_high < least:
        return None
    return sum_high + _ASCII * (len(text) - n_high)


def _has_kana(text: str) -> bool:
    return any("ぁ" <= char <= "ヾ" for char in text)


@lru_cache(maxsize=20000)
def _japanese_character(char: str) -> float:
    if char in "、。，．":
        return _STOP
    if "ぁ" <= char <= "ゟ":
        return _HIRAGANA
    if "゠" <= char <= "ヿ":
        return _KATAKANA
    if char in "「」『』（）・〜～―？！々〇　％":
        return _BRACKET
    if "０" <= char <= "ｚ":
        return _WIDE
    if "｡" <= char <= "ﾟ":
        return _HALF_KANA
    return _weight_in_jis(char)


def _weight_in_jis(char: str) -> float:
    """Returns the weight of a character by its row in JIS X 0208."""
    try:
        place = char.encode("cp932")
    except UnicodeEncodeError:
        return _RARE
    lead = place[0]
    if lead == 0x81:
        return _SIGN
    if 0x88 <= lead <= 0x97 or (lead == 0x98 and place[1] <= 0x72):
        return _KANJI_1
    if 0x98 <= lead <= 0x9F or 0xE0 <= lead <= 0xEA:
        return _KANJI_2
    return _VENDOR


def _western_character(char: str) -> float:
    if char in _COMMON_LETTERS:
        return _LETTER
    if char in _COMMON_SIGNS:
        return _QUOTE
    return _ODD_LETTER if char.isalpha() else _ODD_SIGN


_LIKE_CP932 = (("〜", "～"), ("−", "－"), ("‖", "∥"), ("¢", "￠"), ("£", "￡"), ("¬", "￢"))
_ESCAPE = re.compile(rb"\x1b(?:(?P<kanji>\$[@B])|(?P<ascii>\([BJ])|(?P<kana>\(I))")


def euc_to_text(data: bytes) -> str:
    """Decodes EUC-JP with vendors' characters; `UnicodeDecodeError` with the offset."""
    text = data.decode("euc_jp", _WITH_VENDORS)
    for char, like_cp932 in _LIKE_CP932:
        text = text.replace(char, like_cp932)
    return text


def _vendors_character(error: UnicodeDecodeError) -> tuple[str, int]:
    """Decodes a pair of bytes that Python's codec refuses, and returns where to go on."""
    start = error.start
    pair = error.object[start : start + 2]
    try:
        if len(pair) == 2 and min(pair) > 0xA0 and max(pair) < 0xFF:
            place = _shift_jis(pair[0] - 0xA0, pair[1] - 0xA0)
            return bytes(place).decode("cp932"), start + 2
    except UnicodeDecodeError:
        pass  # no vendor's, either
    raise UnicodeDecodeError("euc-jp", error.object, start, start + 1, "no character")


_WITH_VENDORS = "awase-vendors"
codecs.register_error(_WITH_VENDORS, _vendors_character)  # type: ignore[arg-type]  # decodes only


def _shift_jis(row: int, cell: int) -> tuple[int, int]:
    """Returns the Shift JIS bytes of a cell of JIS X 0208's 94 x 94 table."""
    lead = (row - 1) // 2 + (0x81 if row <= 62 else 0xC1)
    if row % 2 == 0:
        return lead, cell + 0x9E
    return lead, cell + (0x3F if cell <= 63 else 0x40)


def iso_2022_to_text(data: bytes) -> str:
    """Decodes ISO-2022-JP with half-width katakana and vendors' rows; `UnicodeDecodeError`."""
    parts = []
    mode = "ascii"
    offset = 0
    for escape in [*_ESCAPE.finditer(data), None]:
        end = escape.start() if escape is not None else len(data)
        parts.append(_segment_text(data, offset, end, mode))
        if escape is not None:
            mode, offset = escape.lastgroup or "ascii", escape.end()
    return "".join(parts)


def _segment_text(data: bytes, start: int, end: int, mode: str) -> str:
    segment = data[start:end]
    stray = re.search(rb"[\x1b\x80-\xff]", segment)
    if stray is not None:
        offset = start + stray.start()
        raise UnicodeDecodeError("iso-2022-jp", data, offset, offset + 1, "not a 7-bit character")
    if mode == "ascii":
        return segment.decode("ascii")
    lines = segment.split(b"\n") if mode == "kanji" else [segment]
    try:
        return "\n".join(_high_text(line, mode) for line in lines)
    except UnicodeDecodeError as error:
        raise UnicodeDecodeError("iso-2022-jp", data, start, end, "no character") from error


def _high_text(line: bytes, mode: str) -> str:
    high = bytes(byte | 0x80 if byte > 0x20 else byte for byte in line)
    if mode == "kanji":
        return euc_to_text(high)
    return high.decode("cp932")


# What can be declared; aliases such as `shift_jis`, `sjis`, `eucjp` and `iso-8859-1` too.
ENCODINGS = (
    "utf-8",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "euc-jp",
    "cp932",
    "iso-2022-jp",
    "latin-1",
    "cp1252",
)

_ALIASES = {
    "utf8": "utf-8",
    "utf-8-sig": "utf-8",
    "utf16": "utf-16",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "eucjp": "euc-jp",
    "ujis": "euc-jp",
    "cp51932": "euc-jp",
    "eucjp-ms": "euc-jp",
    "shift-jis": "cp932",
    "shiftjis": "cp932",
    "sjis": "cp932",
    "ms932": "cp932",
    "mskanji": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "jis": "iso-2022-jp",
    "latin1": "latin-1",
    "iso-8859-1": "latin-1",
    "windows-1252": "cp1252",
    "ascii": "utf-8",
    "us-ascii": "utf-8",
}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNKNOWN_IN_CP932 = re.compile("[\x80\xa0\ue000-\uf8ff]")
_ONE_UTF8_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    r"""The text of a file."""

    text: str  # with `\n` at the line ends and no byte order mark
    encoding: str  # one of `ENCODINGS`: the one used
    # Whether the encoding follows from plausibility only, so that users should see its name.
    is_guess: bool = False


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Decodes `data`; without a declared encoding it is detected.

    A byte order mark and valid UTF-8 decide. Otherwise EUC-JP, CP932 and CP1252 compete by
    plausibility.
    """
    if declared is not None:
        encoding = _declared_encoding(data, _known_encoding(declared))
        return _finished(_strict(data, encoding), encoding)
    marked = _marked_encoding(data)
    if marked is not None:
        return _finished(_strict(data, marked), marked)
    if b"\0" in data:
        raise _nul(data.index(b"\0"), _line_at(data, data.index(b"\0")))
    if data.isascii():
        encoding = "iso-2022-jp" if _ESCAPE.search(data) else "utf-8"
        return _finished(_strict(data, encoding), encoding)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse_damaged_utf8(data, error)
        return _guessed(data)
    if _could_be_euc(data, text):
        raise _ambiguous(["utf-8", "euc-jp"])
    return _finished(text, "utf-8")


def _known_encoding(declared: str) -> str:
    name = declared.strip().lower().replace("_", "-")
    name = _ALIASES.get(name, name)
    if name not in ENCODINGS:
        raise CorpusFormatError.of(
            "The encoding “{name}” is not one that can be read.",
            "Use one of {known}, or convert the file to UTF-8.",
            name=declared,
            known=Listing(ENCODINGS),
        )
    return name


def _marked_encoding(data: bytes) -> str | None:
    if data.startswith(codecs.BOM_UTF32_LE):
        raise CorpusFormatError.of("The file is UTF-32, or binary.", "Convert it to UTF-8.")
    return next((name for mark, name in _MARKS if data.startswith(mark)), None)


def _declared_encoding(data: bytes, declared: str) -> str:
    marked = _marked_encoding(data)
    if marked is not None:
        if marked != declared and not (declared == "utf-16" and marked.startswith("utf-16")):
            raise CorpusFormatError.of(
                "The file begins with the mark of {marked}, but {declared} was declared.",
                "Declare {marked}, or nothing.",
                marked=marked,
                declared=declared,
            )
        return marked
    if declared == "utf-16":
        raise CorpusFormatError.of(
            "The file has no byte order mark, so the byte order of its UTF-16 is unknown.",
            "Declare utf-16-le (usual on Windows) or utf-16-be.",
        )
    return declared


def _strict(data: bytes, encoding: str) -> str:
    try:
        return _decode(data, encoding)
    except UnicodeDecodeError as error:
        raise CorpusFormatError([_undecodable(data, encoding, error)]) from error


def _decode(data: bytes, encoding: str) -> str:
    """Decodes `data`; `UnicodeDecodeError` with the offset in `data`."""
    if encoding == "euc-jp":
        return euc_to_text(data)
    if encoding == "iso-2022-jp":
        return iso_2022_to_text(data)
    mark = next((mark for mark, name in _MARKS if name == encoding and data.startswith(mark)), b"")
    text = data.decode(encoding) if not mark else data[len(mark) :].decode(encoding)
    if encoding == "cp932" and (unknown := _UNKNOWN_IN_CP932.search(text)):
        offset = len(text[: unknown.start()].encode("cp932"))
        raise UnicodeDecodeError(encoding, data, offset, offset + 1, "vendor's own character")
    if encoding == "latin-1" and (control := re.search("[\x80-\x9f]", text)):
        raise UnicodeDecodeError(encoding, data, control.start(), control.end(), "C1 control")
    return text


def _undecodable(data: bytes, encoding: str, error: UnicodeDecodeError) -> Problem:
    if encoding == "latin-1":
        hint = "Declare cp1252: Latin-1 has no character for this byte."
    elif error.reason == "vendor's own character":
        hint = "There is a vendor's own character (gaiji) there; replace it and try again."
    else:
        hint = "Declare another encoding, or fix the file at this position."
    offset = error.start
    return Problem(
        what="Byte {offset} (hex {byte}) is not {encoding}.",
        hint=hint,
        fields={
            "offset": offset,
            "byte": data[offset : offset + 2].hex(" ").upper(),
            "encoding": encoding,
        },
        line=_line_at(data, offset, encoding),
    )


def _line_at(data: bytes, offset: int, encoding: str = "latin-1") -> int:
    if encoding.startswith("utf-16"):
        before = data[:offset].decode(encoding, errors="ignore")
    else:
        before = data[:offset].decode("latin-1")
    return _unix_lines(before).count("\n") + 1


def _unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _finished(text: str, encoding: str, *, is_guess: bool = False) -> Decoded:
    text = _unix_lines(text)
    if "\0" in text:
        offset = text.index("\0")
        raise _nul(offset, text.count("\n", 0, offset) + 1)
    if "\ufeff" in text:
        line = text.count("\n", 0, text.index("\ufeff")) + 1
        raise CorpusFormatError.of(
            "There is a byte order mark (U+FEFF) inside the text.",
            "Two files were probably joined here; remove the mark.",
            line=line,
        )
    return Decoded(text=text, encoding=encoding, is_guess=is_guess)


def _nul(offset: int, line: int) -> CorpusFormatError:
    return CorpusFormatError.of(
        "The file has a NUL at offset {offset}: it is binary, or UTF-16 without a mark.",
        "Choose a text file; if it is UTF-16, declare utf-16-le or utf-16-be.",
        line=line,
        offset=offset,
    )


def _refuse_damaged_utf8(data: bytes, error: UnicodeDecodeError) -> None:
    """Raises for almost valid UTF-8, which CP1252 would decode as `Ã©`."""
    rest, n_characters = _ONE_UTF8_CHARACTER.subn(b"", data)
    if n_characters and error.reason == "unexpected end of data":
        raise CorpusFormatError.of(
            "The file ends in the middle of a character (byte {offset}): its end is missing.",
            "Copy or save it again from where it came from.",
            line=_line_at(data, error.start),
            offset=error.start,
        ) from error
    n_stray = len(rest.translate(None, delete=bytes(range(0x80))))
    japanese = (_or_empty(data, encoding) for encoding in ("euc-jp", "cp932"))
    if n_characters > 2 * n_stray and all(japanese_plausibility(text) is None for text in japanese):
        raise CorpusFormatError.of(
            "Byte {offset} (hex {byte}) is not UTF-8, though most of the file is.",
            "The file is damaged or cut off there; fix it, or declare its encoding.",
            line=_line_at(data, error.start),
            offset=error.start,
            byte=data[error.start : error.start + 2].hex(" ").upper(),
        ) from error


def _could_be_euc(data: bytes, utf8_text: str) -> bool:
    """Whether valid UTF-8 is more likely a few kanji in EUC-JP: `年` is the UTF-8 of `ǯ`."""
    if len(utf8_text) > 200 or max(utf8_text) > "\u07ff" or western_plausibility(utf8_text):
        return False
    return japanese_plausibility(_or_empty(data, "euc-jp")) is not None


def _or_empty(data: bytes, encoding: str) -> str:
    try:
        return _decode(data, encoding)
    except UnicodeDecodeError:
        return ""


def _is_half_width_or_kanji(data: bytes) -> bool:
    """Whether the bytes are half-width katakana in CP932 as well as kanji alone in EUC-JP."""
    high = {char for char in set(_or_empty(data, "cp932")) if not char.isascii()}
    if not high or not all("｡" <= char <= "ﾟ" for char in high):
        return False
    kanji = _or_empty(data, "euc-jp")
    return bool(kanji) and not _has_kana(kanji)


def _guessed(data: bytes) -> Decoded:
    if _is_half_width_or_kanji(data):
        raise _ambiguous(["euc-jp", "cp932"])
    candidates: list[tuple[float, str, str]] = []  # log likelihood, encoding, text
    for encoding in ("euc-jp", "cp932", "cp1252"):
        text = _or_empty(data, encoding)
        measure = western_plausibility if encoding == "cp1252" else japanese_plausibility
        plausibility = measure(text)
        if plausibility is not None:
            candidates.append((plausibility, encoding, text))
    ranked = sorted(candidates, reverse=True)
    margin = ranked[0][0] - ranked[1][0] if len(ranked) > 1 else math.inf
    if not ranked or margin < _LEAST_MARGIN:
        raise _ambiguous([encoding for _, encoding, _ in candidates])
    _, encoding, text = ranked[0]
    return _finished(text, encoding, is_guess=True)


def _ambiguous(names: list[str]) -> CorpusFormatError:
    if not names:
        return CorpusFormatError.of(
            "The text is not plausible in any encoding that is recognised.",
            "Declare the encoding: one of {known}; if it is none of them, convert it to UTF-8.",
            known=Listing(ENCODINGS),
        )
    return CorpusFormatError.of(
        "The text is too short or too unusual to detect its encoding: it could be {names}.",
        "Declare the encoding.",
        names=" or ".join(names),
    )
