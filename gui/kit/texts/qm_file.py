"""Writer of Qt's translation files (.qm)."""
# A `QTranslator` in Python would be called on Qt's threads with a lock held, for which the window
# could wait while holding the GIL.

import struct
from collections.abc import Mapping
from typing import Final

_MAGIC: Final = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")
_HASHES, _MESSAGES = 0x42, 0x69
_END, _TRANSLATION, _SOURCE, _CONTEXT = 1, 3, 6, 7


def qm_file(words: Mapping[tuple[str, str], str]) -> bytes:
    """Returns the bytes for `QTranslator.load`."""
    messages, hashes = b"", []
    for (context, source), translation in words.items():
        hashes.append(struct.pack(">II", _hash(source), len(messages)))
        messages += _tagged(_TRANSLATION, translation.encode("utf-16-be"))
        messages += _tagged(_SOURCE, source.encode()) + _tagged(_CONTEXT, context.encode())
        messages += bytes([_END])
    return _MAGIC + _tagged(_HASHES, b"".join(sorted(hashes))) + _tagged(_MESSAGES, messages)


def _tagged(tag: int, value: bytes) -> bytes:
    return struct.pack(">BI", tag, len(value)) + value


def _hash(source: str) -> int:
    """Returns the ELF hash, Qt's index of messages."""
    found = 0
    for byte in source.encode():
        found = (found << 4) + byte
        high = found & 0xF0000000
        found = (found ^ high >> 24) & ~high
    return found or 1
