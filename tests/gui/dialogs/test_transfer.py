import json
import os
from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from tests import building
from tests.in_part import in_turn

from awase.core.errors import EnvironmentProblem, InputError, Problem, Silent
from awase.core.records.corpus import Corpus
from awase.gui.dialogs.transfer.files_dialog import (
    FORMAT_COLUMN,
    NAME_COLUMN,
    ExportDialog,
    ImportDialog,
)
from awase.gui.dialogs.transfer.plan import NewCorpusDialog, planned
from awase.gui.kit.i18n import set_language, what_of
from awase.gui.kit.problems import ProblemsDialog, ProblemsModel
from awase.jobs.importing import read_all
from awase.storage.store import CorpusStore

EXTRACTS = "mmr\tt\tshort\td:1 d:3\n"
NO_SUCH_SENTENCE = "mmr\tt\tshort\td:99\n"


@pytest.fixture
def dialog(session, services, qtbot):
    return qtbot.shown(ImportDialog(session, services, None))


@pytest.fixture
def add(dialog, tmp_path):
    """Adds a file with a text to the import, and returns it."""

    def added(name: str, text: str):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        dialog.add_files([path])
        return path

    return added


@pytest.fixture
def export(session, services, qtbot):
    return qtbot.added(ExportDialog(session, services, None))


def systems(session) -> list[str]:
    return [output.system for output in session.topic("t").outputs]


def test_that_format_and_encoding_are_told_from_the_file(tmp_path):
    table, extracts, text, unknown = (
        tmp_path / name for name in ("a.tsv", "b.tsv", "c.txt", "d.dat")
    )
    table.write_text("1\tA\ts1 s2,s3\n", "utf-8")
    extracts.write_text(EXTRACTS, "utf-8")
    text.write_bytes("東嶺大学が木造船を見つけた。町が発表した。".encode("euc-jp"))
    unknown.write_bytes(b"x")
    assert [planned(path).format_id for path in (table, extracts, text, unknown)] == [
        "alignment-table",
        "extract-lines",
        "text",
        "",
    ]
    assert planned(text).detected == "euc-jp"
    assert planned(unknown).missing() == ("format",)
    assert planned(table).missing() == ("topic", "abstract", "annotator")


def test_that_an_import_changes_the_corpus_and_the_session(dialog, add, session, qtbot):
    add("run.extracts", EXTRACTS)
    assert dialog.accept_button.isEnabled()
    asked = ("topic", "abstract", "annotator", "language")
    assert [name for name in asked if dialog.file_form[name].isEnabled()] == []
    dialog.set_field("format_id", "text")
    assert [name for name in asked if dialog.file_form[name].isEnabled()] == ["topic", "language"]
    dialog.set_field("format_id", "extract-lines")
    with qtbot.waitSignals([dialog.accepted, session.changed]):
        dialog.accept_button.click()
    assert systems(session) == ["lead", "last", "mmr"]
    assert not dialog.isVisible()


@pytest.mark.slow
def test_that_a_folder_of_texts_is_imported(dialog, session, tmp_path, qtbot):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "out_bart.txt").write_text("A dog ran.\n", "utf-8")
    (folder / "ids.txt").write_text("t\n", "utf-8")
    dialog.add_files([folder])
    assert dialog.files.rows[0].format_id == "parallel-text"
    dialog.set_field("format_id", "text")
    assert not dialog.accept_button.isEnabled()
    assert "is a folder" in dialog.message.text()
    dialog.set_field("format_id", "parallel-text")
    with qtbot.waitSignal(dialog.accepted):
        dialog.accept_button.click()
    assert systems(session) == ["lead", "last", "bart"]


def test_that_files_outside_the_folder_are_asked_for(dialog, session, tmp_path, qtbot):
    folder = tmp_path / "settings"
    folder.mkdir()
    (folder / "m.txt").write_text("A dog ran.\n", "utf-8")
    (tmp_path / "secret.txt").write_text("The key is under the mat.\n", "utf-8")
    (folder / "settings.xml").write_text(
        "<ROUGE_EVAL><EVAL ID='t'><PEER-ROOT>..</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>"
        "<INPUT-FORMAT TYPE='SPL'/><PEERS><P ID='x'>secret.txt</P></PEERS>"
        "<MODELS><M ID='A'>m.txt</M></MODELS></EVAL></ROUGE_EVAL>",
        "utf-8",
    )
    dialog.add_files([folder])

    def box_after_trying() -> QMessageBox:
        dialog.accept_button.click()
        qtbot.waitUntil(
            lambda: bool(dialog.findChildren(QMessageBox)) and dialog.accept_button.isEnabled()
        )
        return dialog.findChildren(QMessageBox)[-1]

    box = box_after_trying()
    assert box.informativeText() == "../secret.txt"
    assert box.defaultButton().text() == "Cancel"
    box.defaultButton().click()
    qtbot.waitUntil(lambda: not dialog.findChildren(QMessageBox))
    assert systems(session) == ["lead", "last"]
    box = box_after_trying()
    read = next(button for button in box.buttons() if button is not box.defaultButton())
    with qtbot.waitSignal(dialog.accepted):
        read.click()
    assert systems(session) == ["lead", "last", "x"]


@pytest.mark.slow
def test_that_a_pipe_cannot_be_imported(dialog, tmp_path):
    if os.name != "posix":
        pytest.skip("Windows has no such files")
    os.mkfifo(tmp_path / "pipe.json")
    dialog.add_files([tmp_path / "pipe.json"])
    assert not dialog.accept_button.isEnabled()
    assert "is not a file but a pipe" in dialog.message.text()


def test_that_one_bad_file_keeps_all_of_them_out(dialog, session, tmp_path, qtbot):
    good, bad = tmp_path / "good.extracts", tmp_path / "bad.extracts"
    good.write_text(EXTRACTS, "utf-8")
    bad.write_text(NO_SUCH_SENTENCE.replace("mmr", "other"), "utf-8")
    dialog.add_files([good, bad])
    with qtbot.waitSignal(dialog.failed) as blocker:
        dialog.accept_button.click()
    _, error = blocker.args
    assert isinstance(error, InputError)
    assert error.problems[0].source == "bad.extracts"
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    assert systems(session) == ["lead", "last"]
    assert len(session.store.corpus().topics[0].outputs) == 2


def test_that_what_a_format_needs_is_asked_and_the_importer_is_annotator_only_where_needed(
    dialog, add, services
):
    add("0.tsv", "1\tA\ts1\n")
    assert not dialog.accept_button.isEnabled()
    dialog.set_field("topic", "t")
    dialog.set_field("abstract", "t-short")
    assert dialog.accept_button.isEnabled()
    assert dialog.file_form.box("abstract").itemText(0) == "t-short"
    importer = services.settings.settings.annotator
    assert dialog.files.rows[0].annotator == importer != ""
    dialog.set_field("format_id", "duc-extracts")
    assert dialog.files.rows[0].annotator == ""
    assert dialog.file_form["annotator"].isEnabled()
    assert dialog.accept_button.isEnabled()
    dialog.set_field("annotator", "kn")
    dialog.set_field("format_id", "duc-abstracts")
    assert dialog.files.rows[0].annotator == "kn"


def test_that_enter_imports_what_was_added_once(dialog, add, session, qtbot):
    dialog.show()
    for _ in range(2):
        add("run.extracts", EXTRACTS)
    assert dialog.files.rowCount() == 1
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert "mmr" in {output.system for output in session.topics()[0].outputs}


def test_that_a_folder_is_exported_once(export, qtbot, tmp_path):
    export.fields.set("format", "parallel-text")
    assert export.place().suffix == ""
    assert export.fields["place"].line.accessibleName() == "Folder"
    target = tmp_path / "texts"
    export.fields.set("place", str(target))
    with qtbot.waitSignal(export.accepted):
        export.accept_button.click()
    assert (target / "short" / "out_lead.txt").is_file()
    export.show_state()
    assert not export.accept_button.isEnabled()
    assert "is not an empty folder" in export.message.text()
    export.fields.set("place", str(tmp_path / "a\0b"))
    assert "cannot contain NUL" in export.message.text()


def test_that_a_format_about_one_alignment_asks_whose_and_one_about_many_offers_all(
    export, qtbot, tmp_path
):
    export.fields.set("format", "label-studio")
    plan = export.plan()
    assert (plan.topic, plan.abstract, plan.annotator) == (None, None, None)
    export.fields.set("format", "alignment-table")
    plan = export.plan()
    assert (plan.topic, plan.abstract, plan.annotator) == ("t", "t-short", "1")
    assert export.place().suffix == ".tsv"
    export.fields.set("format", "label-studio")
    export.fields.set("annotator", "1")
    export.fields.set("unassisted", True)
    assert export.plan().is_unassisted
    export.fields.set("place", str(tmp_path / "tasks.json"))
    with qtbot.waitSignal(export.accepted):
        export.accept_button.click()
    tasks = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert [task["data"]["annotator"] for task in tasks] == ["1"]


def test_that_the_annotators_offered_for_an_export_are_those_of_the_abstract(
    session_over, services, qtbot
):
    abstracts = [building.abstract(f"t-{who}", {who: "1"}) for who in "12"]
    session = session_over(building.topic("t", abstracts=abstracts))
    dialog = qtbot.added(ExportDialog(session, services, None))
    dialog.fields.set("format", "alignment-table")
    for who in "21":
        dialog.fields.set("abstract", f"t-{who}")
        assert dialog.plan().annotator == who


def test_that_a_file_that_names_its_annotator_is_not_given_another(dialog, add):
    add("t.jsonl", '{"text": "x", "label": []}\n')
    assert dialog.accept_button.isEnabled()
    assert dialog.file_form["annotator"].isEnabled()
    (file,) = dialog.files.rows
    assert file.annotator == ""
    assert dialog.files.index(0, dialog.files.columnCount() - 1).data() == "as it says"
    dialog.set_field("annotator", "me")
    (file,) = dialog.files.rows
    assert file.annotator == "me"


def test_that_an_export_that_cannot_be_written_is_told(export, qtbot, tmp_path):
    export.fields.set("place", str(tmp_path / ("x" * 300)))
    with qtbot.waitSignal(export.failed):
        export.accept_button.click()
    assert not list(tmp_path.glob("*.part"))


def test_that_a_name_too_long_for_a_file_is_asked_about_without_a_defect(qtbot, tmp_path):
    dialog = qtbot.added(NewCorpusDialog(name="New", folder=tmp_path))
    dialog.fields.set("place", str(tmp_path / ("x" * 300)))
    assert dialog.location().name == f"{'x' * 300}.awase"
    assert dialog.verdict().is_ready  # making the file tells what the disk says
    with pytest.raises(EnvironmentProblem, match="cannot be created"):
        CorpusStore.create(dialog.location(), name="New", who="1")


def test_that_problems_can_be_copied_as_a_table(qtbot):
    problems = (
        Problem(what="The id is empty.", hint="Give it a name.", source="a.json", line=3),
        Problem(what="The id is empty."),
    )
    qtbot.shown(ProblemsDialog("Nothing was imported.", problems)).fields["copy"].click()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Where\tProblem\tHow to fix it",
        "a.json:3\tThe id is empty.\tGive it a name.",
        "\tThe id is empty.\t",
    ]
    dialog = qtbot.added(ProblemsDialog("Nothing was exported.", problems))
    QAbstractItemModelTester(
        dialog.table.model(), QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    dialog.show()
    assert dialog.fields["count"].text() == "2 problems were found."
    assert ProblemsModel([Problem(what="x")] * 5000).rowCount() == 500  # not all are drawn


@pytest.mark.slow
def test_that_rows_of_problems_are_as_high_as_their_texts_at_any_size(qtbot):
    problems = [Problem(what="It stands twice. " * n, hint="Mend it. " * n) for n in (9, 3, 5)]
    dialog = qtbot.shown(ProblemsDialog("Nothing was imported.", problems))
    table = dialog.table
    for height, width in product(range(dialog.minimumSizeHint().height(), 600, 40), (500, 700)):
        dialog.resize(width, height)
        for _ in range(3):
            QApplication.processEvents()
        wanted = [table.sizeHintForRow(row) for row in range(3)]
        assert [table.rowHeight(row) for row in range(3)] == wanted, (width, height)


@in_turn(
    ("name", "data", "words"),
    [
        ("gone.extracts", None, "does not exist"),
        ("empty.txt", b" \n", "is empty"),
        ("cut.json", b'{"awase": 1, "topics": [', "is damaged"),
        ("binary.txt", b"\x00\x01\x02", "not a text"),
    ],
)
def test_that_a_file_that_cannot_be_read_keeps_the_import_back(
    dialog, add, tmp_path, name, data, words
):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    add("run.extracts", EXTRACTS)
    dialog.add_files([tmp_path / name])
    dialog.set_field("topic", "t")
    assert not dialog.accept_button.isEnabled()
    assert words in dialog.message.text()
    dialog.files.remove([1])
    assert dialog.accept_button.isEnabled()
    assert dialog.message.text() == ""
    add("other.extracts", EXTRACTS)
    assert dialog.fields["about"].text() == "About the 1 selected file"
    dialog.files.remove([0, 1])
    assert dialog.files.rows == ()


TEXTS = "原文,gold,made,key\n木造船が見つかった。,船が見つかる。,船が出た。,x1\n"


def test_that_how_columns_were_taken_is_told_in_the_windows_words(tmp_path):
    table = tmp_path / "texts.csv"
    table.write_text("nr,body,summary\n1,a b c.,z.\n", "utf-8")
    set_language("ja")
    taken_as = read_all(Corpus(), [planned(table).to_import()], Silent()).taken_as
    assert what_of(taken_as[0].problems()[0]) == (
        "読み取り方：ID は —、原文書は body、参照要約は summary、システムの出力は —、"
        "システム名は —。使わなかったもの：nr。"
    )


def test_that_columns_of_tables_of_texts_alone_can_be_named(dialog, add, session, qtbot):
    """Both faces hand the same to one job: this is `--column` of the command line."""
    form = dialog.file_form
    add("c.txt", "船。")
    assert form["document_column"].isHidden()
    dialog.files.remove([0])
    add("t.csv", TEXTS)
    dialog.set_field("format_id", "text-table")
    assert not form["document_column"].isHidden()
    assert form["document_column"].isEnabled()
    shown = [form["system_column"].itemText(n) for n in range(form["system_column"].count())]
    assert shown[1:] == ["原文", "gold", "made", "key"]
    for field, column in (("document_column", "原文"), ("reference_column", "gold"),
                          ("system_column", "made"), ("id_column", "key")):  # fmt: skip
        box = form[field]
        box.setCurrentIndex(box.findData(column))
    assert dialog.files.rows[0].to_import().columns == {
        "id": "key", "document": "原文", "reference": "gold", "system": "made",
    }  # fmt: skip
    with qtbot.waitSignal(dialog.accepted):
        dialog.submit()
    topic = session.topic("x1")
    assert topic.abstracts[0].sentences[0].text == "船が見つかる。"
    assert [output.system for output in topic.outputs] == ["made"]


@pytest.mark.slow
def test_that_a_long_title_of_a_format_leaves_room_for_the_name_and_is_wrapped(dialog, add):
    path = add("texts.csv", "id,article,highlights\na,b,c\n")
    header = dialog.table.horizontalHeader()
    assert header.sectionSize(NAME_COLUMN) > dialog.fontMetrics().horizontalAdvance(path.name)
    dialog.files.remove([0])
    set_language("ja")
    add("a-file-with-a-long-name.extracts", EXTRACTS)
    add("another-of-them.tsv", "1\tA\ts1 s2,s3\n")
    dialog.resize(dialog.minimumSizeHint())
    QApplication.processEvents()
    table, metrics = dialog.table, dialog.table.fontMetrics()
    width = table.columnWidth(FORMAT_COLUMN)
    assert table.horizontalHeader().length() <= table.viewport().width()
    for row in range(2):
        title = str(dialog.files.index(row, FORMAT_COLUMN).data())
        lines = -(-metrics.horizontalAdvance(title) // (width - metrics.height()))
        assert table.rowHeight(row) >= lines * metrics.height()
