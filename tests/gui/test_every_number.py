"""Every number of the window says what it is, leads where its page promises, and one comes back.

Nothing is listed here: the tables are those that the screens show, a column that is added is
looked at like the others. What every number has to say is `missing_in`.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QDialog, QWidget
from tests.gui.conftest import demonstration

from awase.core.metrics.registry import METRICS, defaults_of
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.i18n import LANGUAGES
from awase.gui.kit.number_explanation import GridRole, Why, whys_on
from awase.gui.main_screens import settle, wait
from awase.jobs.supplies.gathering import Places

_NUMBER = re.compile(r"\d|—")
_ROWS = 12
_MODEL = "SpanBERT/spanbert-base-cased"
_SURE, _NAMES = 40, 2
"""Characters of a text that tells a row from others, and how many such texts, that are said."""
_TIP = Qt.ItemDataRole.ToolTipRole


def tables(widget: QWidget) -> Iterator[GridView]:
    """Yields the tables of pages that are in sight; dialogs have no “Why this number?”."""
    if not isinstance(widget, QDialog):
        for view in widget.findChildren(GridView):
            if view.isVisible() and view.n_rows:
                yield view


def numbers(view: GridView) -> Iterator[QModelIndex]:
    """Yields the cells of the first rows that hold a number, or say that there is none."""
    for row in range(min(_ROWS, view.n_rows)):
        for column in range(len(view.grid.columns)):
            index = view.grid.index(row, column)
            if (
                is_number(index)
                and not view.isColumnHidden(column)
                and _NUMBER.search(index.data() or "")
            ):
                yield index


def lacking(page: QWidget, views: Iterable[GridView]) -> Iterator[tuple[GridView, str, str]]:
    """Yields each number's table, title, and what is not said of it where the keyboard is there."""
    for view in views:
        current = view.currentIndex()
        for index in [*numbers(view)]:
            with_nobody_told(view, index)
            said = whys_on(page, view)[0]
            lacks = missing_in(view, index, said)
            title = view.grid.columns[index.column()].title.replace("\n", " ")
            yield view, title, lacks and f"{lacks}: {said.text!r}"
        with_nobody_told(view, current)


def is_number(index: QModelIndex) -> bool:
    return bool(index.data(GridRole.IS_NUMBER))


def missing_in(view: GridView, index: QModelIndex, said: Why) -> str:
    """Returns what is not said of a number that must be; empty = nothing."""
    text = str(index.data())
    shown = (at for at in range(len(view.grid.columns)) if not view.isColumnHidden(at))
    row = [view.grid.index(index.row(), at) for at in shown]
    column, tip = view.grid.columns[index.column()], str(index.data(_TIP))
    title = column.title.replace("\n", " ")
    meaning = column.tip.replace("\n", " ")
    if text == "—":
        return "" if tip != text else "why there is none"
    if not any(f"{colon}{text}" in said.text for colon in (": ", "：")):
        return "the number as it is shown"
    if title not in said.text:
        return "what the number is of"
    names = [str(one.data())[:_SURE] for one in row if one.data() and not is_number(one)]
    if view.grid.headerData(index.row(), Qt.Orientation.Vertical):
        names.append(str(view.grid.headerData(index.row(), Qt.Orientation.Vertical)))
    if not names or not all(one in said.text for one in names[:_NAMES]):
        return "whose it is"
    is_rounded = re.fullmatch(r"[+−-]?\d*\.\d{1,4}[ *]?", text)
    if is_rounded and not re.search(r"\.\d{5}", tip):
        return "its exact value"
    if tip in (text, "") and meaning in (title, ""):
        return "what it means"
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_that_every_number_of_every_screen_says_what_it_is(every_screen, language):
    found, seen = set(), 0
    for title, widget in every_screen(language, "light", 10, (1920, 1040)):
        for view, heading, lacks in lacking(widget, tables(widget)):
            seen += 1
            if lacks:
                found.add(f"{title}: {view.accessibleName()}: {heading}: {lacks}"[:300])
    assert not found, "\n".join(sorted(found))
    assert seen > 1_000


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_that_every_number_of_every_metric_says_what_it_is(language, tmp_path, qapp, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "tools")
    made_up = pytest.importorskip("screens.made_up_models", reason="only a checkout has screens")
    found, walked = set(), set()
    with demonstration(language) as stage:
        workspace = stage.window.workspace
        workspace.show_page("scores")
        page = workspace.page("scores")
        stage.services.opened().models[_MODEL] = made_up.MadeUpModel()
        merging, vectors = made_up.made_up_vectors(workspace.session, tmp_path)
        tokens = merging.partition(":")[2]
        for name in METRICS:
            text = f"{name}:{tokens}" if defaults_of(name).get("tokens") == "ascii" else name
            text = f"{name}:tokens=char" if name == "bleu" else text
            page.controls.metrics.choose((text,), Places(vectors=vectors, model=_MODEL))
            settle()
            wait(lambda: not stage.services.jobs.is_busy)
            for _view, heading, lacks in lacking(page, tables(page)):
                walked.add(name)
                if lacks:
                    found.add(f"{name}: {heading}: {lacks}")
        stage.window.close_corpus()
    assert not found, "\n".join(sorted(found))
    # The model that this one asks for is read by its package, from its own folder.
    assert {*METRICS} - walked == {"bertscore"}


def with_nobody_told(view: GridView, index: QModelIndex) -> None:
    """Makes a cell the current one without what follows from it."""
    selection = view.selectionModel()
    blocked = selection.blockSignals(True)
    view.setCurrentIndex(index)
    selection.blockSignals(blocked)
