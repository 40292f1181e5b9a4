"""Names of which there may be millions: counted and told apart in a few bytes each."""

import hashlib
from ast import literal_eval
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from awase.core.errors import InputError
from awase.core.metrics.kit.signature import DIGITS_OF_NAMES

_AT_ONCE: Final = 10_000

Packed = np.ndarray[tuple[int], np.dtype[np.bytes_]]


class ManyNames:
    """Names that come portion by portion, held as their letters and no more."""

    def __init__(self) -> None:
        self._portions: list[Packed] = []
        self._n_names = 0

    def __len__(self) -> int:
        return self._n_names

    def add(self, names: Sequence[str]) -> None:
        """Takes names in."""
        self._n_names += len(names)
        # As `repr` writes them they hold no zero byte, and bytes are in the order of letters.
        packed = [repr(name).encode() for name in names]
        if packed:
            self._portions.append(np.array(packed, np.bytes_))

    def named(self) -> str:
        """Returns what `signature.named` returns.

        Raises:
            InputError: A name came twice.
        """
        digest = hashlib.sha256(b"[")
        before, separator = b"", b""
        for one in self._in_order():
            if one == before:
                raise InputError.of(
                    "There are two items “{id}”.",
                    "Give each its own id.",
                    id=literal_eval(one.decode()),
                )
            digest.update(separator + repr(one.decode()).encode())
            before, separator = one, b", "
        digest.update(b"]")
        return f"{len(self)}@{digest.hexdigest()[:DIGITS_OF_NAMES]}"

    def _in_order(self) -> Iterator[bytes]:
        if not self._portions:
            return
        widest = max(portion.itemsize for portion in self._portions)
        held = sum(portion.nbytes for portion in self._portions)
        if widest * len(self) > 4 * held:  # a few long names would make all of them long
            yield from sorted(name for portion in self._portions for name in portion.tolist())
            return
        self._portions = [np.sort(np.concatenate(self._portions))]
        for at in range(0, len(self), _AT_ONCE):
            yield from self._portions[0][at : at + _AT_ONCE].tolist()
