"""What can happen to a file: bits that rot, ends that are lost, parts that are doubled or mixed."""

from collections.abc import Callable
from random import Random
from typing import Final

_TOKENS: Final = (
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<DOC>", b"</DOC>", b"<s>", b"&amp;", b"&#0;", b"&x;",
    b'{"', b'":', b"[[", b"]]", b"null", b"true", b"1e999", b"NaN", b"-Infinity", b"9" * 5000,
    b"-1",
    b"\\u0000", b"\\ud800", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b$B", b"\r", b"\r\n",
    b"\t\t",
    b'"', b"'", b"''", b",,", b"\xe2\x80\xa8", b"\xef\xbf\xbd", b"\xe3\x80\x82", b"...", b"../../x",
    b"=cmd()", b"d:0", b"d:99999999999", b"%00", b"\x80", b"0", b"", b" ", b"\n\n\n",
)  # fmt: skip

_Mutation = Callable[[Random, bytes, bytes], bytes]


def _flip(random: Random, data: bytes, _other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8, 64))):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _cut(random: Random, data: bytes, _other: bytes) -> bytes:
    return data[: random.randint(0, len(data))]


def _lose(random: Random, data: bytes, _other: bytes) -> bytes:
    start, end = sorted(random.randint(0, len(data)) for _ in range(2))
    return data[:start] + data[end:]


def _double(random: Random, data: bytes, _other: bytes) -> bytes:
    start, end = sorted(random.randint(0, len(data)) for _ in range(2))
    times = random.choice((1, 1, 2, 50))
    return data[:end] + data[start:end][: 20_000 // times] * times + data[end:]


def _insert(random: Random, data: bytes, _other: bytes) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(_TOKENS) * random.choice((1, 1, 1, 3, 300)) + data[at:]


def _replace(random: Random, data: bytes, _other: bytes) -> bytes:
    words = data.split(b" ")
    words[random.randrange(len(words))] = random.choice(_TOKENS)
    return b" ".join(words)


def _mix(random: Random, data: bytes, other: bytes) -> bytes:
    at, start = random.randint(0, len(data)), random.randint(0, len(other))
    return data[:at] + other[start : start + random.choice((10, 100, 10_000))] + data[at:]


def _swap_lines(random: Random, data: bytes, _other: bytes) -> bytes:
    lines = data.split(b"\n")
    first, second = random.randrange(len(lines)), random.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def _recode(random: Random, data: bytes, _other: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(random.choice(("utf-16", "euc_jp", "cp932", "latin-1", "utf-7")), "replace")


def _number(random: Random, data: bytes, _other: bytes) -> bytes:
    digits = [at for at, byte in enumerate(data) if 0x30 <= byte <= 0x39]
    if not digits:
        return data
    at = random.choice(digits)
    new = random.choice((b"0", b"-1", b"1.5", b"1e400", b"2147483648", b"01", "１".encode(), b""))
    return data[:at] + new + data[at + 1 :]


_MUTATIONS: Final[tuple[_Mutation, ...]] = (
    _flip, _cut, _lose, _double, _insert, _insert, _replace, _mix, _swap_lines, _recode, _number,
)  # fmt: skip


def mutated(random: Random, data: bytes, other: bytes) -> bytes:
    for _ in range(random.choice((1, 1, 2, 3, 4))):
        data = random.choice(_MUTATIONS)(random, data, other)
    return data
