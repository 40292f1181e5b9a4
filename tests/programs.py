"""Programs in processes of their own, of which nothing is what other tests left behind."""

import subprocess
import sys


def ran(code: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Runs Python code that has to end well, and returns what it wrote."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done
