"""Summaries in the file formats of ROUGE-1.5.5: SEE, SPL, ISI and SIMPLE."""

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from awase.core.errors import CorpusFormatError, Listing

_SEE = re.compile(
    rb'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>[ \t\n\r\f\v]+'
    rb'<a href="#[0-9]+" id=[0-9]+>([^<]+)'
)
_ISI = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


def _lines(content: bytes) -> Iterator[bytes]:
    """Yields the lines with their ends; only a line feed ends one."""
    return (line for line in re.findall(rb"[^\n]*\n|[^\n]+", content))


def _see(content: bytes) -> list[bytes]:
    # A sentence runs on to the line's end, line feed included, when no tag closes it.
    return [match[1] for line in _lines(content) if (match := _SEE.match(line))]


def _isi(content: bytes) -> list[bytes]:
    return [match[1] for line in _lines(content) if (match := _ISI.match(line))]


def _spl(content: bytes) -> list[bytes]:
    return [line for line in content.split(b"\n") if line]


def _simple(content: bytes) -> list[bytes]:
    lines = content.split(b"\n")
    return lines if lines[-1] else lines[:-1]


_READERS: Mapping[str, Callable[[bytes], list[bytes]]] = MappingProxyType(
    {"SEE": _see, "SPL": _spl, "ISI": _isi, "SIMPLE": _simple}
)
TEXT_FORMATS = ("SEE", "SPL", "ISI")
BE_FORMATS = ("SIMPLE",)


def sentences_of(content: bytes, format_name: str) -> list[bytes]:
    """Returns the sentences of a summary, or the lines of a BE file.

    Args:
        content: Of the file. Lines that are not of the format are passed over; entities such as
            `&amp;` are not decoded.
        format_name: In any case of letters.

    Raises:
        CorpusFormatError: The format is none of the four.
    """
    reader = _READERS.get(format_name.upper())
    if reader is None:
        raise CorpusFormatError.of(
            "There is no summary format “{name}”.",
            "Use one of {known}.",
            name=format_name,
            known=Listing(_READERS),
        )
    return reader(content)
