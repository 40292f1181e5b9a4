"""Plain texts are looked at in a table before they become a corpus."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from awase.core.formats.reading.requests import LEFT_OUT
from awase.gui.dialogs.transfer.texts_dialog import TextsDialog, TextsModel
from awase.gui.kit.problems import ProblemsDialog
from awase.storage.store import CorpusStore

TEXTS = {
    "asahi.txt": "The hall fell. Nobody was hurt.",
    "mainichi.txt": "A hall fell down. It was old.",
    "nikkei.txt": "Prices rose. The hall was insured.",
    "abstract-short.txt": "An old hall fell. Nobody was hurt.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "quake"
    place.mkdir()
    for name, text in TEXTS.items():
        (place / name).write_text(text.replace("Nobody was hurt.", "No one died.")
                                  if name == "asahi.txt" else text, "utf-8")  # fmt: skip
    return place


@pytest.fixture
def dialog(services, qtbot, tmp_path) -> TextsDialog:
    return qtbot.shown(TextsDialog(services, folder=tmp_path))


def look(dialog: TextsDialog, folder: Path, qtbot) -> None:
    dialog.add_files([folder])
    qtbot.waitUntil(lambda: not dialog.is_busy)


def cell(dialog: TextsDialog, row: int, column: int) -> str:
    return str(dialog.texts.index(row, column).data())


def test_that_a_document_that_repeats_the_abstract_is_asked_about(dialog, folder, qtbot):
    (folder / "copy.txt").write_text(TEXTS["abstract-short.txt"], "utf-8")
    look(dialog, folder, qtbot)
    assert not dialog.accept_button.isEnabled()
    assert "2 of the 2 sentences" in dialog.fields["doubt"].text()
    assert cell(dialog, dialog.table.currentIndex().row(), 0) == "copy.txt"
    assert dialog.focusWidget() is dialog.fields.button("is-abstract")
    dialog.fields.button("is-abstract").click()
    assert dialog.accept_button.isEnabled()
    assert dialog.focusWidget() is dialog.accept_button
    assert cell(dialog, 2, 1) == "Abstract"


@pytest.mark.parametrize("by", ["button", "table"])
def test_that_a_document_may_quote_the_abstract_once_somebody_says_so(dialog, folder, qtbot, by):
    (folder / "asahi.txt").write_text(TEXTS["asahi.txt"], "utf-8")
    look(dialog, folder, qtbot)
    assert not dialog.accept_button.isEnabled()
    dialog.fields.set("name", "mine")
    if by == "button":
        dialog.fields.button("is-document").click()
    else:
        row = dialog.table.currentIndex().row()
        dialog.texts.setData(dialog.texts.index(row, 1), "document")
    assert dialog.accept_button.isEnabled()
    look(dialog, folder, qtbot)
    assert not dialog.accept_button.isEnabled()  # it is asked about anew
    assert dialog.fields.text("name") == "mine"


def test_that_names_and_roles_are_corrected_in_the_table(dialog, folder, qtbot):
    look(dialog, folder, qtbot)
    dialog.texts.set_role("nikkei.txt", "")
    assert dialog.message.text() == "3 texts · 1 topic"
    assert dialog.texts.setData(dialog.texts.index(0, 5), "Kato")
    assert not dialog.texts.setData(dialog.texts.index(0, 2), "  ")  # a topic has a name
    dated = dialog.texts.index(0, 6)
    assert not dated.flags() & Qt.ItemFlag.ItemIsEditable  # an abstract has no date
    with qtbot.waitSignal(dialog.created) as made:
        dialog.accept_button.click()
    with CorpusStore.open(made.args[0], who="1") as store:
        (topic,) = store.corpus().topics
    assert topic.abstracts[0].author == "Kato"
    assert len(topic.documents) == 2


@pytest.mark.qt_log_ignore("support (raise|grabbing)", extend=True)  # of a list that pops up
def test_that_a_role_is_chosen_by_keys_alone(dialog, folder, qtbot):
    look(dialog, folder, qtbot)
    for _ in range(20):
        if dialog.focusWidget() is dialog.table:
            break
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Backtab)
    table = dialog.table
    assert dialog.focusWidget() is table
    assert table.currentIndex().column() == 1
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_F2)
    box = table.findChild(QComboBox)
    qtbot.waitUntil(box.view().isVisible)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(box.view(), key)
    qtbot.waitUntil(lambda: cell(dialog, 1, 1) == "System")
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: dialog.focusWidget() is table)


def test_that_texts_join_the_corpus_of_who_is_at_work(session, services, folder, qtbot):
    services.settings.set(annotator="who is at work elsewhere")
    dialog = qtbot.shown(TextsDialog(services, session))
    look(dialog, folder, qtbot)
    with qtbot.waitSignal(dialog.accepted):
        dialog.accept_button.click()
    assert session.topic_ids() == ("t", "quake")
    assert session.undo_stack.undoText().startswith("import")


def test_that_the_next_corpus_of_the_same_name_gets_a_number(services, folder, qtbot, tmp_path):
    (tmp_path / "quake.awase").write_bytes(b"")
    dialog = qtbot.added(TextsDialog(services, folder=tmp_path))
    look(dialog, folder, qtbot)
    assert dialog.fields.text("name") == "quake 2"
    assert dialog.accept_button.isEnabled()
    dialog.fields.set("place", str(tmp_path / "quake.awase"))
    assert not dialog.accept_button.isEnabled()


def test_that_a_failed_import_leaves_the_table_as_it_was(dialog, folder, qtbot, tmp_path):
    look(dialog, folder, qtbot)
    (folder / "asahi.txt").write_bytes(b"")
    with qtbot.waitSignal(dialog.failed):
        dialog.accept_button.click()
    assert dialog.isVisible()
    assert len(dialog.texts.rows) == 4
    assert not (tmp_path / "quake.awase").exists()


def test_that_the_table_is_a_model_as_qt_wants_it(services, folder, qtbot):
    from awase.core.errors import Silent
    from awase.jobs.importing import look_at

    model = TextsModel(services.themes)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    found = look_at([folder], None, Silent())
    model.show(found.files, {name: len(text.texts) for name, text in found.texts.items()})
    model.set_role("asahi.txt", "system")
    assert model.index(1, 1).data() == "System"
    tip, unknown = Qt.ItemDataRole.ToolTipRole, "Its name does not say what it is; choose a role."
    tips = [[model.index(row, column).data(tip) for column in (0, 1)] for row in (1, 2)]
    assert tips == [["asahi.txt", "asahi.txt"], ["mainichi.txt", unknown]]
    assert tester is not None  # it lives as long as what it watches


@pytest.mark.slow
def test_that_names_of_files_are_cut_before_the_table_scrolls(dialog, folder, qtbot):
    (folder / f"{'a-very-long-name-' * 6}.txt").write_text("It rained.", "utf-8")
    look(dialog, folder, qtbot)
    for width in (1600, 700):
        dialog.resize(width, 600)
        QApplication.processEvents()
        over = dialog.table.viewport().width() - dialog.table.horizontalHeader().length()
        assert 0 <= over < 2
    assert dialog.table.columnWidth(7) >= dialog.table.sizeHintForColumn(7)


def test_that_a_role_for_the_whole_folder_leaves_the_question_open(dialog, folder, qtbot):
    (folder / "copy.txt").write_text(TEXTS["abstract-short.txt"], "utf-8")
    look(dialog, folder, qtbot)
    dialog.texts.setData(dialog.texts.index(0, 1), "reference")
    dialog.table.selectRow(1)
    assert cell(dialog, 1, 1) == "Document?"
    dialog.fields.button("settle").click()
    dialog.texts.setData(dialog.texts.index(0, 1), "reference")
    assert not dialog.accept_button.isEnabled()


def test_that_another_language_keeps_what_was_corrected(dialog, folder, qtbot, monkeypatch):
    made = []
    create = "awase.gui.dialogs.transfer.texts_dialog.create_with_files"
    monkeypatch.setattr(create, lambda _place, name, files, *_: made.append((name, *files)) or ())
    look(dialog, folder, qtbot)
    dialog.texts.setData(dialog.texts.index(1, 2), "another")
    dialog.table.selectRow(1)
    dialog.fields.set("language", "ja")
    dialog.changed("language")
    qtbot.waitUntil(lambda: not dialog.is_busy)
    assert cell(dialog, 1, 2) == "another"
    assert dialog.table.currentIndex().row() == 1
    assert dialog.has_unsaved()
    with qtbot.waitSignal(dialog.created):
        dialog.accept_button.click()
    assert [(name, file.language) for name, file in made] == [("quake", "ja")]


def test_that_a_text_that_cannot_be_read_says_where_it_breaks(dialog, folder, qtbot):
    (folder / "asahi.txt").write_bytes(b"The hall\0fell.")
    look(dialog, folder, qtbot)
    dialog.table.selectRow(1)
    assert "a NUL at offset 8" in dialog.preview.toPlainText()
    assert cell(dialog, 1, 7) == "—"
    assert not dialog.accept_button.isEnabled()


def test_that_an_encoding_that_was_guessed_is_told_once_the_corpus_is_made(
    services, folder, qtbot, tmp_path
):
    (folder / "asahi.txt").write_bytes("町の古い庁舎が倒れた。けが人はいなかった。".encode("cp932"))
    window = qtbot.shown(QWidget())
    dialog = TextsDialog(services, folder=tmp_path, parent=window)
    look(dialog, folder, qtbot)
    with qtbot.waitSignal(dialog.created):
        dialog.accept_button.click()
    (remarks,) = window.findChildren(ProblemsDialog)
    told = str(remarks.table.model().index(0, 1).data())
    assert told.endswith("was guessed: cp932; asahi.txt is one.")
    remarks.close()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\0", "asahi.txt cannot be read as a text; leave it out."),
     (b" \n", "asahi.txt has no text; leave it out.")],
)  # fmt: skip
def test_that_the_keyboard_is_at_a_text_that_cannot_be_imported(
    dialog, folder, qtbot, content, said
):
    (folder / "asahi.txt").write_bytes(content)
    look(dialog, folder, qtbot)
    assert dialog.message.text() == said
    assert not dialog.accept_button.isEnabled()
    assert dialog.focusWidget() is dialog.table
    assert cell(dialog, dialog.table.currentIndex().row(), 0) == "asahi.txt"
    dialog.texts.setData(dialog.table.currentIndex(), LEFT_OUT)
    assert dialog.accept_button.isEnabled()
