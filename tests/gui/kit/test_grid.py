"""Tables: their order, their first column, where numbers stand, and how the width is shared."""

import importlib
import pkgutil

import pytest
from PySide6.QtCore import QAbstractTableModel, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem, QTableView, QWidget
from tests.gui.looking import cut_cells, left_numbers
from tests.in_part import in_part

import awase.gui
from awase.core.errors import Cancelled, Silent
from awase.core.reports.grid import Cell, Column, Grid, RowsOnDemand, grid_of
from awase.gui.dialogs.transfer.texts_dialog import TextsModel
from awase.gui.kit.commands import sort_by_current_column
from awase.gui.kit.grid.grid import GridView, SpreadTable
from awase.gui.kit.grid.model import GridModel
from awase.gui.kit.grid.tables import FlatTable, TableModel
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.session.topic_list import TopicModel

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
    view = qtbot.added(GridView())
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


def test_that_a_click_on_a_kept_name_or_title_is_on_that_and_scrolls_nothing(table, qtbot):
    scrolled_to_the_end(table)
    before = table.horizontalScrollBar().value()
    place = QPoint(table.columnWidth(0) // 2, table.rowViewportPosition(1) + 4)
    with qtbot.waitSignal(table.clicked) as clicked:
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (clicked.args[0].row(), clicked.args[0].column()) == (1, 0)
    assert table.horizontalScrollBar().value() == before
    assert table.visualRect(table.grid.index(1, 0)).left() == 0
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


ALIGNMENT = Qt.ItemDataRole.TextAlignmentRole


class Counted(TableModel):
    titles, numbers, rows = ("Name", "Count"), (1,), (None,)

    def cell_data(self, index, role: int) -> object:
        return ("one", "12")[index.column()] if role == Qt.ItemDataRole.DisplayRole else None


class CountedAtTheLeft(Counted):
    numbers = ()


def at_right(model: QAbstractTableModel) -> list[str]:
    sections = range(model.columnCount())
    return [
        model.headerData(one, Qt.Orientation.Horizontal)
        for one in sections
        if model.headerData(one, Qt.Orientation.Horizontal, ALIGNMENT) & Qt.AlignmentFlag.AlignRight
    ]


def test_that_every_table_of_the_window_says_which_columns_hold_numbers():
    for module in pkgutil.walk_packages(awase.gui.__path__, "awase.gui."):
        if "main" not in module.name:
            importlib.import_module(module.name)
    known, found = [QAbstractTableModel], []
    for one in known:
        known += one.__subclasses__()
        found += [one] * one.__module__.startswith("awase.")
    others = {one for one in found if not issubclass(one, (GridModel, TableModel))}
    assert (others, len(found) >= 8) == (set(), True)


def test_that_counts_and_their_titles_stand_at_the_right(qapp):
    assert at_right(TextsModel(ThemeBox(Theme.named("light")))) == ["Sentences"]
    topics = TopicModel()
    assert at_right(topics) == ["Settled", "Flags"]
    topics.sort(3, Qt.SortOrder.AscendingOrder)
    assert at_right(topics) == ["Settled"]  # the other makes room for the arrow


def test_that_a_number_at_the_left_is_found(qtbot):
    for made, expected in ((Counted, 0), (CountedAtTheLeft, 1)):
        table = qtbot.added(FlatTable())
        model = made(table)
        assert model.index(0, 1).data(ALIGNMENT) & Qt.AlignmentFlag.AlignVCenter
        table.setModel(model)
        table.resize(QSize(300, 200))
        table.show()
        assert len(left_numbers(table)) == expected


@pytest.fixture
def view(qtbot) -> GridView:
    view = qtbot.added(GridView())
    names = (Cell(text=name, value=name, is_number=False) for name in "bac")
    numbers = (Cell(text=f"{number}", value=number) for number in (-0.5, 0.25, -2.0))
    view.show_grid(
        Grid(columns=(Column(title="Name"), Column(title="A\nnumber")),
             rows=tuple(zip(names, numbers, strict=True)))
    )  # fmt: skip
    view.show()
    return view


def shown(view: GridView, column: int) -> list[str]:
    return [view.model().index(row, column).data() for row in range(view.n_rows)]


def test_that_a_table_is_sorted_up_down_and_as_it_was(view, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr("awase.gui.kit.commands.announce", lambda _widget, text: said.append(text))
    view.choose(0, 1)
    orders = []
    for _ in range(4):
        assert sort_by_current_column(view)
        assert view.row_of(view.currentIndex()) == 0
        orders.append("".join(shown(view, 0)))
    assert orders == ["cba", "abc", "bac", "cba"]
    assert said[:3] == [
        "Sorted by A number, lowest first", "Sorted by A number, highest first", "Not sorted",
    ]  # fmt: skip


def test_that_no_title_stands_under_the_arrow_of_its_order(view):
    def side(column: int) -> Qt.AlignmentFlag:
        role = Qt.ItemDataRole.TextAlignmentRole
        found = view.model().headerData(column, Qt.Orientation.Horizontal, role)
        return found & Qt.AlignmentFlag.AlignHorizontal_Mask

    assert side(1) == Qt.AlignmentFlag.AlignRight
    view.sort_by(1, Qt.SortOrder.DescendingOrder)
    assert side(1) == Qt.AlignmentFlag.AlignHCenter  # Qt draws it over what is at the right
    view.sort_by(0, Qt.SortOrder.DescendingOrder)
    assert (side(0), side(1)) == (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)


def test_that_equal_rows_keep_the_order_sorted_before_and_new_ones_come_sorted(qtbot):
    view = qtbot.added(GridView())
    tester = QAbstractItemModelTester(
        view.grid, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    pairs = (("b", 1.0), ("a", 2.0), ("c", 2.0), ("d", None))
    columns = (Column(title="Name"), Column(title="Number"))

    def show(*pairs) -> None:
        rows = tuple((Cell(text=name, value=name), Cell(text="", value=n)) for name, n in pairs)
        view.show_grid(Grid(columns=columns, rows=rows))

    show(*pairs)
    view.sort_by(0, Qt.SortOrder.DescendingOrder)
    view.sort_by(1, Qt.SortOrder.DescendingOrder)
    assert "".join(shown(view, 0)) == "cabd"
    assert [*view.grid.order] == [2, 1, 0, 3]
    show(("e", 3.0), *pairs)
    assert "".join(shown(view, 0)) == "ecabd"
    view.sort_by(-1, Qt.SortOrder.AscendingOrder)
    assert "".join(shown(view, 0)) == "ebacd"
    del tester


def test_that_rows_that_nobody_looked_at_are_sorted_and_measured_without_being_made(qtbot):
    view = qtbot.added(GridView())
    rows = RowsOnDemand(5_000, lambda at: (Cell(text=str(at), value=at),), lambda _: range(5_000))
    view.show_grid(Grid(columns=(Column(title="Number"),), rows=rows))
    view.sort_by(0, Qt.SortOrder.DescendingOrder)
    assert view.model().index(0, 0).data() == "4999"
    assert len(rows.cached) < 1_000
    view = qtbot.added(GridView())
    name = "{} · 2".format
    rows = RowsOnDemand(1_000, lambda at: (Cell(text=name(at**4)),), lambda _: range(1_000))
    view.show_grid(Grid(columns=(Column(title="Sentence"),), rows=rows))
    last = view.fontMetrics().horizontalAdvance(name(999**4))
    assert view.columnWidth(0) > last
    assert len(rows.cached) <= 100


def test_that_nothing_is_sorted_where_there_is_no_such_table(view, qtbot):
    plain = qtbot.added(QTableView())
    assert not any(map(sort_by_current_column, (None, QWidget(), plain)))
    view.setSortingEnabled(False)
    view.choose(0, 1)
    assert not sort_by_current_column(view)


def test_that_the_window_sets_a_minus_and_the_clipboard_a_hyphen(view):
    assert shown(view, 1) == ["−0.5", "0.25", "−2.0"]
    assert [line.split("\t")[1] for line in view.as_text().splitlines()] == [
        "A number", "-0.5", "0.25", "-2.0",
    ]  # fmt: skip


def test_that_the_cell_that_has_the_keyboard_is_framed(view):
    index, option = view.model().index(0, 1), QStyleOptionViewItem()
    option.rect = QRect(0, 0, 60, 24)
    pictures = []
    for state in (QStyle.StateFlag.State_Enabled, QStyle.StateFlag.State_HasFocus):
        option.state = QStyle.StateFlag.State_Enabled | state
        picture = QImage(60, 24, QImage.Format.Format_RGB32)
        picture.fill(Qt.GlobalColor.white)
        painter = QPainter(picture)
        view.itemDelegate().paint(painter, option, index)
        painter.end()
        pictures.append([picture.pixelColor(x, 1).lightness() for x in range(10, 50)])
    plain, framed = pictures
    assert max(framed) < 128 <= min(plain)


@pytest.mark.parametrize("points", in_part([10, 16, 20]))
def test_that_columns_are_as_wide_as_their_titles_and_cells_in_letters_of_any_size(qtbot, points):
    ThemeBox(Theme.named("light", points)).apply()
    view = qtbot.added(GridView())
    view.resize(1000, 200)
    cells = (Cell(text="0.556", value=0.556), Cell(text="1", value=1.0))
    view.show_grid(
        Grid(columns=(Column(title="P"), Column(title="文書\nアブストラクト")), rows=(cells,))
    )
    view.show()
    header, delegate = view.horizontalHeader(), view.itemDelegate()
    for section in range(2):
        index, option = view.model().index(0, section), QStyleOptionViewItem()
        view.initViewItemOption(option)
        assert view.columnWidth(section) >= delegate.sizeHint(option, index).width()
        # The title stands whole beside the arrow that tells how the table is sorted.
        widest = header.fontMetrics().horizontalAdvance("アブストラクト" if section else "P")
        line_px, margin = header.fontMetrics().height(), QStyle.PixelMetric.PM_HeaderMargin
        padding, arrow = round(0.4 * line_px), round(0.6 * line_px)
        margins = 2 * header.style().pixelMetric(margin, None, header)
        assert view.columnWidth(section) >= widest + 2 * padding + arrow + margins


@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
def test_that_many_rows_are_sorted_like_few_and_those_without_a_value_stand_last(qtbot, order):
    view = qtbot.added(GridView())
    values = [None if n % 7 == 0 else float(n * 37 % 11) for n in range(1_500)]
    columns = (Column(title="Place"), Column(title="Number"))
    rows = [
        (Cell(text=f"{at}", value=at), Cell(text="", value=one)) for at, one in enumerate(values)
    ]
    view.show_grid(Grid(columns=columns, rows=tuple(rows)))
    view.sort_by(1, order)
    known = [at for at, one in enumerate(values) if one is not None]
    known.sort(key=lambda at: values[at] or 0.0, reverse=order is Qt.SortOrder.DescendingOrder)
    assert [*view.grid.order] == [*known, *range(0, 1_500, 7)]


def test_that_a_table_is_sorted_once_each_time(qtbot):
    asked: list[int] = []

    class Noted(GridModel):
        def sort(self, column, order=Qt.SortOrder.AscendingOrder) -> None:
            asked.append(column)
            super().sort(column, order)

    view = qtbot.added(GridView(model=Noted()))
    view.show_grid(grid_of((Column(title="A"), Column(title="B")), ()))
    asked.clear()
    view.sort_by(1, Qt.SortOrder.DescendingOrder)
    view.sort_by(1, Qt.SortOrder.DescendingOrder)
    view.sort_by(1, Qt.SortOrder.AscendingOrder)
    view.sort_by(-1, Qt.SortOrder.AscendingOrder)
    assert asked == [1, 1, 1, -1]


def test_that_a_long_table_is_copied_as_shown_while_somebody_waits_and_keeps_no_row(qtbot):
    view = qtbot.added(GridView())
    rows = RowsOnDemand(1_200, lambda at: (Cell(text=f"-{at}", value=-at),), lambda _: range(1_200))
    view.show_grid(Grid(columns=(Column(title="A\nnumber"),), rows=rows))
    view.sort_by(0, Qt.SortOrder.DescendingOrder)
    waited: list[str] = []
    view.waits = lambda title, work: (waited.append(title), work(Silent()))[1]
    n_made = len(rows.cached)
    view.copy_all()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines == ["A number", *(f"-{at}" for at in reversed(range(1_200)))]
    assert len(waited) == 1
    assert len(rows.cached) == n_made

    def stopped(_title: str, _work: object) -> str:
        raise Cancelled

    view.waits = stopped
    view.sort_by(0, Qt.SortOrder.AscendingOrder)
    view.copy_all()
    assert QGuiApplication.clipboard().text().splitlines() == lines
    view.show_grid(Grid(columns=(Column(title="Few"),), rows=((Cell(text="7"),),)))
    view.copy_all()  # for which nobody has to wait
    assert QGuiApplication.clipboard().text().splitlines() == ["Few", "7"]


NAMES = ("alpha", "beta", "gamma", "delta")


def columned(
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
    view = columned(qtbot, numbers(), ("0.123",) * 4)
    usual = width(view, 2000)
    least = width(view, usual - 20)
    assert least < usual - 20
    assert not scrolls(view)
    assert cut_cells(view) == []
    assert width(view, 2000) == usual
    width(view, least // 2)
    assert scrolls(view)
    assert cut_cells(view) == []
    view = columned(qtbot, numbers(), ("0",) * 4)
    width(view, width(view, 2000) - 20)
    before = view.columnWidth(1)
    view.sort_by(1, Qt.SortOrder.AscendingOrder)
    assert view.columnWidth(1) > before


def test_that_spare_columns_go_before_a_table_scrolls_and_come_back(qtbot):
    view = columned(qtbot, numbers(gamma=True, delta=True), ("0.123",) * 4)
    usual = width(view, 2000)
    least = width(view, usual - 20)
    for px, hidden in ((least * 8 // 10, [3]), (least * 6 // 10, [2, 3]), (2000, [])):
        width(view, px)
        assert [at for at in range(4) if view.isColumnHidden(at)] == hidden
        assert not scrolls(view)


def test_that_no_number_stands_far_from_the_text_before_it(qtbot):
    columns = (Column(title="Text", stretches=True), Column(title="alpha"))
    view = columned(qtbot, columns, ("a few words", "0.123"))
    line_px = view.fontMetrics().height()
    words = view.fontMetrics().horizontalAdvance("a few words")
    room = 20 * line_px
    assert width(view, room) > room - 10  # where little is left, the table fills its room
    width(view, 3000)
    assert view.columnWidth(0) - words < 20 * line_px


def test_that_a_text_behind_the_numbers_and_one_that_was_cut_have_what_is_left(qtbot):
    columns = (Column(title="alpha"), Column(title="Text", stretches=True))
    assert width(columned(qtbot, columns, ("0.123", "a few words")), 3000) > 2980
    words = "one word after the other, and no end of them in sight"
    view = columned(qtbot, (Column(title="alpha"), Column(title="Kind")), ("0.123", words))
    width(view, 3000)
    assert view.columnWidth(1) > view.fontMetrics().horizontalAdvance(words)


@pytest.mark.parametrize(("text", "side"), [("0.1", "AlignRight"), ("word", "AlignLeft")])
def test_that_a_title_stands_over_its_cells(qtbot, text, side):
    view = columned(qtbot, (Column(title="Title"),), (text,))
    model, role = view.model(), Qt.ItemDataRole.TextAlignmentRole
    of_cell = model.index(0, 0).data(role)
    of_title = model.headerData(0, Qt.Orientation.Horizontal, role)
    assert Qt.AlignmentFlag(of_title) == Qt.AlignmentFlag(of_cell)
    assert Qt.AlignmentFlag(of_title) & Qt.AlignmentFlag[side]


def test_that_a_short_text_leaves_a_long_one_the_least_that_it_needs(qtbot):
    columns = tuple(Column(title=name, stretches=True) for name in NAMES[:2])
    view = columned(qtbot, columns, ("long " * 40, "b"))
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
    view = columned(qtbot, numbers(), ("0.123",) * 4)
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
    view = columned(qtbot, columns, (long, "A boat was found."))
    needed = view.fontMetrics().horizontalAdvance(long)
    width(view, 400)
    assert view.columnWidth(0) < needed
    width(view, 2000)
    assert view.columnWidth(0) > needed
    assert cut_cells(view) == []
    width(view, 400)
    assert view.columnWidth(0) < needed


def test_that_columns_are_set_apart_up_to_a_width_and_as_somebody_drew_them(qtbot):
    view = columned(qtbot, numbers(), ("0.123",) * 4, SpreadTable)
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
