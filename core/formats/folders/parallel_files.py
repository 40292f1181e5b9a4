"""File names of parallel texts, and the form of a text on a line."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import quote, unquote

from awase.core.errors import InputError

IDS: Final = "ids.txt"
SOURCES: Final = "src.txt"
SOURCE_ID: Final = "src"  # id of the document that a line of `src.txt` becomes

_SYSTEM = re.compile(r"out_(.+)\.txt")
_REFERENCE = re.compile(r"ref(.*)\.txt")
_NUMBERED = re.compile(r"(.+)\.([1-9][0-9]*)")
_TAG = re.compile(r"</?t>")
_RESERVED = re.compile(r"(?:CON|PRN|AUX|NUL|COM[0-9]|LPT[0-9])(?:\..*)?", re.IGNORECASE)
_UNSAFE_IN_NAMES = re.compile(r'[\x00-\x1f\x7f%/\\:*?"<>|]|^[._-]|[. ]$')


def system_of(name: str) -> str | None:
    """Returns the system of a file of outputs; None for other files.

    >>> system_of("out_seq2seq%20v2.txt")
    'seq2seq v2'
    """
    match = _SYSTEM.fullmatch(name)
    return unquote(match[1]) if match else None


def is_reference(name: str) -> bool:
    """Returns whether a file has references."""
    return _REFERENCE.fullmatch(name) is not None


def reference_ids(names: Sequence[str]) -> list[str]:
    """Returns an abstract's id for each file of references.

    The part after `ref` and its separator; `ref` itself for `ref.txt`. If ids collide, the whole
    name without its ending.

    >>> reference_ids(["ref.txt", "ref_A.txt", "ref2.txt"])
    ['ref', 'A', '2']
    """
    rests = [match[1] for name in names if (match := _REFERENCE.fullmatch(name))]
    ids = [unquote(rest.lstrip("._-")) or "ref" for rest in rests]
    n_of = Counter(ids)
    return [
        id_ if n_of[id_] == 1 else f"ref{unquote(rest)}"
        for id_, rest in zip(ids, rests, strict=True)
    ]


def reference_owner(name: str, systems: Sequence[str]) -> tuple[str, int] | None:
    """Returns (system, number of the reference) for a file of references of one system's own.

    `ref_X.txt` belongs to system X if there is one, and so do `ref_X.2.txt` and the following.
    """
    match = _REFERENCE.fullmatch(name)
    if match is None or not match[1].startswith("_"):
        return None
    owner = unquote(match[1][1:])
    if owner in systems:
        return owner, 1
    numbered = _NUMBERED.fullmatch(match[1][1:])
    if numbered is not None and unquote(numbered[1]) in systems and int(numbered[2]) > 1:
        return unquote(numbered[1]), int(numbered[2])
    return None


def safe_name(id_: str) -> str:
    """Percent-encodes an id for file names, reserved names included.

    >>> safe_name("a/b"), safe_name("CON")
    ('a%2Fb', '%43ON')
    """
    name = _UNSAFE_IN_NAMES.sub(lambda match: f"%{ord(match[0]):02X}", id_)
    return f"%{ord(name[0]):02X}{name[1:]}" if _RESERVED.fullmatch(name) else name


def safe_names(ids: Iterable[str]) -> dict[str, str]:
    """Returns each id's safe name, distinct on case-insensitive and normalising disks.

    >>> safe_names(["Bart", "bart"])
    {'Bart': '%42art', 'bart': 'bart'}
    """
    every = [*dict.fromkeys(ids)]
    n_of = Counter(map(_as_disks_compare, every))
    return {
        id_: safe_name(id_) if n_of[_as_disks_compare(id_)] == 1 else _told_apart(id_)
        for id_ in every
    }


def _as_disks_compare(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _told_apart(id_: str) -> str:
    return "".join(
        quote(char, safe="")
        if unicodedata.combining(char)
        or unicodedata.normalize("NFC", char) != char
        or (not char.isascii() and char.casefold() != char)
        else f"%{ord(char):02X}"
        if char != char.casefold()
        else safe_name(char)
        if _UNSAFE_IN_NAMES.fullmatch(char)
        else char
        for char in id_
    )


def lines_of(text: str) -> list[str]:
    """Splits at line feeds only; the last line may lack one."""
    # `str.splitlines` also splits at U+2028, U+0085 and form feeds, which scraped texts contain:
    # every item behind would be shifted.
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def line_of(sentences: Sequence[str]) -> str:
    """Returns an item's line of tagged sentences; InputError for a tag in a sentence."""
    for sentence in sentences:
        if _TAG.search(sentence):
            raise InputError.of(
                "The sentence “{text}” has a tag that separates sentences in this format.",
                "Take <t> or </t> out of it, or export as Awase JSON.",
                text=sentence[:80],
            )
    plain = [re.sub(r"\s*[\r\n]\s*", " ", sentence).strip() for sentence in sentences]
    return " ".join(f"<t> {sentence} </t>" for sentence in plain if sentence) or "<t> </t>"
