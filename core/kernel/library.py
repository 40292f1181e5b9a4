"""Finds and opens the compiled library that `kernel/` is built into.

It lies beside this file when a wheel of this platform brought it or `tools/build_kernel.py` made it.
Whoever wants to do without sets AWASE_KERNEL=off; every number stays the same.
"""

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import Final

INTERFACE: Final = 1
"""What the functions take; a library that says another number is left alone."""

_SUFFIXES: Final = {"win32": "dll", "darwin": "dylib"}

NAME: Final = f"awase_kernel.{_SUFFIXES.get(sys.platform, 'so')}"

PLACE: Final = Path(__file__).with_name(NAME)


@cache
def kernel() -> ctypes.CDLL | None:
    """Returns the library; None where it was not built, cannot be used here, or is switched off."""
    if os.environ.get("AWASE_KERNEL") == "off":
        return None
    try:
        library = ctypes.CDLL(str(PLACE))
        is_ours = library.awase_interface() == INTERFACE
    except (OSError, AttributeError):
        return None
    return library if is_ours else None


def description() -> str:
    """Returns in a word or two what does the counting."""
    return "numpy" if kernel() is None else "compiled kernel"
