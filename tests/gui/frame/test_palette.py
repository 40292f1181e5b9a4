import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from tests.gui.conftest import small_topic
from tests.gui.seeing import says
from tests.in_part import in_turn

from awase.core.records.abstract import AlignmentState
from awase.gui.frame.command_palette import (
    COMMAND_ROLE,
    CommandPalette,
    PaletteCommand,
    PaletteModel,
    match_cost,
)
from awase.gui.frame.commands import ALL_COMMANDS
from awase.gui.kit.i18n import set_language

pytestmark = pytest.mark.slow

K = Qt.Key


@pytest.fixture
def window(window_over, make_corpus):
    return window_over(make_corpus(small_topic(state=AlignmentState.TODO)))


def opened_palette(window):
    window.menus.actions["menu:palette-of-commands"].trigger()
    return window.findChildren(CommandPalette)[-1]


def titles(palette):
    return [palette.model.index(row, 0).data() for row in range(palette.model.rowCount())]


@pytest.mark.main
@in_turn(
    ("query", "better", "worse"),
    [
        ("next", "Next row", "Link the next row"),
        ("row", "Next row", "Arrows"),
        ("nxtab", "Next abstract", "Previous pane"),
        ("次", "次の行", "行の次"),
        ("ＦＬＡＧ", "Flag for another look", "Rank"),
        ("row next", "Next row", "Previous row"),
    ],
)
def test_that_the_better_name_comes_first(query, better, worse):
    good, bad = match_cost(query, (better,)), match_cost(query, (worse,))
    assert good is not None
    assert bad is None or good < bad
    assert match_cost("nw", ("Next row",)) is None, "two letters are strewn over it"


@pytest.mark.main
def test_that_every_command_of_the_page_has_names_in_both_languages():
    for command in ALL_COMMANDS:
        assert len(command.names) == 2, f"translate {command.id}: `python tests/messages.py`"


def test_that_every_command_is_offered_with_its_key_and_of_equals_the_shortest_first(window):
    palette = opened_palette(window)
    shown = titles(palette)
    assert {"Next abstract", "Open", "Dark", "日本語", "Import", "Rank A"} <= set(shown)
    assert len(shown) == len(set(shown))
    at = palette.model.index(shown.index("Next abstract"), 0)
    assert "Ctrl+PgDown" in at.data(Qt.ItemDataRole.AccessibleTextRole)
    for query, shortest in (("export", "Export"), ("expo", "Export"), ("import", "Import")):
        palette.field.setText(query)
        assert titles(palette)[0] == shortest


def test_that_japanese_and_english_find_the_same_command_in_either_language(window):
    palette = opened_palette(window)
    for query in ("要確認", "flag for"):
        palette.field.setText(query)
        assert titles(palette)[0] == "Flag for another look"
    palette.close()
    set_language("ja")
    palette = opened_palette(window)
    palette.field.setText("flag for")
    assert titles(palette)[0] == "要確認の印を付ける"


@pytest.mark.main
def test_that_enter_runs_the_command_and_it_comes_first_the_next_time(window):
    palette = opened_palette(window)
    QTest.keyClicks(palette.field, "flag for")
    QTest.keyClick(palette.field, K.Key_Return)
    assert not palette.isVisible()
    entry = window.workspace.session.topic("t").abstracts[0].alignments[0].of_sentence(1)
    assert entry.state is AlignmentState.FLAGGED
    assert titles(opened_palette(window))[0] == "Flag for another look"


def test_that_arrows_choose_and_esc_leaves_without_a_command_and_none_is_told(window, qtbot):
    palette = opened_palette(window)
    QTest.keyClick(palette.field, K.Key_Down)
    assert palette.list.currentIndex().row() == 1
    palette.field.setText("zzzqqq")
    assert says(palette, "No command has these letters")
    QTest.keyClick(palette.field, K.Key_Return)
    assert palette.isVisible()
    with qtbot.assertNotEmitted(palette.commandChosen):
        QTest.keyClick(palette.field, K.Key_Escape)
    assert not palette.isVisible()


def test_that_a_command_of_a_page_shows_the_page_first(window):
    window.workspace.show_page("scores")
    palette = opened_palette(window)
    palette.field.setText("flag for")
    QTest.keyClick(palette.field, K.Key_Return)
    assert window.workspace.page("annotate").isVisible()


@pytest.mark.main
def test_that_without_a_corpus_the_menus_alone_are_offered(bare_window):
    shown = titles(opened_palette(bare_window))
    assert "Open" in shown
    assert "Next abstract" not in shown
    assert "Import" not in shown


@pytest.mark.main
def test_that_the_model_keeps_qts_rules():
    commands = [
        PaletteCommand(id=name, title=name, group="", keys="", names=(name,), run=print)
        for name in ("one", "two", "three")
    ]
    model = PaletteModel(commands, recent=("three",))
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    assert model.index(0, 0).data() == "three"
    for query in ("t", "", "x", "o"):
        model.set_query(query)
    assert tester


def test_that_a_group_called_as_its_page_is_said_once(window):
    set_language("ja")
    palette = opened_palette(window)
    rows = range(palette.model.rowCount())
    groups = {palette.model.index(row, 0).data(COMMAND_ROLE).group for row in rows}
    set_language("en")
    assert "対応付け" in groups
    assert not [one for one in groups if len({*one.split(" › ")}) < len(one.split(" › "))]
