"""EUC-JP and ISO-2022-JP bytes to text by the table of CP932 (Microsoft's CP51932 and CP50221).

Python's `euc_jp` and `iso2022_jp` refuse the vendors' rows 13 and 89 to 92 and read a few marks
(`～`, `－`, `∥`) as other characters than `cp932` does; here the bytes are moved to their place in
Shift JIS first, so that one table reads all three.
"""

import re

_UNIT = re.compile(
    rb"(?P<ascii>[\x00-\x7f]+)"
    rb"|(?P<kanji>(?:[\xa1-\xfe][\xa1-\xfe])+)"
    rb"|(?P<kana>\x8e[\xa1-\xdf])"
    rb"|(?P<supplement>\x8f[\xa1-\xfe][\xa1-\xfe])"
)
_LIKE_CP932 = (("〜", "～"), ("−", "－"), ("‖", "∥"), ("¢", "￠"), ("£", "￡"), ("¬", "￢"))
_ESCAPE = re.compile(rb"\x1b(?:(?P<kanji>\$[@B])|(?P<ascii>\([BJ])|(?P<kana>\(I))")


def euc_to_text(data: bytes) -> str:
    """Returns the text of EUC-JP bytes, vendors' characters included.

    Raises:
        UnicodeDecodeError: With the offset of the first byte that stands for nothing.
    """
    try:
        text = data.decode("euc_jp")
    except UnicodeDecodeError:
        return _by_place(data)
    for char, like_cp932 in _LIKE_CP932:
        text = text.replace(char, like_cp932)
    return text


def _by_place(data: bytes) -> str:
    """Reads what Python's codec refuses; some thirty times slower."""
    parts = []
    offset = 0
    while offset < len(data):
        unit = _UNIT.match(data, offset)
        if unit is None:
            raise UnicodeDecodeError("euc-jp", data, offset, offset + 1, "no character")
        parts.append(_unit_text(data, unit))
        offset = unit.end()
    return "".join(parts)


def _unit_text(data: bytes, unit: re.Match[bytes]) -> str:
    match unit.lastgroup:
        case "ascii":
            return unit[0].decode("ascii")
        case "kana":
            return unit[0][1:].decode("cp932")
        case "supplement":
            try:
                return unit[0].decode("euc_jp")
            except UnicodeDecodeError:
                raise _nothing(data, unit.start()) from None
    return _kanji_text(data, unit.start(), unit[0])


def _kanji_text(data: bytes, offset: int, pairs: bytes) -> str:
    moved = bytearray(pairs)
    for index in range(0, len(pairs), 2):
        moved[index], moved[index + 1] = _shift_jis(pairs[index] - 0xA0, pairs[index + 1] - 0xA0)
    try:
        return moved.decode("cp932")
    except UnicodeDecodeError as error:
        raise _nothing(data, offset + error.start - error.start % 2) from None


def _shift_jis(row: int, cell: int) -> tuple[int, int]:
    """Returns the Shift JIS bytes of a place in the 94 x 94 table of JIS X 0208."""
    lead = (row - 1) // 2 + (0x81 if row <= 62 else 0xC1)
    if row % 2 == 0:
        return lead, cell + 0x9E
    return lead, cell + (0x3F if cell <= 63 else 0x40)


def _nothing(data: bytes, offset: int) -> UnicodeDecodeError:
    return UnicodeDecodeError("euc-jp", data, offset, offset + 1, "no character")


def iso_2022_to_text(data: bytes) -> str:
    """Returns the text of ISO-2022-JP bytes, half-width katakana and vendors' rows included.

    Raises:
        UnicodeDecodeError: With the offset of the first byte that stands for nothing.
    """
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
