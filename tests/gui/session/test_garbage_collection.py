"""The collector passes records by, and nothing that died is kept for it."""

import gc
import subprocess
import sys

import pytest

from awase.gui.session.garbage_collection import undisturbed


@pytest.fixture(autouse=True)
def _unfrozen():
    was_frozen = gc.get_freeze_count()
    yield
    gc.unfreeze()
    if was_frozen:  # as conftest.py has it
        gc.freeze()


SPARED_TWICE = """
import gc, weakref
from awase.gui.session.garbage_collection import spare_records

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
    """In a process of its own: here the collector would go through a million objects thrice."""
    subprocess.run([sys.executable, "-c", SPARED_TWICE], check=True)


SPARED_IN_A_MOMENT = """
import gc
from PySide6.QtCore import QCoreApplication, QTimer
from awase.gui.session.garbage_collection import SparedRecords
app = QCoreApplication([])
spared = SparedRecords(later_ms=1)
spared.take_note()
assert not gc.get_freeze_count()
QTimer.singleShot(100, app.quit)
app.exec()
assert gc.get_freeze_count()
spared.take_note()
spared.end()
assert not gc.get_freeze_count()
"""


@pytest.mark.slow
def test_that_records_are_spared_in_a_moment_and_until_the_end():
    """In a process of its own: what other tests left behind is none of this test's."""
    subprocess.run([sys.executable, "-c", SPARED_IN_A_MOMENT], check=True)


def test_that_records_are_read_without_the_collector_and_are_spared():
    gc.unfreeze()
    with undisturbed():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count()
