"""What defines classes of Qt's is loaded on the window's thread alone, one module a turn."""

import pytest
from tests.programs import ran

from awase.core.errors import Cancelled
from awase.gui.frame.commands import MODULES

_WATCHED = """
import sys, threading
class Watch:
    elsewhere = []
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is not threading.main_thread():
            self.elsewhere.append(name)
sys.meta_path.insert(0, Watch())
"""
_OPENING = (
    _WATCHED
    + """
from pathlib import Path
from PySide6.QtCore import QTimer
from awase.gui.app import application, compose
from awase.gui.frame.main_window import MainWindow
folder = Path(sys.argv[1])
app = application()
services = compose(config=folder, data=folder, log=folder)
window = MainWindow(services)
window.show()
window.open_demonstration("en")
def look():
    if window.workspace is not None and not services.jobs.is_busy:
        app.quit()
looks = QTimer(interval=20)
looks.timeout.connect(look)
looks.start()
app.exec()
window.close()
print(*Watch.elsewhere)
print(*sys.modules)
"""
)
_ONE_BY_ONE = """
import sys
from importlib import import_module
import awase.gui.app, awase.gui.frame.main_window
from awase.gui.frame.commands import MODULES
from awase.gui.kit.jobs.running import _with_needs
names = [*_with_needs(("awase.gui.frame.workspace", *MODULES))]
for name in names:
    if not name.startswith("awase.gui."):
        import_module(name)
n_loaded = 0
for name in names:
    if name.startswith("awase.gui.") and name not in sys.modules:
        before = set(sys.modules)
        module = import_module(name)
        new = {one for one in set(sys.modules) - before if one.startswith("awase.")}
        # A folder comes with the first module in it.
        unasked = {one for one in new - {name} if not hasattr(sys.modules[one], "__path__")}
        assert not unasked, (name, unasked)
        n_loaded += 1
print(n_loaded)
"""


@pytest.mark.slow
def test_that_jobs_load_nothing_that_makes_classes_of_qts(tmp_path):
    """A class that is made beside an event brings the program down, once in a hundred starts."""
    elsewhere, loaded = (line.split() for line in ran(_OPENING, tmp_path).stdout.splitlines())
    assert [name for name in elsewhere if name.startswith(("awase.gui", "PySide6"))] == []
    assert "awase.core.metrics.registry" in elsewhere  # so the watch is on
    assert {"awase.gui.frame.workspace", *MODULES} <= set(loaded)


@pytest.mark.slow
def test_that_a_turn_loads_one_module_of_the_window_and_none_beside_it():
    assert int(ran(_ONE_BY_ONE).stdout) > 60


def test_that_a_module_that_is_not_there_ends_the_job_that_asked(services, qtbot):
    failed: list[BaseException] = []
    modules = services.jobs.modules
    job = services.jobs.start("k", lambda it: modules.load(["awase.gui.kit.nothing"], it))
    job.failed.connect(failed.append)
    qtbot.waitUntil(lambda: bool(failed))
    assert isinstance(failed[0], ModuleNotFoundError)
    job = services.jobs.start("k", lambda it: modules.load(MODULES[:1], it))  # the next one goes on
    with qtbot.waitSignal(job.finished):
        pass


def test_that_a_job_that_is_stopped_does_not_wait_for_the_window(services):
    """Whoever stops all jobs stands on the window's thread, which then loads nothing."""
    seen: list[BaseException] = []

    def work(reporter) -> None:
        try:
            services.jobs.modules.load(["awase.gui.frame.workspace"], reporter)
        except Cancelled as error:
            seen.append(error)

    services.jobs.start("k", work)
    services.jobs.stop_all()
    assert len(seen) == 1
