"""Passing of numpy arrays to compiled functions."""

import ctypes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

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
    """Returns a C pointer to an array that must outlive the call.

    `ValueError` unless it is contiguous and of `dtype` (`int64`, `float64` or `uint8`).
    """
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise ValueError(f"The compiled kernel takes {dtype} without gaps, not {array.dtype}.")
    address, _ = array.__array_interface__["data"]
    return Array(address, array.size)
