"""What is said to people: notices, notes in empty places, words for numbers and options."""

from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from tests.gui.seeing import Heard, buttons, hearing
from tests.in_part import in_turn

from awase.core.analysis.extractors import extractions_of
from awase.core.errors import InputError, Missing, Problem, Reporter
from awase.core.reports.grid import Cell, Column, grid_of
from awase.gui.kit.forms.dialog import FormDialog, refused
from awase.gui.kit.forms.parts import Form
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.model import GridModel
from awase.gui.kit.i18n import LiveLabel, announce, bind, hint_of, mark, problem_text, set_language
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.look.stylesheet import set_look
from awase.gui.kit.notices import EmptyLabel, EmptyNote, JobStrip
from awase.gui.kit.number_explanation import Why, WhyPanel, declare, whys_on


@pytest.fixture
def heard(monkeypatch) -> Heard:
    return hearing(monkeypatch)


def test_that_a_live_label_is_read_out_once_for_each_new_text_and_urgently_if_it_is(qtbot, heard):
    window, label = QWidget(), LiveLabel()
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(label)
    announce(window, "too early: nothing is shown")
    window.show()
    for text in ("3 of 5", "3 of 5", "", "4 of 5"):
        label.setText(text)
    set_look(label, "danger")
    label.setText("The file is damaged.")
    assert heard == [("3 of 5", False), ("4 of 5", False), ("The file is damaged.", True)]


def test_that_a_dialog_reads_its_refusal_out(qtbot, heard):
    class Asking(FormDialog):
        def verdict(self):
            return refused("Name the corpus.")

    dialog = qtbot.shown(
        Asking(Form(title="New", parts=(), accept="Make", leave="Cancel", width=20))
    )
    dialog.show_outcome("The disk is full.", "danger")
    dialog.show_outcome("The disk is full.", "danger")
    assert heard == [("The disk is full.", True)]


def test_that_the_end_of_work_that_showed_its_progress_is_read_out_and_its_stop(qtbot, heard):
    strip, jobs = qtbot.shown(JobStrip("Stopped.", again="Again")), Jobs()
    for is_cancelled in (False, True, False):
        goes_on = Event()

        def work(reporter: Reporter, goes_on: Event = goes_on) -> None:
            goes_on.wait(60)
            reporter.advance(1, 2, "one")

        job = jobs.start("work", work)
        strip.watch(job)
        if is_cancelled:
            job.cancel()
        with qtbot.waitSignal(job.ended):
            goes_on.set()
        shown = (strip.bar, strip.cancel, strip.note, strip.again)
        assert [one.isVisible() for one in shown] == [False, False, is_cancelled, is_cancelled]
    jobs.stop_all()
    assert heard == [("Done.", False), ("Stopped.", False), ("Done.", False)]


def test_that_a_text_that_a_stack_gives_the_keyboard_to_survives_another_language(qtbot):
    stack, empty = QStackedWidget(), EmptyLabel()
    qtbot.addWidget(stack)
    for page in (QPushButton("a table"), empty):
        stack.addWidget(page)
    bind(empty, "text", mark("Close"))
    stack.show()
    qtbot.waitUntil(stack.isActiveWindow)
    stack.widget(0).setFocus()
    stack.setCurrentWidget(empty)
    assert empty.hasFocus()
    # A control of the text would be a child that goes while Qt tells one after the other.
    assert [one.metaObject().className() for one in empty.children()] == ["_Followers"]
    set_language("ja")
    QApplication.processEvents()
    assert empty.text() == "閉じる"


def test_that_buttons_below_a_text_are_those_offered_last_and_do_what_they_say(qtbot):
    note, done = qtbot.shown(EmptyNote()), []
    qtbot.waitUntil(note.isActiveWindow)
    steps = [(mark("Cancel"), lambda: done.append(1)), (mark("Close"), lambda: done.append(2))]
    note.steps.offer(*steps)
    assert [one.text() for one in buttons(note)] == ["Cancel", "Close"]
    note.steps.offer((mark("Close"), lambda: done.append(3)))
    (button,) = buttons(note)
    assert not note.steps.has_keyboard()
    button.setFocus()
    assert note.steps.has_keyboard()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        QTest.keyClick(button, key)
    assert done == [3, 3]
    set_language("ja")
    QApplication.processEvents()
    assert button.text() == "閉じる"


@pytest.mark.parametrize("language", ["en", "ja"])
@in_turn("missing", list(Missing))
def test_that_a_hint_says_how_to_give_what_is_missing(missing, language):
    set_language(language)
    hints = [
        hint_of(Problem(what="x", fields=fields)) for fields in ({}, {"missing": missing.value})
    ]
    assert hints[0] == ""
    assert len(hints[1]) > 10
    has_kana = any("\u3040" <= char <= "\u30ff" for char in hints[1])
    assert has_kana == (language == "ja")


@pytest.fixture
def page(qapp, qtbot):
    page = qtbot.added(QWidget())
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

    table = qtbot.added(GridView(model=Centred()))
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
    panel = qtbot.added(WhyPanel(lambda: page))
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


def told(text: str) -> str:
    with pytest.raises(InputError) as refused:
        extractions_of([text])
    return " ".join(map(problem_text, refused.value.problems))


def test_that_a_refused_option_is_told_in_the_words_of_its_field():
    assert told("oracle:limit=a page").startswith("limit=a page is not a length. Use limit=refer")
    set_language("ja")
    assert told("oracle:limit=a page") == (
        "「オラクル要約の長さの上限：a page」は長さではありません。「オラクル要約の長さの上限："
        "参照要約の長さ制限と同じ」とするか、1 以上の語数・文字数・文数を 100w、200c、5s のように"
        "書いてください。"
    )
    assert told("mmr:lambda=2").startswith("「MMR の重点：2」は 0 から 1 の間に")
    no_option = Problem(what="Anna=A1, if somebody has another name in a file")
    assert problem_text(no_option) == "Anna=A1（ファイルの中で名前が違う人がいるとき）"


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        (
            "Use limit=none, or a number of words, characters or bytes such as limit=100w, "
            "limit=400c or limit=665b.",
            "「各テキストのうち数える長さ：全体」か、「各テキストのうち数える長さ：100w」、",
        ),
        ("Choose annotator=first, gold or a name.", "「正解とする対応付け：各アブストラクトの最初"),
    ],
)
def test_that_what_stands_beside_an_option_tells_whose_it_is(hint, shown):
    set_language("ja")
    assert hint_of(Problem(what="", hint=hint, fields={"metric": "subtree"})).startswith(shown)
