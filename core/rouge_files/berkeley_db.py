"""Hash files of Berkeley DB: ROUGE-1.5.5 keeps its irregular forms in one."""

import struct
from collections.abc import Iterator

from awase.core.errors import CorpusFormatError

_MAGIC = 0x061561
_VERSIONS = range(7, 11)
_META = struct.Struct("12xIII")
_PAGE = struct.Struct("20xH3xB")
_ON_PAGE = 1
_HASH_PAGES = (2, 13)


def entries_of(content: bytes) -> dict[bytes, bytes]:
    """Returns every key with its value."""
    order, page_size = _order_and_page_size(content)
    try:
        return dict(_entries(content, order, page_size))
    except (struct.error, IndexError) as error:
        raise CorpusFormatError.of("The Berkeley DB file is damaged.") from error


def _order_and_page_size(content: bytes) -> tuple[str, int]:
    for order in "<>":
        if len(content) >= _META.size:
            magic, version, page_size = struct.unpack_from(order + _META.format, content)
            if magic == _MAGIC and version in _VERSIONS and page_size >= _META.size:
                return order, page_size
    raise CorpusFormatError.of("This is no hash file of Berkeley DB 3 to 5.")


def _entries(content: bytes, order: str, page_size: int) -> Iterator[tuple[bytes, bytes]]:
    for start in range(page_size, len(content), page_size):
        page = content[start : start + page_size]
        n_items, kind = struct.unpack_from(order + _PAGE.format, page)
        if kind not in _HASH_PAGES:
            continue
        begins = struct.unpack_from(f"{order}{n_items}H", page, _PAGE.size)
        # Items lie from the end of the page towards its begin: key, value, key, value.
        items = [
            _item(page[begin:end]) for begin, end in zip(begins, (page_size, *begins), strict=False)
        ]
        yield from zip(items[::2], items[1::2], strict=False)


def _item(item: bytes) -> bytes:
    if item[0] != _ON_PAGE:
        raise CorpusFormatError.of("The Berkeley DB file has values that fill pages.")
    return item[1:]
