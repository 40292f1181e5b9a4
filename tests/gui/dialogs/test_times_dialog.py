import pytest
from PySide6.QtGui import QGuiApplication
from tests.in_part import in_turn

from awase.core.annotation.actions import NOTE, alignment_edit, with_note
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


def test_that_the_table_is_copied_in_seconds(dialog):
    dialog.copy_table()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Annotator\tEdits\tTime\tSentences\tTime per sentence",
        "1\t2\t67.0\t2\t33.5",
    ]


@in_turn(
    ("milliseconds", "text"),
    [(0, "0.0 s"), (59_940, "59.9 s"), (61_000, "1 min 1 s"), (3_720_000, "1 h 2 min")],
)
def test_that_times_are_written_as_people_read_them(milliseconds, text):
    assert time_text(milliseconds) == text
