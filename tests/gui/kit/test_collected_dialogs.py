"""Dialogs that Python's collector comes to before Qt does."""

import subprocess
import sys

import pytest

A_SHOWN_DIALOG_DIES = """
import gc
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Field, Form, Line
from awase.gui.kit.i18n import mark

program = QApplication([])
gc.disable()
parts = (Field("name", mark("Name"), Line()),)
form = Form(title=mark("x"), parts=parts, leave=mark("Close"), width=20)
older, dialog = FormDialog(form), FormDialog(form)
dialog.in_a_circle = dialog
dialog.show()
del dialog
gc.collect()
assert QGuiApplication.screens()
"""


@pytest.mark.slow
def test_that_a_dialog_in_sight_may_be_collected():
    run = [sys.executable, "-c", A_SHOWN_DIALOG_DIES]
    ended = subprocess.run(run, capture_output=True, text=True)
    assert "Error" not in ended.stderr
    assert ended.returncode == 0
