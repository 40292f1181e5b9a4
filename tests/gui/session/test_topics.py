"""The list of topics, as people use it: type, move, choose."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QWidget
from tests.building import abstract, topic
from tests.oracles.corpus_edits import corpus_edit

from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.edits import EDIT_PROJECT
from awase.core.team.progress import TopicFilter
from awase.gui.session.session import CorpusSession
from awase.gui.session.topic_list import TopicButton, TopicView
from awase.storage.postgresql.notices import Presence
from awase.storage.store import CorpusStore

K = Qt.Key


@pytest.fixture
def session(make_corpus, qapp):
    path = make_corpus(
        topic("0310", title="Earthquake", abstracts=(abstract("a", {"1": "s1;;", "2": "s1;s2;"}),)),
        topic("0320", title="Floods & storms", abstracts=(abstract("a", {"1": "s1"}),)),
        topic("0330", title="Kobe"),
    )
    with CorpusStore.open(path, who="1") as store:
        yield CorpusSession(store, who="1")


@pytest.fixture
def view(session, qtbot):
    shown = qtbot.added(TopicView(session))
    QAbstractItemModelTester(
        shown.model, QAbstractItemModelTester.FailureReportingMode.Fatal, shown
    )
    shown.offer("0320", [("", "All topics")])
    shown.show()
    return shown


def ids(view: TopicView) -> list[str]:
    rows = range(view.model.rowCount())
    return [view.model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in rows]


def test_that_the_current_topic_is_chosen_and_states_are_told_in_words(view):
    assert ids(view) == ["", "0310", "0320", "0330"]
    assert view.table.currentIndex().row() == 2
    states = [view.model.index(row, 1).data() for row in range(1, 4)]
    assert states == ["◐ begun", "● done", "— nothing to align"]
    view.offer("b", [("a", "All topics"), ("b", "All of one")])
    assert view.table.currentIndex().row() == 1


def test_that_typing_finds_arrows_move_and_enter_chooses(view, qtbot):
    QTest.keyClick(view.field, K.Key_Down)  # the keyboard stays in the field
    for found in ("0330", "0320"):
        with qtbot.waitSignal(view.chosen) as chosen:
            QTest.keyClick(view.field, K.Key_Return)
        assert chosen.args == [found]
        view.field.setText("flood")
    assert ids(view) == ["0320"]
    view.field.clear()
    assert view.table.currentIndex().row() == 0


def test_that_titles_sort_and_filters_keep(view):
    view.table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert ids(view) == ["", "0330", "0320", "0310"]
    view.filter.setCurrentIndex(view.filter.findData(TopicFilter.OPEN))
    assert ids(view) == ["", "0310"]
    assert view.count.text() == "1 of 3 topics"


def test_that_what_was_assigned_is_listed_first_of_all(session, view, qtbot):
    corpus = session.corpus()
    new = replace(
        corpus,
        persons=(Person(id="1"),),
        assignments=(Assignment(topic="0330", person="1", due="2026-12-24"),),
    )
    edit = corpus_edit(corpus, new, verb=EDIT_PROJECT)
    assert edit is not None
    assert session.perform(edit)
    view.offer()  # a list that was open before
    assert [view.model.index(row, 5).data() for row in range(3)] == ["2026-12-24", "", ""]
    shown = qtbot.added(TopicView(session))
    shown.offer()
    assert ids(shown) == ["0330"]
    assert shown.model.index(0, 5).data() == "2026-12-24"


def test_that_the_button_says_the_topic_and_opens_the_list(session, qtbot):
    button = qtbot.added(TopicButton(session, first=lambda: [("", "All topics")]))
    button.show_topic("0320")
    assert button.text() == "0320  Floods && storms"
    button.show_topic("")
    assert button.text() == "All topics"
    usual = button.sizeHint().width()
    for name, is_wider in (
        ("short Weighted Coverage（文書セットごと）, of one", True),
        ("", False),
    ):
        button.show_topic("", name)
        assert (button.sizeHint().width() > usual) is is_wider  # room for all of it
    button.open_list()
    QTest.keyClicks(button.chooser.view.field, "kobe")
    with qtbot.waitSignal(button.chosen) as chosen:
        QTest.keyClick(button.chooser.view.field, K.Key_Return)
    assert chosen.args == ["0330"]
    assert button.chooser is None


def test_that_a_long_title_has_the_free_room_of_its_row_and_gives_way_first(session, qtbot):
    page, button, beside = QWidget(), TopicButton(session), QPushButton("Beside it")
    qtbot.addWidget(page)
    row = QHBoxLayout(page)
    button.stand_in(row)
    row.addWidget(beside)
    row.addStretch()
    button.show_topic("0320")
    page.resize(4000, 60)
    page.show()
    usual = button.width()
    button.show_topic("", "A title that nobody would take for a short one " * 3)
    QApplication.processEvents()
    assert button.width() > 2 * usual
    assert beside.x() < page.width() // 2  # it stands beside the title, not at the end
    page.resize(usual, 60)
    QApplication.processEvents()
    assert button.width() < usual
    assert beside.width() == beside.sizeHint().width()


def test_that_the_list_tells_who_is_in_which_topic_now(view, session, monkeypatch):
    assert view.table.isColumnHidden(6)
    here = [
        Presence(window="w1", who="A2", topic="0320"),
        Presence(window="w2", who="Anna Berg", topic="0320", abstract="a", n=1),
        Presence(window="w3", who="花子", topic="0310"),
        Presence(window="w4", who="bob"),
    ]
    monkeypatch.setattr(CorpusSession, "others", property(lambda _: tuple(here)))
    session.othersMoved.emit()
    column = [view.model.index(row, 6).data() for row in range(view.model.rowCount())]
    assert column == [None, "花子", "A2 AB", ""]
    assert not view.table.isColumnHidden(6)
    here.clear()
    session.othersMoved.emit()
    assert view.table.isColumnHidden(6)


def test_that_annotators_see_how_far_others_are_where_they_may_see_their_work(session_over, qtbot):
    links = {"0310": {"1": "s1", "2": "s1"}, "0320": {"1": "s1;", "2": "s1;s2"}}
    topics = tuple(topic(id_, abstracts=(abstract("a", made),)) for id_, made in links.items())
    people = Person(id="1"), Person(id="2", role="lead")
    session = session_over(corpus=Corpus(name="c", topics=topics, persons=people))
    view, button = qtbot.added(TopicView(session)), qtbot.added(TopicButton(session))

    def shown_of_others() -> list[str]:
        view.offer()
        button.show_topic("0310")
        rows = [view.model.index(row, 4) for row in range(2)]
        tips = [index.data(Qt.ItemDataRole.ToolTipRole) for index in rows]
        assert button.toolTip().startswith(tips[0])
        assert [tip.count("\n") == 2 for tip in tips] == [bool(row.data()) for row in rows]
        return [row.data() for row in rows]

    assert shown_of_others() == ["2 1", ""]
    corpus = session.corpus()
    session.perform(corpus_edit(corpus, replace(corpus, is_blind=True), verb=EDIT_PROJECT))
    assert shown_of_others() == ["", ""]
    session.set_who("2")
    assert shown_of_others() == ["1 1", "1 1"]


@pytest.mark.slow
def test_that_what_finds_and_numbers_stay_near_the_names_and_rows_go_on_to_the_edge(view, qtbot):
    header = view.table.horizontalHeader()
    for width in (700, 3600):
        view.resize(width, 400)
        view.layout().activate()
        assert view.count.geometry().right() <= 1400
        assert view.field.width() >= 200

    def widths() -> list[int]:
        return [header.sectionSize(at) for at in range(header.count())]

    view.resize(2000, 400)
    qtbot.waitUntil(lambda: header.length() == view.table.viewport().width())
    before = widths()
    assert before[0] < 1000
    for px in (2010, 500, 2000):
        view.resize(px, 400)
        qtbot.waitUntil(lambda: header.length() == view.table.viewport().width())
    assert widths() == before
    view.model.sort(0)
    view.table.fit()
    assert widths() == before
