"""What threads free, and what is large, goes back to where all may have it."""

import ctypes
import sys

import pytest
from tests.programs import ran

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "mallinfo2"),
    reason="the C library has one heap, or tells of none",
)

FOUR_THREADS = """
import ctypes, sys, threading
from awase.gui.kit.jobs.running import give_memory_back
if sys.argv[1] == "given back":
    give_memory_back()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
all_have = threading.Barrier(4)
def take():
    libc.malloc(1000)
    all_have.wait()
threads = [threading.Thread(target=take) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
class Info(ctypes.Structure):
    _fields_ = [(f"field{n}", ctypes.c_size_t) for n in range(10)]
libc.mallinfo2.restype = Info
libc.free(libc.malloc(8 << 20))
before = libc.mallinfo2().field4
libc.malloc(8 << 20)
libc.printf(b"from the system: %d\\n", int(libc.mallinfo2().field4 > before))
libc.fflush(None)
"""


def heaps_and_large_blocks(how: str) -> tuple[int, bool]:
    """Returns how many heaps four threads have, and whether large blocks are apart from them."""
    told = ran(FOUR_THREADS, how).stdout
    return told.count("<heap nr="), "from the system: 1" in told


@pytest.mark.slow
def test_that_threads_share_a_heap_and_large_blocks_are_the_systems():
    assert heaps_and_large_blocks("given back") == (1, True)
    # Left alone, threads have heaps of their own. Of a large block nothing can be said then: where
    # something stands behind the heap, it is the system's, too.
    n_heaps, _ = heaps_and_large_blocks("left alone")
    assert n_heaps > 1
