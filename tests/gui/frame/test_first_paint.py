"""What the first paint of the window does without: told by what is imported, not by a clock."""

import subprocess
import sys

import pytest

LATER = ("sqlalchemy", "numpy", "awase.core.records.corpus", "awase.core.records.edits")


@pytest.mark.slow
def test_that_the_window_is_painted_before_what_is_slow_is_loaded() -> None:
    code = "import sys, awase.gui.app; print(*sys.modules, sep='\\n')"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = told.stdout.split()
    assert "awase.gui.frame.main_window" in loaded
    assert [name for name in loaded if name.startswith(LATER)] == []
