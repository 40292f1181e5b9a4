"""The first column of a table stays in sight while the others are scrolled."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from awase.core.reports.grid import Cell, Column, grid_of
from awase.gui.kit.grid.grid import GridView

N_COLUMNS = 12


@pytest.fixture
def table(qtbot) -> GridView:
    """Returns a table of three systems that is much narrower than its columns."""
    columns = [Column(title="System")]
    columns += [Column(title=f"Metric {at}", is_number=True) for at in range(1, N_COLUMNS)]
    rows = [
        [
            Cell(text=name, value=name, is_number=False),
            *(Cell(text=f"0.{at}{n}", value=at + n / 10) for at in range(1, N_COLUMNS)),
        ]
        for n, name in enumerate(("lead", "random", "mmr"))
    ]
    view = GridView()
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.show_grid(grid_of(columns, rows))
    view.show()
    return view


def scrolled_to_the_end(table: GridView) -> None:
    bar = table.horizontalScrollBar()
    assert bar.maximum() > table.columnWidth(0)
    bar.setValue(bar.maximum())


def pictures_of_names(table: GridView) -> list[QImage]:
    """Returns the title of the first column and its cells, without the line beside them."""
    width = table.columnWidth(0) - 2
    parts = (table.horizontalHeader().viewport(), table.viewport())
    return [part.grab(QRect(0, 0, width, part.height())).toImage() for part in parts]


def test_that_names_and_their_title_are_drawn_as_before_when_the_rest_is_scrolled(table):
    table.setCurrentIndex(table.grid.index(1, 0))
    before = pictures_of_names(table)
    scrolled_to_the_end(table)
    assert pictures_of_names(table) == before


def test_that_a_click_on_a_kept_name_is_on_the_name_and_scrolls_nothing(table, qtbot):
    scrolled_to_the_end(table)
    before = table.horizontalScrollBar().value()
    place = QPoint(table.columnWidth(0) // 2, table.rowViewportPosition(1) + 4)
    with qtbot.waitSignal(table.clicked) as clicked:
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (clicked.args[0].row(), clicked.args[0].column()) == (1, 0)
    assert table.horizontalScrollBar().value() == before
    assert table.visualRect(table.grid.index(1, 0)).left() == 0


def test_that_a_click_on_the_kept_title_sorts_by_the_names(table):
    scrolled_to_the_end(table)
    header = table.horizontalHeader()
    place = QPoint(table.columnWidth(0) // 2, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert header.sortIndicatorSection() == 0


def test_that_keys_come_to_no_cell_behind_the_names(table):
    table.setCurrentIndex(table.grid.index(0, N_COLUMNS - 1))
    assert table.pinned_px() == table.columnWidth(0)
    for _ in range(N_COLUMNS - 2):
        QTest.keyClick(table, Qt.Key.Key_Left)
        left = table.columnViewportPosition(table.currentIndex().column())
        assert left >= table.pinned_px()


def test_that_names_wider_than_half_the_table_are_scrolled_with_it(table):
    table.setColumnWidth(0, 300)
    scrolled_to_the_end(table)
    assert table.pinned_px() == 0
    assert table.visualRect(table.grid.index(0, 0)).right() < 0
