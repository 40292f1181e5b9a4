"""A monkey at the window; `make proof-monkey` lets it do 20,000 things."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_that_memory_that_grows_is_told_from_memory_that_is_flat():
    pytest.importorskip("PySide6")
    from tests.proofs.monkey import growth

    at_first = [270.0, 330.0, 360.0, 370.0, 380.0, 390.0]
    assert growth([*at_first, 400, 380, 400, 400, 380, 400]) == 0
    assert growth([*at_first, 400, 420, 440, 460, 480, 500]) == pytest.approx(60 / 420)


@pytest.mark.slow
def test_that_a_monkey_finds_no_defect():
    """In a process of its own: it changes the language, the look and what can be imported."""
    command = [sys.executable, "-m", "tests.proofs", "monkey", "300"]
    paths = {"PYTHONPATH": os.pathsep.join((str(ROOT / ".links"), str(ROOT)))}
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **paths}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "memory in MB" in done.stdout
