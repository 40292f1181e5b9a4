"""The main window: what opens, what is dropped on it, what is told, how it closes."""

import json
import os
import shutil
import sqlite3
import sys
import weakref
from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Event, current_thread, main_thread

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu, QStackedWidget, QTableView, QWidget
from tests.building import abstract, corpus, topic
from tests.gui.conftest import small_topic
from tests.gui.seeing import buttons, column, has_button, press, says, texts
from tests.in_part import in_part
from tests.written import as_json

from awase.core.errors import EnvironmentProblem, Silent
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.addition import Addition, addition_of
from awase.core.records.edits import RankEdit
from awase.gui.dialogs.deriving import ExtractorsDialog
from awase.gui.dialogs.editing.editing import AbstractDialog
from awase.gui.dialogs.opening import RestoreDialog
from awase.gui.dialogs.team import TakeBackDialog
from awase.gui.dialogs.transfer.files_dialog import ImportDialog
from awase.gui.dialogs.transfer.plan import NewCorpusDialog
from awase.gui.dialogs.transfer.texts_dialog import TextsDialog
from awase.gui.frame import main_window
from awase.gui.frame.dialogs import CHECKING_JOB
from awase.gui.frame.welcome import DEMONSTRATIONS, DropArea, WelcomePage
from awase.gui.kit.i18n import LANGUAGES, set_language
from awase.gui.kit.problems import DefectDialog, ProblemsDialog
from awase.gui.session.settings import LastPosition
from awase.jobs.team.copies import hand_out, preview
from awase.storage.files import locks_and_backups
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.slow


RANKED = RankEdit(verb="rank", topic="t", abstract="t-short", n=1, old="A", new="C")


@pytest.fixture
def told(window, qtbot):
    """Waits for the dialog of problems, closes it, and returns what it says."""

    def read() -> str:
        qtbot.waitUntil(lambda: window.findChild(ProblemsDialog) is not None)
        dialog = window.findChild(ProblemsDialog)
        model = dialog.findChild(QTableView).model()
        cells = (column(dialog.findChild(QTableView), at) for at in range(model.columnCount()))
        dialog.close()
        dialog.setParent(None)
        return " ".join(map(str, chain(*cells)))

    return read


def opened(window, qtbot):
    qtbot.waitUntil(lambda: window.workspace is not None)
    return window.workspace


@pytest.mark.main
def test_that_without_a_corpus_the_first_page_is_shown(window):
    assert isinstance(window.findChild(QStackedWidget).currentWidget(), WelcomePage)
    assert window.windowTitle() == "Awase"
    assert not window.menus.actions["menu:import"].isEnabled()


def letters_of(menu):
    titles = (action.text().replace("&&", "") for action in menu.actions())
    return Counter(title.partition("&")[2][:1].lower() for title in titles if "&" in title)


def test_that_no_two_entries_of_a_menu_are_chosen_by_one_letter(window, qtbot, make_corpus):
    window.menus.show_recent(["/texts/R&D.awase"])
    window.open_location(str(make_corpus()))
    menus = [window.menuBar(), *opened(window, qtbot).findChildren(QMenu)]
    menus += window.menuBar().findChildren(QMenu)
    for language in LANGUAGES:
        set_language(language)
        QApplication.processEvents()
        for menu in menus:
            assert max(letters_of(menu).values(), default=1) == 1, letters_of(menu)


def test_that_a_corpus_somebody_else_writes_opens_read_only_and_names_them(
    window_over, make_corpus, qtbot
):
    path = make_corpus()
    with CorpusStore.open(path, who="Sato"):
        window = window_over(path)
        workspace = window.workspace
        assert workspace.session.read_only
        assert says(workspace, "Sato has this corpus open")
        assert "read-only" in window.windowTitle()
        assert not window.menus.actions["menu:import"].isEnabled()
    press(workspace, "Try again")
    qtbot.waitUntil(lambda: window.workspace not in (None, workspace))
    assert not window.workspace.session.read_only


@pytest.mark.main
def test_that_a_json_file_asks_for_the_place_of_a_new_corpus(window, qtbot, tmp_path):
    path = tmp_path / "from.json"
    path.write_text('{"awase": 1, "name": "My corpus", "topics": []}', "utf-8")
    window.open_location(str(path))
    dialog = window.findChild(NewCorpusDialog)
    assert dialog.location() == tmp_path / "My corpus.awase"
    dialog.accept_button.click()
    workspace = opened(window, qtbot)
    assert workspace.session.frame.name == "My corpus"
    assert Path(workspace.session.location) == tmp_path / "My corpus.awase"
    assert window.windowTitle() == "My corpus — Awase"


@pytest.mark.parametrize("language", in_part(DEMONSTRATIONS))
def test_that_a_demonstration_is_made_once_and_has_something_to_see(
    window, qtbot, language, services
):
    window.open_demonstration(language)
    workspace = opened(window, qtbot)
    assert workspace.session.topics()
    assert any(
        abstract.alignment_by(workspace.session.who)
        for topic in workspace.session.topics()
        for abstract in topic.abstracts
    )
    assert services.settings.settings.recent == ()
    window.close_corpus()
    window.open_demonstration(language)
    opened(window, qtbot)


@pytest.mark.main
def test_that_a_defect_is_logged_and_shown(window, qtbot, services, capsys):
    services.defects.report(ZeroDivisionError("here"))
    qtbot.waitUntil(lambda: window.findChild(DefectDialog) is not None)
    assert "ZeroDivisionError: here" in services.defects.log.read_text("utf-8")
    window.findChild(DefectDialog).close()


@pytest.mark.main
def test_that_the_first_page_lists_what_was_opened_last_each_time_anew(window, services):
    welcome, file = window.findChild(WelcomePage), services.settings
    assert not has_button(welcome, "one")
    for recent in (("one",), ("two", "one"), ("two",), ()):
        paths = tuple(f"/somewhere/{name}.awase" for name in recent)
        file.change(replace(file.settings, recent=paths))
        settle()
        listed = [name for name in ("one", "two") if shows(welcome, name)]
        assert listed == sorted(recent)
    file.change(replace(file.settings, recent=("postgresql://ann@host/one?sslmode=require",)))
    settle()
    assert shows(welcome, "one")
    assert "postgresql://ann@host" in texts(welcome)
    assert "one  —  postgresql://ann@host" in entries(window)


def entries(window):
    menus = window.menuBar().findChildren(QMenu)
    return [action.text() for menu in menus for action in menu.actions()]


@pytest.mark.main
def test_that_a_corpus_is_listed_once_it_is_open_and_what_is_odd_in_it_is_told(
    window_over, make_corpus, told, services
):
    path = make_corpus()
    os.link(path, path.with_name("second.awase"))
    window = window_over(path)
    assert "hard links" in told()
    assert services.settings.settings.recent == (str(path),)
    assert f"{path.stem}  —  {path.parent}" in entries(window)


def settle() -> None:
    """Shows rows that were added, and lets go of those that were taken away."""
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def shows(welcome, name: str) -> bool:
    rows = [one for one in buttons(welcome) if one.accessibleName().startswith(name)]
    assert len(rows) <= 1
    return bool(rows)


@pytest.mark.main
def test_that_a_recent_corpus_that_is_gone_is_told(window, told, services, tmp_path):
    file = services.settings
    file.change(replace(file.settings, recent=(str(tmp_path / "gone.awase"),)))
    settle()
    press(window.findChild(WelcomePage), "gone")
    told()


def test_that_a_letter_that_changed_on_the_disk_is_told_with_the_backup_to_take(
    window_over, make_corpus, told
):
    path = make_corpus()
    CorpusStore.open(path, who="1").close()  # makes a backup of the sound file
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE source_sentence SET text = 'x' WHERE id = 1")
        connection.commit()
    window_over(path)
    text = told()
    assert "Texts of topic" in text
    assert str(next(path.with_name(f"{path.name}-backups").iterdir())) in text


def test_that_every_page_bears_an_import_that_is_undone_while_its_topic_is_shown(open_window):
    workspace = open_window.workspace
    session = workspace.session
    before = session.corpus()
    changes = session.store.add(
        Addition(topics=(small_topic("new"),)), who=session.who, source="new.json"
    )
    session.reload(changes)
    for page in ("annotate", "inspect", "grade", "scores", "correlations"):
        workspace.show_page(page)
    workspace.show_page("annotate")
    workspace.page("annotate").show_sentence("new", None, 1)
    session.undo_stack.undo()
    assert session.corpus() == session.store.corpus() == before
    for page in ("inspect", "grade", "scores", "correlations", "annotate"):
        workspace.show_page(page)
    session.undo_stack.redo()
    assert session.topic("new") is not None


@pytest.mark.main
def test_that_the_window_does_not_close_over_what_is_typed_and_keeps_the_place(
    open_window, qtbot, services
):
    open_window.menus.choose("menu:edit:new-abstract")
    dialog = open_window.findChild(AbstractDialog)
    qtbot.keyClicks(dialog.editor, "One sentence.")
    open_window.close()
    assert open_window.isVisible()
    press(dialog.question, "Continue editing")
    assert dialog.editor.sentences() == ("One sentence.",)
    dialog.reject()
    press(dialog.question, "Discard and close")
    open_window.shown.annotate.annotation.select(2)
    for page in ("project", "annotate"):
        open_window.shown.show_page(page)
    services.settings.set(palette="dark")  # for which the other page is prepared first
    open_window.close()
    assert not open_window.isVisible()
    assert services.themes.theme.name == "dark"
    assert services.settings.settings.geometry
    assert [(one.topic, one.n) for one in services.settings.settings.left_off] == [("t", 2)]


@pytest.mark.main
def test_that_a_file_that_was_handed_out_is_worked_on_under_its_persons_name(
    window_over, make_corpus, tmp_path
):
    path = tmp_path / "a2.awase"
    with CorpusStore.open(make_corpus(), who="1") as store:
        hand_out(store, "A2", path, who="1", reporter=Silent())
    window = window_over(path)
    assert window.shown.session.who == "A2"
    assert window.windowTitle() == "small (a2.awase) — Awase"


@pytest.mark.main
def test_that_closing_a_window_whose_corpus_is_about_to_be_shown_frees_it_and_keeps_the_place(
    window, qtbot, make_corpus, services, monkeypatch
):
    path, later = make_corpus(), []
    kept = LastPosition(location=str(path), who="1", topic="980722")
    services.settings.change(replace(services.settings.settings, annotator="1", left_off=(kept,)))
    monkeypatch.setattr(
        main_window.QTimer, "singleShot", lambda _ms, _window, show: later.append(show)
    )
    window.open_location(str(path))
    qtbot.waitUntil(lambda: bool(later))
    assert window.workspace is None
    window.close()
    later.pop()()
    assert window.workspace is None
    assert services.settings.settings.left_off == (kept,)
    with CorpusStore.open(path, who="2") as store:
        assert not store.read_only


def test_that_closing_ends_a_job_that_reads_the_corpus_and_looks_at_no_stop(open_window, services):
    store, has_begun, ended = open_window.workspace.session.store, Event(), []

    def work(_reporter) -> None:
        try:
            for _ in range(20_000):
                store.state()
                has_begun.set()
            ended.append("all of it")
        except RuntimeError as error:
            ended.append(str(error))

    services.jobs.start("reading", work)
    assert has_begun.wait(60)  # one that has not would be let go without a word
    open_window.close()
    assert ended == ["a closed corpus is not used again"]


def test_that_nothing_else_goes_through_the_corpus_while_its_backup_is_waited_for(
    open_window, services, monkeypatch
):
    workspace = open_window.workspace
    jobs, keys, running = services.jobs, (CHECKING_JOB, *workspace.page("scores").jobs), []
    for key in keys:
        jobs.start(key, _until_stopped)
    assert all(map(jobs.running, keys))
    monkeypatch.setattr(
        workspace.session, "finish_backup", lambda: running.extend(map(jobs.running, keys))
    )
    open_window.close_corpus()
    assert running == [None] * len(keys)


def _until_stopped(reporter) -> None:
    while True:
        reporter.advance(0, 1)


def test_that_a_corpus_closed_long_ago_is_not_spared_together_with_later_ones(
    window_over, make_corpus, qapp
):
    path, known = make_corpus(), []
    for _ in range(4):
        window = window_over(path)
        known.append(weakref.ref(window.workspace.session))
        window.close_corpus()
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [one() for one in known[:-1]] == [None] * 3


@pytest.mark.main
def test_that_opening_what_is_no_corpus_or_is_stopped_leaves_an_open_one_as_it_is(
    window, window_over, make_corpus, told, tmp_path, services, qtbot, monkeypatch
):
    may_answer = Event()
    path, source = tmp_path / "x.awase", tmp_path / "far.json"  # which is not Awase's
    path.write_text("no corpus", "utf-8")
    aligned = {"id": 1, "text": "One.", "alternatives": [[0]]}
    topic = {"topic": "t", "docid": "d", "sentences": ["One."], "abstract": [aligned]}
    source.write_text(json.dumps({"topics": [topic | {"extracts": {}}]}), "utf-8")
    nowhere = str(tmp_path / "no folder" / "y.awase")
    window.open_location(str(path))
    told()
    window.create_corpus(nowhere, "y", source)
    told()

    read = CorpusStore.history

    def history(*of):
        if current_thread() is main_thread():  # just after the job that opened it
            raise EnvironmentProblem("The disk is gone.")
        return read(*of)

    with monkeypatch.context() as patched:
        patched.setattr(CorpusStore, "history", history)
        window.open_location(str(make_corpus(name="gone")))
        assert "The disk is gone." in told()
    assert window.workspace is None
    assert isinstance(window.findChild(QStackedWidget).currentWidget(), WelcomePage)
    workspace = window_over(make_corpus()).workspace
    assert window.findChild(ImportDialog) is None  # with the file that was for the other one
    for location in (str(path), str(tmp_path / "missing.awase")):
        window.open_location(location)
        told()
        assert window.workspace is workspace
        assert workspace.isVisible()
        assert not workspace.session.read_only
    window.create_corpus(nowhere, "y", None)
    told()
    assert window.workspace is workspace
    monkeypatch.setattr(locks_and_backups, "readable_file", lambda _: may_answer.wait(60))
    window.open_location(str(make_corpus(small_topic("other"), name="other")))
    press(window, "Cancel")
    may_answer.set()
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    assert window.workspace is workspace
    assert workspace.isVisible()
    window.create_corpus(str(tmp_path / "y.awase"), "y", source)
    qtbot.waitUntil(lambda: window.findChild(ImportDialog) is not None)
    (file,) = window.findChild(ImportDialog).files.rows
    assert (file.path, file.format_id) == (source, "far")


@pytest.mark.main
def test_that_a_backup_is_restored_and_what_was_there_is_kept(
    window_over, make_corpus, told, qtbot, monkeypatch
):
    path = make_corpus()
    window = window_over(path)
    first = window.workspace
    (newest,) = path.with_name(f"{path.name}-backups").iterdir()
    older = newest.with_name(f"20260101T000000Z-{newest.stem.partition('-')[2]}.awase")
    shutil.copy(newest, older)
    window.menus.actions["menu:restore"].trigger()
    dialog = window.findChild(RestoreDialog)
    qtbot.waitUntil(lambda: dialog.isVisible())
    assert dialog.fields.text("file") == str(path)
    role = Qt.ItemDataRole.UserRole
    offered = [dialog.list.item(at).data(role) for at in range(dialog.list.count())]
    assert [one and str(one) for one in offered] == [None, str(newest), str(older)]
    monkeypatch.setattr(locks_and_backups, "MOST_BYTES", 0)
    dialog.confirm()
    qtbot.waitUntil(lambda: window.workspace not in (None, first))
    text = told()
    assert "is now a copy of the backup" in text
    assert "it needs some" in text
    assert len([*path.parent.glob(f"{path.stem}-replaced-*.awase")]) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be renamed")
def test_that_a_file_renamed_while_it_is_open_is_told_at_once_and_on_closing(
    window_over, make_corpus, told, qtbot
):
    path = make_corpus()
    window = window_over(path)
    workspace = window.workspace
    path.rename(path.with_name("renamed.awase"))
    qtbot.waitUntil(lambda: says(workspace, "is no longer there"))
    path.with_name("renamed.awase").rename(path)
    qtbot.waitUntil(lambda: not says(workspace, "is no longer there"))
    assert workspace.session.perform(RANKED)
    path.rename(path.with_name("renamed.awase"))
    window.close()
    assert window.isVisible()
    assert "was renamed to" in told()
    window.close()
    assert not window.isVisible()


@pytest.fixture
def open_window(window_over, make_corpus):
    return window_over(make_corpus(name="main"))


def drop(window: QWidget, *paths: Path) -> bool:
    """Drops files on a widget as the desktop does; returns whether they could be dropped."""
    data, none = QMimeData(), Qt.KeyboardModifier.NoModifier
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    enter = QDragEnterEvent(QPointF(5, 5).toPoint(), Qt.DropAction.CopyAction, data,
                            Qt.MouseButton.LeftButton, none)  # fmt: skip
    enter.ignore()
    window.dragEnterEvent(enter)
    event = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data,
                       Qt.MouseButton.LeftButton, none)  # fmt: skip
    event.ignore()
    window.dropEvent(event)
    assert event.isAccepted() is enter.isAccepted()
    return enter.isAccepted()


@pytest.mark.parametrize("name", ["a2.awase", "a2.json"])
def test_that_a_copy_that_comes_back_as_a_file_or_exported_is_looked_at_at_once(
    open_window, qtbot, tmp_path, name
):
    store, path = open_window.shown.session.store, tmp_path / name
    if path.suffix == ".awase":
        hand_out(store, "A2", path, who="1", reporter=Silent())
    else:
        with_sync = WriteRequest(corpus=store.corpus(), ownership=store.ownership())
        path.write_text(as_json(with_sync), "utf-8")
    assert drop(open_window, path)
    dialog = open_window.findChild(TakeBackDialog)
    qtbot.waitUntil(lambda: dialog.plan is not None)
    assert not dialog.plan.entries
    dialog.reject()


@pytest.mark.main
def test_that_texts_and_a_plain_export_are_imported_and_never_taken_back(open_window, tmp_path):
    store, links, plain = open_window.shown.session.store, tmp_path / "l.tsv", tmp_path / "p.json"
    links.write_text("1\tA\ts1\n", "utf-8")
    plain.write_text(as_json(WriteRequest(corpus=store.corpus())), "utf-8")
    with pytest.raises(Exception, match="does not say which corpus"):
        preview(store, [plain], names={}, reporter=Silent())
    assert drop(open_window, links, plain)
    dialog = open_window.findChild(ImportDialog)
    assert [file.path for file in dialog.files.rows] == [links, plain]
    dialog.reject()


def test_that_a_corpus_dropped_on_the_first_page_or_over_another_is_opened(
    window, qtbot, make_corpus
):
    path, other = make_corpus(), make_corpus(small_topic("other"), name="other")
    assert drop(window.findChild(DropArea), path)
    first = opened(window, qtbot)
    assert first.session.location == str(path)
    drop(window, other)
    qtbot.waitUntil(lambda: window.workspace not in (None, first))
    assert window.shown.session.location == str(other)


def test_that_a_damaged_copy_is_told_and_changes_nothing(open_window, qtbot, tmp_path):
    path = tmp_path / "broken.awase"
    path.write_bytes(b"SQLite format 3\x00" + b"x" * 3000)
    before = open_window.shown.session.corpus()
    with qtbot.waitSignal(open_window.dialogs.failed):
        drop(open_window, path)
    assert open_window.shown.session.store.corpus() == before


def test_that_a_store_that_cannot_be_read_now_is_told_of_and_no_defect(
    open_window, tmp_path, monkeypatch
):
    def gone() -> None:
        raise EnvironmentProblem("The server is gone.", "Wait for it.")

    for name in ("parse_models", "bare_ownership"):
        monkeypatch.setattr(open_window.shown.session.store, name, gone)
    open_window.menus.choose("menu:extract")
    assert open_window.findChild(ExtractorsDialog).ticked()
    drop(open_window, tmp_path / "copy.awase")
    assert column(open_window.findChild(ProblemsDialog).table, 1) == ["The server is gone."]


@pytest.mark.main
def test_that_without_a_corpus_corpora_and_texts_can_be_dropped(window, tmp_path):
    text = tmp_path / "a.txt"
    text.write_text("It rained.", "utf-8")
    assert not drop(window, tmp_path / "a.png")
    assert drop(window, text)
    assert window.findChild(TextsDialog) is not None


def test_that_the_window_says_whose_work_it_is_and_goes_on_under_that_name(window_over, tmp_path):
    path = tmp_path / "hers.awase"
    content = corpus(topic("t", abstracts=(abstract("a", {"Hanako": "s1;"}),)))
    CorpusStore.create(path, name="c", who="x", addition=addition_of(content)).close()
    window = window_over(path)
    assert says(window, "The work in this corpus is that of “Hanako”")
    press(window, "Continue as “Hanako”")
    assert window.shown.session.who == "Hanako"
    assert not says(window, "The work in this corpus")
    window.close_corpus()
