"""The program from the words typed to the JSON printed; as a process it is in `tests/cli`."""

import io
import json
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import pytest

from awase.cli.main import main

try:
    from tests.gui.conftest import _english, _widgets_gone, qtbot
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("PySide6", "pytestqt"):
        raise
else:
    __all__ = ["_english", "_widgets_gone", "qtbot"]

Awase = Callable[..., Any]


@pytest.fixture(scope="session")
def awase() -> Awase:
    def run(*arguments: object) -> Any:
        """Returns the JSON printed, or the text when it is none; any warning or error fails."""
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(SystemExit) as stopped:
                main([*map(str, arguments)])
        printed, told = (stream.detach().getvalue().decode("utf-8") for stream in (out, err))
        assert not stopped.value.code, told
        return json.loads(printed) if "--json" in arguments else printed

    return run
