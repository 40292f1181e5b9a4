"""“Why this number?”: each table answers by itself, each declared number says what it is."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from awase.core.reports.grid import Cell, Column, grid_of
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.model import GridModel
from awase.gui.kit.number_explanation import Why, WhyPanel, declare, whys_on


@pytest.fixture
def page(qapp, qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    layout = QVBoxLayout(page)
    page.table, page.label, page.other = GridView(), QLabel("h = 6"), QLabel("no number")
    for widget in (page.table, page.label, page.other):
        layout.addWidget(widget)
    columns = (
        Column(title="at", is_shown=False),
        Column(title="Metric"),
        Column(title="r", tip="Pearson's r"),
    )
    rows = [
        (Cell(text="9"), Cell(text="coverage", tip="coverage:first=h"),
         Cell(text="0.98", value=0.98, tip="0.984321")),
        (Cell(text="8"), Cell(text="precision"), Cell(text="0.90", value=0.9)),
    ]  # fmt: skip
    page.table.show_grid(grid_of(columns, rows))
    page.said = Why(name="h = 6", lines=("the fewest sentences", "", "h = 6"))
    declare(page.label, lambda: page.said)
    page.show()
    return page


def test_that_a_cell_says_whose_it_is_how_much_exactly_and_what_it_rests_on(page):
    page.table.choose(0, 2)
    cell, label = whys_on(page, page.table)
    assert cell.text.splitlines() == [
        "coverage · r: 0.98", "0.984321", "Pearson's r", "coverage:first=h"
    ]  # fmt: skip
    assert label.text.splitlines() == ["h = 6", "the fewest sentences"]
    page.table.choose(1, 2)
    assert whys_on(page, page.table)[0].text.splitlines() == [
        "precision · r: 0.90", "0.900000", "Pearson's r"
    ]  # fmt: skip


def test_that_a_name_from_right_to_left_does_not_turn_the_words_around_it(page):
    text = "سجّل مقياس GPS-7 هزة."
    page.table.show_grid(
        grid_of((Column(title="Text"), Column(title="e(i)")), [(Cell(text=text), Cell(text="1"))])
    )
    page.table.choose(0, 0)
    assert whys_on(page, page.table)[0].name == f"Text: \u2067{text}\u2069"
    page.table.choose(0, 1)
    assert whys_on(page, page.table)[0].name == f"\u2067{text}\u2069 · e(i): 1"


def test_that_a_number_is_known_by_what_it_is_and_not_by_its_side(qapp, qtbot):
    class Centred(GridModel):
        def data(self, index, role=Qt.ItemDataRole.DisplayRole):
            is_side = role == Qt.ItemDataRole.TextAlignmentRole
            return Qt.AlignmentFlag.AlignHCenter if is_side else super().data(index, role)

    table = GridView(model=Centred())
    qtbot.addWidget(table)
    columns = (Column(title="System"), Column(title="P"), Column(title="R"))
    row = (Cell(text="lead", is_number=False), Cell(text="0.1"), Cell(text="0.2"))
    table.show_grid(grid_of(columns, [row]))
    table.choose(0, 2)
    assert whys_on(table, table)[0].name == "lead · R: 0.2"


def test_that_a_number_out_of_sight_says_nothing(page):
    page.label.hide()
    assert whys_on(page, page.other) == []
    page.label.show()
    page.said = None
    assert whys_on(page, page.other) == []


def test_that_a_table_with_titles_of_rows_names_them(page):
    columns = (Column(title="r", is_number=True),)
    grid = grid_of(columns, [(Cell(text="+0.1", tip="p = 0.04"),)])
    page.table.show_grid(replace(grid, row_titles=("rouge-1",)))
    page.table.verticalHeader().show()
    page.table.choose(0, 0)
    assert whys_on(page, page.table)[0].text.splitlines() == ["rouge-1 · r: +0.1", "p = 0.04"]


def test_that_the_panel_says_what_has_the_keyboard_until_it_is_closed(page, qtbot):
    panel = WhyPanel(lambda: page)
    qtbot.addWidget(panel)
    panel.toggle()
    assert "h = 6\nthe fewest sentences" in panel.text.text()
    page.label.hide()
    page.table.setCurrentIndex(QModelIndex())
    panel.refresh()
    assert "There is no number here" in panel.text.text()
    assert panel.text.accessibleName() == panel.text.text()
    panel.toggle()
    assert panel.isHidden()
    page.label.show()
    panel.refresh()
    assert "There is no number here" in panel.text.text()


def test_that_the_panel_leaves_the_page_its_room_and_can_be_closed_by_a_button(page, qtbot):
    panel = WhyPanel(lambda: page)
    page.layout().addWidget(panel)
    page.resize(600, 400)
    page.said = Why(name="h = 6", lines=tuple(f"line {n}" for n in range(40)))
    panel.toggle()
    qtbot.waitUntil(lambda: panel.height() > 20)
    assert panel.height() < 400 / 2
    panel.close_button.click()
    assert panel.isHidden()
