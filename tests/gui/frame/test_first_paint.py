"""What the first paint and the opening of a corpus do without: told by what is imported."""

import subprocess
import sys

import pytest

LATER = (
    "sqlalchemy",
    "numpy",
    "awase.core.records",
    "awase.core.metrics",
    "awase.gui.kit.forms",
    "awase.gui.dialogs",
)
NOT_TO_ANNOTATE = (
    "numpy",
    "awase.core.metrics.registry",
    "awase.core.statistics",
    "awase.gui.pages.scores.page",
    "awase.gui.pages.inspect.page",
)


def _loaded_by(*modules: str) -> list[str]:
    code = f"import sys, {', '.join(modules)}; print(*sys.modules, sep='\\n')"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = told.stdout.split()
    assert set(modules) <= set(loaded)
    return loaded


@pytest.mark.slow
def test_that_the_window_is_painted_before_what_is_slow_is_loaded() -> None:
    loaded = _loaded_by("awase.cli.window", "awase.gui.app", "awase.gui.frame.main_window")
    assert [name for name in loaded if name.startswith(LATER)] == []


@pytest.mark.slow
def test_that_only_what_uses_qt_is_imported_after_it() -> None:
    """PySide6 reads the source of whatever comes later."""
    code = (
        "import sys; from awase.cli import window; window.import_before_qt()\n"
        "assert 'PySide6' not in sys.modules\n"
        "import PySide6.QtWidgets; known = {*sys.modules}; import awase.gui.app\n"
        "print(*(name for name, module in sys.modules.items() if name not in known"
        " and getattr(module, '__file__', None)"
        " and not name.startswith(('PySide6', 'awase.gui'))))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == []


@pytest.mark.slow
def test_that_a_corpus_opens_before_what_only_other_pages_need_is_loaded() -> None:
    loaded = _loaded_by("awase.gui.frame.workspace", "awase.storage.store")
    assert [name for name in loaded if name.startswith(NOT_TO_ANNOTATE)] == []
