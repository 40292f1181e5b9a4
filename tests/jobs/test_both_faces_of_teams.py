"""What people share out, take back, remove and look over is the same through both faces."""

import pytest

pytest.importorskip("PySide6")

from PySide6.QtGui import QGuiApplication
from tests.cli.conftest import CSV, LATEX
from tests.in_part import in_part
from tests.jobs.faces import whole
from tests.jobs.small_corpus import of_two_annotators
from tests.stored import sql

from awase.core.annotation import actions
from awase.core.errors import Silent
from awase.core.records.edits import (
    REMOVE_ALIGNMENTS,
    REMOVE_HUMAN_SCORES,
    REMOVE_SYSTEMS,
    REMOVE_TOPICS,
)
from awase.core.reports.study_report import progress_csv
from awase.core.team.progress import TimesBy
from awase.gui.dialogs.team import HandOutDialog, TakeBackDialog
from awase.gui.dialogs.whole_corpus import RemoveDialog, TimesDialog
from awase.gui.frame.main_window import MainWindow
from awase.gui.frame.welcome import open_demonstration
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.pages.project.dialogs import AssignDialog
from awase.gui.pages.project.page import PeopleTab
from awase.gui.pages.review.page import AgreementTab
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


def noted(store: CorpusStore, who: str, text: str, *, active_ms: int = 0) -> None:
    topic = store.topic("t")
    (abstract,) = topic.abstracts
    entry = abstract.alignment_by(who).of_sentence(1)
    new = actions.with_note(entry, text)
    edit = actions.alignment_edit("t", abstract, who, new, verb=actions.NOTE)
    store.apply(edit, who=who, active_ms=active_ms)


def test_that_agreement_is_the_same(faces):
    faces.store(of_two_annotators())
    with faces.window_on(faces.corpus, who="boss") as session:
        tab = faces.owned(AgreementTab(session, faces.services, None))
        tab.compute()
        faces.settle()
        shown = {name: tab.text_of(name) for name in ("pair.csv", "tex")}
    assert shown["pair.csv"] == faces.says("agreement", faces.corpus, CSV, "--by", "pair")
    assert shown["tex"] == faces.says("agreement", faces.corpus, LATEX)
    assert shown["pair.csv"].count("\n") > 1


@pytest.mark.slow
@pytest.mark.parametrize("by", in_part(TimesBy))
def test_that_times_are_the_same(faces, by):
    faces.store(of_two_annotators())
    with CorpusStore.open(faces.corpus, who="1") as store:
        noted(store, "1", "a", active_ms=2500)
        noted(store, "2", "b", active_ms=1333)
        dialog = faces.owned(TimesDialog(store.corpus().topics, store.logged_times(), None))
        dialog.show()
        dialog.fields.set("by", by)
        dialog.copy_table()
        shown = QGuiApplication.clipboard().text().replace("\t", ",").splitlines()[1:]
    head, *said = faces.says("time", faces.corpus, CSV, "--by", by.value).splitlines()
    n_columns = head.split(",").index("sentences") if by is TimesBy.SENTENCE else None
    assert shown == [",".join(line.split(",")[:n_columns]) for line in said]
    assert any("2.5" in line or "3.833" in line for line in said)


@pytest.mark.slow
def test_that_progress_is_the_same(faces, qtbot):
    faces.store(of_two_annotators())
    with faces.window_on(faces.corpus, who="boss") as session:
        tab = faces.owned(PeopleTab(session, faces.services))
        tab.show()
        qtbot.waitUntil(lambda: bool(tab.shown))
        shown = progress_csv(tab.shown)
        tab.hide()
    assert shown == faces.says("progress", faces.corpus, CSV)
    assert shown.count("\n") == 3


@pytest.mark.slow
def test_that_the_same_is_read_again(faces):
    window, line = faces.copies()
    with faces.window_on(window, who="boss") as session:
        tab = faces.owned(PeopleTab(session, faces.services))
        dialog = AssignDialog(session.corpus(), session.lengths(), session.store.worked_at(), tab)
        dialog.chosen.connect(tab.share_out)
        for field, value in (("people", "1"), ("what", "second"), ("days", 0), ("share", 50)):
            dialog.fields.set(field, value)
        dialog.submit()
    faces.says("assign", line, "--second", "50", "--after", "0", "--to", "1", "--who", "boss")
    assert whole(faces, window) == whole(faces, line)
    assert '"round": 2' in whole(faces, line)


def test_that_work_is_handed_out_alike(faces, session):
    window, line = faces.folder / "a.awase", faces.folder / "b.awase"
    dialog = faces.owned(HandOutDialog(session, faces.services, None))
    dialog.fields.set("person", "1")
    dialog.fields.set("place", str(window))
    dialog.submit()
    faces.settle()
    faces.says("hand-out", faces.corpus, line, "--to", "1", "--who", "1")
    assert whole(faces, window) == whole(faces, line)
    assert '"annotator": "1"' in whole(faces, line)


@pytest.mark.slow
def test_that_work_is_taken_back_alike(faces):
    theirs = faces.folder / "theirs.awase"
    faces.says("hand-out", faces.corpus, theirs, "--to", "1")
    with CorpusStore.open(theirs, who="1") as store:
        noted(store, "1", "from far away")
    window, line = faces.copies()
    with faces.window_on(window, who="boss") as session:
        dialog = faces.owned(TakeBackDialog(session, faces.services, None))
        dialog.add_files([theirs])
        faces.settle()
        dialog.submit()
        faces.settle()
    faces.says("merge", line, theirs, "--who", "boss")
    assert whole(faces, window) == whole(faces, line)
    assert "from far away" in whole(faces, line)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "name", "words"),
    in_part(
        [
            (REMOVE_TOPICS, "u", ("topics", "u")),
            (REMOVE_SYSTEMS, "lead", ("systems", "lead")),
            (REMOVE_ALIGNMENTS, "1", ("alignments", "1")),
            (REMOVE_HUMAN_SCORES, "quality", ("human-scores", "--measure", "quality")),
        ]
    ),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_that_the_same_goes(faces, kind, name, words):
    window, line = faces.copies()
    before = whole(faces, line)
    with faces.window_on(window) as session:
        dialog = faces.owned(RemoveDialog(session, None, None))
        dialog.fields.set("kind", kind)
        for row in range(dialog.list.count()):
            dialog.list.item(row).setSelected(dialog.list.item(row).text() == name)
        dialog.submit()
    command, *rest = words
    faces.says("remove", command, line, *rest, "--who", "1")
    assert whole(faces, window) == whole(faces, line) != before
    logs = []
    for place in (window, line):
        with CorpusStore.open(place, who="", read_only=True) as store:
            logs.append(store.history("1").done[-1].edit)
    assert (logs[0].verb, logs[0].subject) == (logs[1].verb, logs[1].subject)


@pytest.mark.slow
def test_that_damage_is_told_alike(faces, qtbot):
    sql(faces.corpus, "UPDATE source_sentence SET text = 'Another.' WHERE rowid = 1")
    window = faces.owned(MainWindow(faces.services))
    window.open_location(str(faces.corpus))
    qtbot.waitUntil(lambda: window.findChild(ProblemsDialog) is not None)
    window.findChild(ProblemsDialog).fields.button("copy").click()
    shown = QGuiApplication.clipboard().text()
    faces.settle()
    window.close_corpus()
    said = faces.run("check", faces.corpus)
    assert said.status == 1
    named = [line.removeprefix("damage: ") for line in said.err.splitlines() if "damage: " in line]
    assert len(named) == 1
    assert all(line.split(". ")[0] in shown for line in named)


@pytest.mark.slow
def test_that_the_demonstration_is_the_same(faces):
    opened = open_demonstration("en", faces.folder / "shown", Silent())
    opened.store.close()
    faces.says("demo", "en", faces.folder / "said")
    shown, said = (whole(faces, faces.folder / one / "demo-en.awase") for one in ("shown", "said"))
    assert shown == said
