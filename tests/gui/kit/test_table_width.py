"""How a table shares its width: nothing is cut, scrolls or stands far off without need."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.gui.looking import cut_cells

from awase.core.reports.grid import Cell, Column, grid_of
from awase.gui.kit.grid.grid import GridView, SpreadTable

NAMES = ("alpha", "beta", "gamma", "delta")


def table(
    qtbot, columns: tuple[Column, ...], texts: tuple[str, ...], kind: type[GridView] = GridView
) -> GridView:
    view = qtbot.added(kind())
    cells = [
        Cell(text=text, value=at, is_number=text.replace(".", "").isdigit())
        for at, text in enumerate(texts)
    ]
    view.show_grid(grid_of(columns, [cells]))
    view.show()
    return view


def numbers(**spare: bool) -> tuple[Column, ...]:
    return tuple(Column(title=name, is_spare=spare.get(name, False)) for name in NAMES)


def width(view: GridView, px: int) -> int:
    view.resize(px, 200)
    QApplication.processEvents()
    return view.horizontalHeader().length()


def scrolls(view: GridView) -> bool:
    return view.horizontalScrollBar().maximum() > 0


def test_that_columns_stand_closer_before_a_table_scrolls_but_for_the_arrow_of_its_order(qtbot):
    view = table(qtbot, numbers(), ("0.123",) * 4)
    usual = width(view, 2000)
    least = width(view, usual - 20)
    assert least < usual - 20
    assert not scrolls(view)
    assert cut_cells(view) == []
    assert width(view, 2000) == usual
    width(view, least // 2)
    assert scrolls(view)
    assert cut_cells(view) == []
    view = table(qtbot, numbers(), ("0",) * 4)
    width(view, width(view, 2000) - 20)
    before = view.columnWidth(1)
    view.sort_by(1, Qt.SortOrder.AscendingOrder)
    assert view.columnWidth(1) > before


def test_that_spare_columns_go_before_a_table_scrolls_and_come_back(qtbot):
    view = table(qtbot, numbers(gamma=True, delta=True), ("0.123",) * 4)
    usual = width(view, 2000)
    least = width(view, usual - 20)
    for px, hidden in ((least * 8 // 10, [3]), (least * 6 // 10, [2, 3]), (2000, [])):
        width(view, px)
        assert [at for at in range(4) if view.isColumnHidden(at)] == hidden
        assert not scrolls(view)


def test_that_no_number_stands_far_from_the_text_before_it(qtbot):
    columns = (Column(title="Text", stretches=True), Column(title="alpha"))
    view = table(qtbot, columns, ("a few words", "0.123"))
    line_px = view.fontMetrics().height()
    words = view.fontMetrics().horizontalAdvance("a few words")
    room = 20 * line_px
    assert width(view, room) > room - 10  # where little is left, the table fills its room
    width(view, 3000)
    assert view.columnWidth(0) - words < 20 * line_px


def test_that_a_text_behind_the_numbers_and_one_that_was_cut_have_what_is_left(qtbot):
    columns = (Column(title="alpha"), Column(title="Text", stretches=True))
    assert width(table(qtbot, columns, ("0.123", "a few words")), 3000) > 2980
    words = "one word after the other, and no end of them in sight"
    view = table(qtbot, (Column(title="alpha"), Column(title="Kind")), ("0.123", words))
    width(view, 3000)
    assert view.columnWidth(1) > view.fontMetrics().horizontalAdvance(words)


@pytest.mark.parametrize(("text", "side"), [("0.1", "AlignRight"), ("word", "AlignLeft")])
def test_that_a_title_stands_over_its_cells(qtbot, text, side):
    view = table(qtbot, (Column(title="Title"),), (text,))
    model, role = view.model(), Qt.ItemDataRole.TextAlignmentRole
    of_cell = model.index(0, 0).data(role)
    of_title = model.headerData(0, Qt.Orientation.Horizontal, role)
    assert Qt.AlignmentFlag(of_title) == Qt.AlignmentFlag(of_cell)
    assert Qt.AlignmentFlag(of_title) & Qt.AlignmentFlag[side]


def test_that_a_short_text_leaves_a_long_one_the_least_that_it_needs(qtbot):
    columns = tuple(Column(title=name, stretches=True) for name in NAMES[:2])
    view = table(qtbot, columns, ("long " * 40, "b"))
    for px in range(800, 0, -5):
        width(view, px)
        if scrolls(view):
            break
        assert view.columnWidth(0) >= 8 * view.fontMetrics().height()
    assert view.columnWidth(1) < view.columnWidth(0)


def test_that_the_chosen_row_stays_in_sight_when_the_table_becomes_lower(qtbot):
    view = qtbot.added(GridView())
    rows = [[Cell(text=f"{at}", value=at)] for at in range(40)]
    view.show_grid(grid_of((Column(title="n"),), rows))
    view.show()
    row_px = view.verticalHeader().defaultSectionSize()
    for chosen, is_kept in ((8, True), (39, False)):
        view.resize(200, 12 * row_px)
        view.scrollToTop()
        view.setCurrentIndex(view.grid.index(chosen, 0))
        view.verticalScrollBar().setValue(0)
        view.resize(200, 6 * row_px)
        QApplication.processEvents()
        rect = view.visualRect(view.currentIndex())
        assert view.viewport().rect().contains(rect) is is_kept


def test_that_a_minus_is_measured_as_it_is_drawn(qtbot):
    view = table(qtbot, numbers(), ("0.123",) * 4)
    cells = [Cell(text="-0.187", value=-0.187, is_number=True)] * 4
    view.show_grid(grid_of(numbers(), [cells]))
    metrics = view.fontMetrics()
    assert metrics.horizontalAdvance("\u22120.187") > metrics.horizontalAdvance("-0.187")
    assert view.grid.longest_texts(0) == ["\u22120.187"]
    for px in (2000, 200):
        width(view, px)
        assert cut_cells(view) == []


def test_that_columns_are_measured_with_the_last_of_the_rows_that_come(qtbot):
    columns = (Column(title="n"), Column(title="text"))
    short, long = ([[Cell(text="1"), Cell(text=text)]] for text in ("it", "it was long ago"))
    view = qtbot.added(GridView())
    view.resize(600, 200)
    view.show_grid(grid_of(columns, short), is_last=False)
    first = view.columnWidth(1)
    view.show_grid(grid_of(columns, long), is_last=False)
    assert view.columnWidth(1) == first
    view.show_grid(grid_of(columns, long))
    assert view.columnWidth(1) > first
    view.show_grid(grid_of(columns, []))
    view.show_grid(grid_of(columns, long), is_last=False)
    assert view.columnWidth(1) > first


def test_that_a_column_that_was_cut_has_what_texts_leave(qtbot):
    long = "the same sentences, but grouped otherwise than before"
    columns = (Column(title="How"), Column(title="Text", stretches=True))
    view = table(qtbot, columns, (long, "A boat was found."))
    needed = view.fontMetrics().horizontalAdvance(long)
    width(view, 400)
    assert view.columnWidth(0) < needed
    width(view, 2000)
    assert view.columnWidth(0) > needed
    assert cut_cells(view) == []
    width(view, 400)
    assert view.columnWidth(0) < needed


def test_that_columns_are_set_apart_up_to_a_width_and_as_somebody_drew_them(qtbot):
    view = table(qtbot, numbers(), ("0.123",) * 4, SpreadTable)
    wanted = view.preferred_width_px()
    room = wanted * 3 // 2
    assert width(view, room) == pytest.approx(view.viewport().width(), abs=4)
    widest = width(view, wanted * 4)
    assert wanted * 3 // 2 < widest < wanted * 2
    width(view, wanted - 20)
    assert not scrolls(view)
    assert width(view, room) == pytest.approx(view.viewport().width(), abs=4)
    view.setColumnWidth(1, 200)
    width(view, room + 100)
    assert view.columnWidth(1) == 200
