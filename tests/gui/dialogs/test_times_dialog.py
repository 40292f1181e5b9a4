import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from tests.in_part import in_turn

from awase.core.annotation.actions import NOTE, alignment_edit, with_note
from awase.core.team.progress import TimesBy
from awase.gui.dialogs.whole_corpus import TimesDialog, time_text
from awase.storage.store import CorpusStore


@pytest.fixture
def dialog(make_corpus, qtbot):
    """Annotator 1 worked 65 s on sentence 1 and 2 s on sentence 2."""
    with CorpusStore.open(make_corpus(), who="1") as store:
        for n, ms in ((1, 65_000), (2, 2000)):
            topic = store.topic("t")
            entry = topic.abstracts[0].alignment_by("1").of_sentence(n)
            new = with_note(entry, "x")
            store.apply(
                alignment_edit("t", topic.abstracts[0], "1", new, verb=NOTE), who="1", active_ms=ms
            )
        dialog = qtbot.added(TimesDialog(store.corpus().topics, store.logged_times(), None))
        yield dialog


def rows(model):
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_that_times_are_shown_by_annotator_topic_and_sentence(dialog):
    assert rows(dialog.model) == [["1", "2", "1 min 7 s", "2", "33.5 s"]]
    dialog.fields.set("by", TimesBy.TOPIC)
    assert rows(dialog.model) == [["t", "2", "1 min 7 s", "2", "33.5 s"]]
    dialog.fields.set("by", TimesBy.SENTENCE)
    assert rows(dialog.model) == [
        ["t", "t-short", "1", "1", "1", "1 min 5 s"],
        ["t", "t-short", "2", "1", "1", "2.0 s"],
    ]
    assert dialog.model.numbers == [2, 4, 5]  # these stand at the right
    assert dialog.fields["total"].text() == "together 1 min 7 s, 33.5 s per sentence"


def test_that_the_table_is_copied_in_seconds(dialog):
    dialog.copy_table()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Annotator\tEdits\tTime\tSentences\tTime per sentence",
        "1\t2\t67.0\t2\t33.5",
    ]


def test_that_a_time_that_nobody_logged_is_a_dash_with_its_reason(make_corpus, qtbot):
    with CorpusStore.open(make_corpus(), who="1") as store:
        dialog = qtbot.added(TimesDialog(store.corpus().topics, store.logged_times(), None))
        assert rows(dialog.model) == [["1", "0", "—", "0", "—"]]
        tip = dialog.model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
        assert tip == "No time was logged, so it is undefined."


@in_turn(
    ("milliseconds", "text"),
    [(0, "0.0 s"), (59_940, "59.9 s"), (61_000, "1 min 1 s"), (3_720_000, "1 h 2 min")],
)
def test_that_times_are_written_as_people_read_them(milliseconds, text):
    assert time_text(milliseconds) == text
