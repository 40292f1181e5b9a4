from PySide6.QtGui import QGuiApplication
from tests.gui.conftest import small_topic
from tests.in_part import in_turn

from awase.core.team.progress import LoggedTime
from awase.gui.dialogs.whole_corpus import TimesDialog, time_text


def test_that_the_table_is_copied_in_seconds(qtbot):
    log = [
        LoggedTime(annotator="1", active_ms=ms, topic="t", abstract="t-short", n=n)
        for n, ms in ((1, 65_000), (2, 2000))
    ]
    qtbot.shown(TimesDialog([small_topic()], log, None)).copy_table()
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
