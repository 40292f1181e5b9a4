"""What the first paint and the opening of a corpus do without: told by what is imported."""

import subprocess
import sys

import pytest

from awase.storage.store import CorpusStore

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
def test_that_the_window_is_painted_before_what_is_slow_is_loaded():
    loaded = _loaded_by("awase.cli.window", "awase.gui.app", "awase.gui.frame.main_window")
    assert [name for name in loaded if name.startswith(LATER)] == []


@pytest.mark.slow
def test_that_the_look_is_given_without_making_the_class_of_styles():
    """With its eight enumerations it takes longer than all the rest of giving the look."""
    code = (
        "import PySide6.QtWidgets as widgets\n"
        "from awase.gui.app import application\n"
        "from awase.gui.kit.look.theme import Theme, ThemeBox\n"
        "app = application(); ThemeBox(Theme.named('light')).apply()\n"
        "print('QApplication' in vars(widgets), 'QStyle' in vars(widgets))\n"
        "app.setStyleSheet(''); print(app.style().name())"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True", "False", "fusion"]


@pytest.mark.slow
def test_that_nothing_reads_the_source_of_what_is_imported():
    """PySide6 does so where its wrapper of `import` is left in place."""
    code = (
        "import PySide6.QtWidgets, awase.gui.app, awase.gui.frame.main_window\n"
        "import sqlite3, linecache; print(*linecache.cache)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    read = told.stdout.split()
    assert [name for name in read if "main_window" in name or "sqlite" in name] == []


@pytest.mark.slow
def test_that_a_corpus_opens_before_what_only_other_pages_need_is_loaded():
    loaded = _loaded_by("awase.gui.frame.workspace", "awase.storage.store")
    assert [name for name in loaded if name.startswith(NOT_TO_ANNOTATE)] == []


@pytest.mark.slow
def test_that_a_corpus_is_told_from_files_to_import_without_loading_any_format(tmp_path):
    path = tmp_path / "made.awase"
    CorpusStore.create(path, name="made", who="1").close()
    code = (
        "import sys; from pathlib import Path\n"
        "from awase.gui.frame.welcome import becomes_corpus\n"
        f"print(becomes_corpus(Path({str(path)!r})), 'awase.core.formats' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "False"]
