"""The program as a process, from the words typed to the JSON printed."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

Awase = Callable[..., Any]


@pytest.fixture(scope="session")
def awase() -> Awase:
    def run(*arguments: object) -> Any:
        """Returns the JSON printed, or the text when it is none; any warning or error fails."""
        command = [sys.executable, "-W", "error", "-m", "awase.cli", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr.decode()
        text = done.stdout.decode()
        return json.loads(text) if "--json" in arguments else text

    return run
