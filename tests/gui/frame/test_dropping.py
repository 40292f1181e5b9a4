"""Files dropped on the window: copies are taken back, texts imported, other corpora opened."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from tests.gui.conftest import small_topic
from tests.written import as_json

from awase.core.formats.reading.requests import WriteRequest
from awase.core.progress import Silent
from awase.gui.dialogs.team import TakeBackDialog
from awase.gui.dialogs.transfer.files_dialog import ImportDialog
from awase.gui.dialogs.transfer.texts_dialog import TextsDialog
from awase.gui.frame.main_window import MainWindow
from awase.jobs.team.copies import hand_out, preview
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.slow


@pytest.fixture
def opened(window_over, make_corpus):
    return window_over(make_corpus(name="main"))


def data_of(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(window: MainWindow, *paths: Path) -> bool:
    """Drops files on the window as the desktop does; returns whether they could be dropped."""
    data, none = data_of(*paths), Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPointF(5, 5).toPoint(), Qt.DropAction.CopyAction, data,
                            Qt.MouseButton.LeftButton, none)  # fmt: skip
    enter.ignore()
    window.dragEnterEvent(enter)
    event = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data,
                       Qt.MouseButton.LeftButton, none)  # fmt: skip
    window.dropEvent(event)
    return enter.isAccepted()


def test_that_a_copy_that_comes_back_is_looked_at_at_once(opened, qtbot, tmp_path):
    path = tmp_path / "a2.awase"
    hand_out(opened.shown.session.store, "A2", path, who="1", reporter=Silent())
    assert drop(opened, path)
    dialog = opened.findChild(TakeBackDialog)
    qtbot.waitUntil(lambda: dialog.plan is not None)
    dialog.reject()


def test_that_an_exported_copy_comes_back_like_a_file(opened, qtbot, tmp_path):
    store, path = opened.shown.session.store, tmp_path / "a2.json"
    with_sync = WriteRequest(corpus=store.corpus(), ownership=store.ownership())
    path.write_text(as_json(with_sync), "utf-8")
    assert drop(opened, path)
    dialog = opened.findChild(TakeBackDialog)
    qtbot.waitUntil(lambda: dialog.plan is not None)
    assert not dialog.plan.entries
    dialog.reject()


def test_that_a_plain_export_is_imported_and_never_taken_back(opened, tmp_path):
    store, path = opened.shown.session.store, tmp_path / "plain.json"
    path.write_text(as_json(WriteRequest(corpus=store.corpus())))
    with pytest.raises(Exception, match="does not say which corpus"):
        preview(store, [path], names={}, reporter=Silent())
    drop(opened, path)
    dialog = opened.findChild(ImportDialog)
    assert [file.path for file in dialog.files.files] == [path]
    dialog.reject()


@pytest.mark.main
def test_that_texts_lead_to_the_import(opened, tmp_path):
    path = tmp_path / "links.tsv"
    path.write_text("1\tA\ts1\n", "utf-8")
    assert drop(opened, path)
    dialog = opened.findChild(ImportDialog)
    assert [file.path for file in dialog.files.files] == [path]
    dialog.reject()


def test_that_another_corpus_is_opened(opened, qtbot, make_corpus):
    other = make_corpus(small_topic("other"), name="other")
    drop(opened, other)
    qtbot.waitUntil(
        lambda: opened.workspace is not None and opened.shown.session.topic("other") is not None
    )


def test_that_a_damaged_copy_is_told_and_changes_nothing(opened, qtbot, tmp_path):
    path = tmp_path / "broken.awase"
    path.write_bytes(b"SQLite format 3\x00" + b"x" * 3000)
    before = opened.shown.session.corpus()
    with qtbot.waitSignal(opened.dialogs.failed):
        drop(opened, path)
    assert opened.shown.session.store.corpus() == before


def test_that_without_a_corpus_corpora_and_texts_can_be_dropped(window, tmp_path):
    text = tmp_path / "a.txt"
    text.write_text("It rained.", "utf-8")
    assert not drop(window, tmp_path / "a.png")
    assert drop(window, text)
    assert window.findChild(TextsDialog) is not None


def test_that_a_folder_of_texts_joins_the_open_corpus(opened, qtbot, tmp_path):
    folder = tmp_path / "quake"
    folder.mkdir()
    (folder / "a.txt").write_text("It rained.", "utf-8")
    drop(opened, folder)
    dialog = opened.findChild(TextsDialog)
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    dialog.accept_button.click()
    qtbot.waitUntil(lambda: opened.shown.session.topic("quake") is not None)


def test_that_the_window_says_whose_work_it_is_and_goes_on_under_that_name(window, qtbot, tmp_path):
    path = tmp_path / "hers.awase"
    from tests.building import abstract, corpus, topic

    from awase.core.records.addition import addition_of

    content = corpus(topic("t", abstracts=(abstract("a", {"Hanako": "s1;"}),)))
    CorpusStore.create(path, name="c", who="x", addition=addition_of(content)).close()
    window.open_location(str(path))
    qtbot.waitUntil(lambda: window.workspace is not None)
    from tests.gui.seeing import press, says

    assert says(window, "The work in this corpus is that of “Hanako”")
    press(window, "Go on as “Hanako”")
    assert window.shown.session.who == "Hanako"
    assert not says(window, "The work in this corpus")
    window.close_corpus()
