"""What holds for the whole run: byte code is kept, and laws are tried in part or whole."""

import builtins
import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.laws import PART, WHOLE

if sys.dont_write_bytecode:
    # Each worker, and each `awase` that a test starts, would compile all sources anew: a minute.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_IN_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30

if (
    _IN_MEMORY.is_dir()
    and os.access(_IN_MEMORY, os.W_OK)
    and shutil.disk_usage(_IN_MEMORY).free > _ROOM
    and not os.statvfs(_IN_MEMORY).f_flag & os.ST_NOEXEC
):
    # Corpora wait for the disk at every write, which no test but the proofs with power cuts is
    # about, and those write down what they wait for.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))

settings.register_profile("part", max_examples=PART, deadline=None)
settings.register_profile("whole", max_examples=WHOLE, deadline=None)
settings.load_profile("part")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collects no garbage among the million objects of modules, then or while tests run.

    What tests leave behind is looked through less often than by default: there is much of it.
    """
    _read_no_sources()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.enable()


def _read_no_sources() -> None:
    """Keeps others from reading the source of each module that is imported.

    PySide looks for a feature that nobody uses; Hypothesis for constants, of which the examples
    would depend on what else is imported: those of the whole run may.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
    providers = sys.modules.get("hypothesis.internal.conjecture.providers")
    if settings.default.max_examples == PART and hasattr(providers, "is_local_module_file"):
        providers.is_local_module_file = lambda _path: False
