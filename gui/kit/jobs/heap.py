"""Memory that was freed, and who may have it next.

glibc gives each thread a heap of its own: a job ends, its thread stays, and what it has freed waits
there for its next job alone. And once a large block was freed, it puts blocks of that size among
the small ones, which then keep their room from going back to the system. The holes outgrew what
the window holds.
"""

import ctypes
import sys
from typing import Final

# From glibc's malloc.h; other systems have other numbers, or no such function.
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
_LARGE_BYTES: Final = 128 << 10
"""What glibc begins with, before it learns from what is freed; naming it keeps it from learning."""


def give_memory_back() -> None:
    """Lets threads take memory from one heap, and large blocks be the system's again when freed.

    Threads wait for each other there, shortly: Python's small objects come from elsewhere. To be
    called before threads begin; does nothing where the C library is not glibc.
    """
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "gnu_get_libc_version"):
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
