"""How arrays reach the compiled functions."""

import ctypes
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]

SIZE: Final = ctypes.c_size_t


def address(array: NDArray[Any]) -> ctypes.c_void_p:
    """Returns where the numbers of an array begin; it must outlive the call."""
    if not array.flags.c_contiguous:
        raise ValueError("Compiled functions take arrays without gaps.")
    return ctypes.c_void_p(array.ctypes.data)


class RawTexts(ctypes.Structure):
    """One side of several comparisons: `RawTexts` of kernel/src/comparison.rs."""

    _fields_ = (
        ("ids", ctypes.c_void_p),
        ("sentence_starts", ctypes.c_void_p),
        ("text_starts", ctypes.c_void_p),
        ("starts", ctypes.c_void_p),
        ("n_comparisons", SIZE),
    )


class HeldTexts:
    """Offsets and numbers of texts, kept while a compiled function reads them."""

    def __init__(self, ids: Ids, sentence_starts: Ids, text_starts: Ids, starts: Ids) -> None:
        """Takes them as `Texts` of the ROUGE family has them.

        Raises:
            ValueError: Offsets lead out of the array that they point into.
        """
        levels = [starts, text_starts, sentence_starts, ids]
        for offsets, below in zip(levels, levels[1:], strict=False):
            n_below = len(below) - (below is not ids)
            if offsets[0] != 0 or offsets[-1] != n_below or (np.diff(offsets) < 0).any():
                raise ValueError("Offsets do not fit what they point into.")
        self._arrays = [np.ascontiguousarray(level, np.int64) for level in reversed(levels)]
        self.raw = RawTexts(*map(address, self._arrays), len(starts) - 1)
