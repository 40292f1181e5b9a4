import os
import subprocess
import sys

import pytest

SESSIONS_DIE = """
import gc
from PySide6.QtCore import QCoreApplication, QObject
from awase.core.records.edit import GuidelinesEdit
from awase.gui.session.undo_stack import EditCommand, UndoStack

class Session(QObject):
    pass

class Steps:
    def step_forward(self, edit):
        return True

program = QCoreApplication([])
edit = GuidelinesEdit(verb="edit_guidelines", old="", new="a")
for _ in range(20):
    steps = Steps()
    commands = [EditCommand.of_history(edit, steps, "x") for _ in range(5)]
    steps.session = session = Session()
    session.undo_stack = UndoStack(session, session)
    for command in commands:
        session.undo_stack.push(command)
    assert session.undo_stack.count() == 5
    del steps, session, commands, command
    gc.collect()
"""


@pytest.mark.slow
def test_that_the_collector_may_come_to_the_commands_before_the_stack():
    overwritten = {**os.environ, "MALLOC_PERTURB_": "165"}  # what is freed, where glibc frees it
    subprocess.run([sys.executable, "-c", SESSIONS_DIE], check=True, env=overwritten)
