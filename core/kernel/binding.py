"""Loads the compiled library of `kernel/`.

It is beside this file in a wheel of this platform, or after tools/build_kernel.py. AWASE_KERNEL=off
disables it; every number stays the same, which is why core may read the environment here only.
"""

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Array(ctypes.Structure):
    """`Array` and `ArrayMut` of kernel/src/boundary.rs."""

    _fields_ = (("data", ctypes.c_void_p), ("len", ctypes.c_size_t))


class RawTexts(ctypes.Structure):
    """`RawTexts` of kernel/src/comparison.rs: one side of several comparisons."""

    _fields_ = (
        ("ids", Array),
        ("sentence_starts", Array),
        ("text_starts", Array),
        ("starts", Array),
    )


def passed(array: "NDArray[Any]", dtype: str) -> Array:
    """Returns address and size of an array that must outlive the call.

    `ValueError` unless it is contiguous and of `dtype` (`int64`, `float64` or `uint8`).
    """
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise ValueError(f"The compiled kernel takes {dtype} without gaps, not {array.dtype}.")
    address, _ = array.__array_interface__["data"]
    return Array(address, array.size)


# The interface's version; a library with another number is ignored.
INTERFACE: Final = 13

SWITCH: Final = "AWASE_KERNEL"
OFF: Final = "off"

_SUFFIXES: Final = {"win32": "dll", "darwin": "dylib"}

NAME: Final = f"awase_kernel.{_SUFFIXES.get(sys.platform, 'so')}"

PLACE: Final = Path(__file__).with_name(NAME)

_SIZE: Final = ctypes.c_size_t
_TEXTS: Final = ctypes.POINTER(RawTexts)
_ARGUMENTS: Final = {
    "awase_tokens": (Array, Array, Array, Array, Array),
    "awase_numbers": (Array,) * 8,
    "awase_words": (*(Array,) * 6, _SIZE, Array),
    "awase_ngrams": (_TEXTS, _TEXTS, Array, _SIZE, _SIZE, Array),
    "awase_skip_bigrams": (_TEXTS, _TEXTS, Array, ctypes.c_int64, _SIZE, Array, Array),
    "awase_budget": (Array, Array, Array, Array, Array, ctypes.c_int64, Array, Array, Array),
    "awase_budget_ties": (*(Array,) * 5, *(ctypes.c_int64,) * 3, Array, Array),
    "awase_recount": (*(Array,) * 3, _SIZE, Array, ctypes.c_int64, *(Array,) * 3),
    "awase_matching": (Array,) * 8 + (ctypes.c_int64, Array, Array, Array),
    "awase_paths": (_TEXTS, _TEXTS, _TEXTS, _TEXTS, Array, Array, _SIZE, Array),
}
_DONE, _TOO_LARGE = 0, 3


class KernelError(RuntimeError):
    """The library refused its input, or is defective: a bug either way."""


class Kernel:
    """The functions of the library."""

    def __init__(self, library: ctypes.CDLL) -> None:
        """Takes a library of version `INTERFACE`."""
        self._library = library
        for name, arguments in _ARGUMENTS.items():
            function = getattr(library, name)
            function.argtypes, function.restype = arguments, ctypes.c_int32

    def call(self, name: str, *arguments: object) -> bool:
        """Returns whether it succeeded, False = too large for it; `KernelError` on a defect."""
        status = getattr(self._library, name)(*arguments)
        if status not in (_DONE, _TOO_LARGE):
            raise KernelError(
                f"{name} of the compiled kernel gave status {status}. {SWITCH}={OFF} computes the "
                "same without it."
            )
        return bool(status == _DONE)


def kernel() -> Kernel | None:
    """Returns the library; None where it was not built, cannot be used here, or is switched off."""
    return _opened()


@cache
def _opened() -> Kernel | None:
    if os.environ.get(SWITCH) == OFF or not PLACE.exists():
        return None
    try:
        library = ctypes.CDLL(str(PLACE))
        return Kernel(library) if library.awase_interface() == INTERFACE else None
    except (OSError, AttributeError):
        return None


def description() -> str:
    """Names the active implementation."""
    return "numpy" if kernel() is None else "compiled kernel"
