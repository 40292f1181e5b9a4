"""The collector passes records by, and nothing that died is kept for it."""

import gc
import weakref

import pytest
from tests.programs import ran

from awase.gui.kit.jobs import running
from awase.gui.kit.jobs.running import collect_if_due, undisturbed

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _unfrozen():
    was_frozen = gc.get_freeze_count()
    yield
    gc.unfreeze()
    if was_frozen:  # as conftest.py has it
        gc.freeze()


SPARED_TWICE = """
import gc, weakref
from awase.gui.kit.jobs.running import spare_records

class Circle:
    def __init__(self):
        self.itself = self

circle = Circle()
spare_records()
assert gc.get_freeze_count()
known = weakref.ref(circle)
del circle
gc.collect()
assert known() is not None  # spared, so not looked at
spare_records()
assert known() is None
"""


def test_that_what_died_since_records_were_spared_is_freed_when_they_are_spared_again():
    """Here the collector would go through a million objects thrice."""
    ran(SPARED_TWICE)


SPARED_IN_A_MOMENT = """
import gc
from PySide6.QtCore import QCoreApplication, QTimer
from awase.gui.kit.jobs import running
app = QCoreApplication([])
running.LATER_MS = 1
spared = running.SparedRecords(app)
spared.note_read()
assert not gc.get_freeze_count()
QTimer.singleShot(100, app.quit)
app.exec()
assert gc.get_freeze_count()
spared.note_read()
spared.end()
assert not gc.get_freeze_count()
"""


def test_that_records_are_spared_in_a_moment_and_until_the_end():
    ran(SPARED_IN_A_MOMENT)


MANY_SPARED = """
import gc, weakref
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from awase.gui.kit.jobs import running

class Circle:
    def __init__(self):
        self.itself = self

def spare():
    spared.note_read(are_many=True)
    QTimer.singleShot(100, app.quit)
    app.exec()

app = QGuiApplication([])
running.LATER_MS = 1
spared = running.SparedRecords(app)
old = Circle()
spare()
assert gc.get_freeze_count()
known, new = weakref.ref(old), weakref.ref(Circle())
del old
spare()
assert known() is not None, "all were walked while somebody works"
assert new() is None
app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
assert known() is not None
app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
assert known() is None
assert gc.get_freeze_count()
"""


def test_that_many_records_are_walked_once_the_window_is_left():
    ran(MANY_SPARED)


def test_that_records_are_read_without_the_collector_and_are_spared(monkeypatch):
    monkeypatch.setattr(running, "gc", gc)  # and not what conftest.py has in its place
    gc.unfreeze()
    gc.enable()
    with undisturbed():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count()


@pytest.mark.main
def test_that_what_died_in_circles_is_collected_once_there_is_enough_of_it():
    class Circle:
        def __init__(self):
            self.itself = self

    most = gc.get_threshold()
    gc.set_threshold(10_000, 0, 0)  # whatever other tests left to the later generations
    try:
        gc.collect(0)
        known = weakref.ref(Circle())
        collect_if_due()
        assert known() is not None
        more = [[] for _ in range(20_000)]
        collect_if_due()
        assert known() is None
        assert more
    finally:
        gc.set_threshold(*most)


MODULES_SPARED = """
import gc, sys, types
from awase.gui.app import application
from awase.gui.kit.jobs.running import CollectsHere

app = application()
(collects,) = app.findChildren(CollectsHere)
collects._look()
n_spared = gc.get_freeze_count()
assert n_spared

class Circle:
    pass

many = [Circle() for _ in range(50_000)]
for one in many:
    one.itself = one
collects._look()
assert gc.get_freeze_count() <= n_spared, "nothing was loaded, but something was spared"
sys.modules["loaded"] = types.ModuleType("loaded")
collects._look()
assert gc.get_freeze_count() > n_spared + len(many)
gc.unfreeze()
del one, many
"""


def test_that_modules_that_were_loaded_are_spared_and_nothing_else():
    ran(MODULES_SPARED)


FREED_BY_A_JOB = """
import threading
from PySide6.QtCore import QTimer
from awase.gui.app import application

class Circle:
    freed_by = set()
    def __init__(self):
        self.itself = self
    def __del__(self):
        Circle.freed_by.add(threading.current_thread())

def work():
    for _ in range(100_000):
        Circle()

app = application()
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert not Circle.freed_by, Circle.freed_by
watch = QTimer()
watch.timeout.connect(lambda: app.quit() if Circle.freed_by else None)
watch.start(10)
app.exec()
assert Circle.freed_by == {threading.main_thread()}
"""


def test_that_nothing_is_collected_on_the_thread_of_a_job():
    """Whatever of Qt died in a circle would be freed there, beside Qt at work with the rest."""
    ran(FREED_BY_A_JOB)
