"""What holds for the whole run: byte code is kept, and laws are tried in part, whole or afresh."""

import builtins
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

from tests.laws import PART, WHOLE

if TYPE_CHECKING:
    from tests.storage.servers import Server

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
    os.environ.setdefault("TMPDIR", str(_IN_MEMORY))
    tempfile.tempdir = None  # where others looked before

# The same examples with each run: nobody's change turns red for what another run had overlooked.
SAME = {"deadline": None, "derandomize": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("part", max_examples=PART, **SAME)
settings.register_profile("whole", max_examples=WHOLE, **SAME)
settings.register_profile(
    "fresh", settings.get_profile("whole"), derandomize=False, print_blob=True
)
settings.load_profile("part")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="record the goldens anew")
    parser.addoption("--whole", type=Path, help="write the goldens' whole outputs to this folder")


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
        gc.set_threshold(50_000, 20, 20)
        gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    """Lets workers tell results alone, where nobody asked for what each step took."""
    option = config.option
    if hasattr(config, "workerinput") and option.durations is None and not option.xmlpath:
        config.pluginmanager.register(ResultsAlone())


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Collects once; what is left would be gone through again by pytest, twice, and at the exit."""
    gc.collect()
    gc.freeze()


class ResultsAlone:
    """Reports what a test came to, and of making ready and tidying up only what went wrong.

    Each report is packed by a worker and unpacked by the one that counts: of 5,000 tests that was
    a tenth of the run, most of it for names of folders and marks that nobody reads.
    """

    @pytest.hookimpl
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if report.passed:
                report.keywords = {}
            if report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[object]:
    """Frees what windows leave behind on this thread: on a test's own, the program would crash.

    Python's collector runs on whichever thread makes the object that is one too many.
    """
    if not _has_windows(item):
        return (yield)
    gc.disable()
    try:
        return (yield)
    finally:
        if not _has_windows(nextitem):  # or jobs of pages that are lent on would collect
            gc.collect()
            gc.enable()


def _has_windows(item: pytest.Item | None) -> bool:
    return "_widgets_gone" in getattr(item, "fixturenames", ())


def _read_no_sources() -> None:
    """Keeps others from reading the source of each module that is imported.

    PySide looks for a feature that nobody uses; Hypothesis for constants, of which the examples
    would depend on what else is imported: fresh ones may.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
    providers = sys.modules.get("hypothesis.internal.conjecture.providers")
    if settings.default.derandomize and hasattr(providers, "is_local_module_file"):
        providers.is_local_module_file = lambda _path: False


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Server]":
    """A PostgreSQL server, where its programs are on this machine; a test makes its database."""
    pytest.importorskip("psycopg")
    from tests.storage.servers import controlled_server

    with controlled_server(tmp_path_factory.mktemp("postgresql") / "server") as server:
        yield server


@pytest.fixture
def held_back(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Every file is a large one, whose pages are looked at once this is set."""
    from awase.storage.files import locks_and_backups

    monkeypatch.setattr(locks_and_backups, "LARGE_BYTES", 0)
    goes_on, look = Event(), locks_and_backups.check_content

    def wait_and_look(*arguments: object) -> None:
        assert goes_on.wait(60)
        look(*arguments)

    monkeypatch.setattr(locks_and_backups, "check_content", wait_and_look)
    yield goes_on
    goes_on.set()
