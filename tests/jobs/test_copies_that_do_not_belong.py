"""Copies that come back and do not belong: one message through both faces, and no byte changes."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("PySide6")

from tests import building
from tests.in_part import in_part
from tests.jobs.faces import Faces
from tests.stored import corpus_file

from awase.core.annotation.actions import LINK, alignment_edit
from awase.core.project.people import without_person
from awase.core.records.project import Person
from awase.gui.dialogs.team.take_back import TakeBackDialog
from awase.gui.frame.main_window import MainWindow
from awase.gui.kit.problems import ProblemsDialog
from awase.jobs.changing import change_corpus
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
Files = tuple[Path, Path]
_SECOND = re.compile(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")


@pytest.fixture
def files(faces: Faces) -> Files:
    """A main file of A1 and A2, and the file that A1 took along and worked on."""
    one = building.topic("t", docs=("One.", "Two."), abstracts=(building.abstract("a", "s1;s2"),))
    made = replace(building.corpus(one), persons=(Person(id="A1"), Person(id="A2")))
    main, theirs = corpus_file(faces.folder / "main.awase", made), faces.folder / "a1.awase"
    faces.says("hand-out", main, theirs, "--to", "A1")
    link(theirs, "A1", 1)
    CorpusStore.open(main, who="L").close()  # SQLite writes its header at the first opening
    return main, theirs


def link(path: Path, who: str, source: int) -> None:
    """Links the first abstract sentence with a source sentence."""
    with CorpusStore.open(path, who=who) as store:
        (part,) = store.topic("t").abstracts
        edit = alignment_edit("t", part, who, building.entry(1, f"s{source}"), verb=LINK)
        assert edit is not None
        store.apply(edit, who=who)


def of_another_corpus(_main: Path, theirs: Path) -> None:
    corpus_file(theirs, building.corpus(building.topic("t"), name="another"))


def of_a_newer_format(_main: Path, theirs: Path) -> None:
    with closing(sqlite3.connect(theirs)) as connection:
        connection.execute(f"PRAGMA user_version = {2 * 65536}")


def of_somebody_who_renamed_herself(_main: Path, theirs: Path) -> None:
    link(theirs, "Anna", 2)


def half_copied(_main: Path, theirs: Path) -> None:
    theirs.write_bytes(theirs.read_bytes()[: theirs.stat().st_size // 2])


def damaged(_main: Path, theirs: Path) -> None:
    with closing(sqlite3.connect(theirs)) as connection:
        connection.execute("UPDATE sentence_alignment SET note = 'x'")
        connection.commit()


def gone(_main: Path, theirs: Path) -> None:
    theirs.unlink()


def no_corpus(_main: Path, theirs: Path) -> None:
    theirs.write_text("x")


def of_a_person_who_was_removed(main: Path, _theirs: Path) -> None:
    with CorpusStore.open(main, who="L") as store:
        change_corpus(store, partial(without_person, person="A1"), verb="edit_project",
                      names=(), who="L")  # fmt: skip


every_copy = pytest.mark.parametrize(
    ("spoil", "said"),
    in_part(
        [
            (of_somebody_who_renamed_herself, "holds work of “Anna”. If that is the same person"),
            (of_another_corpus, "is not a copy of this corpus"),
            (of_a_newer_format, "made by a newer version"),
            (half_copied, "damaged"),
            (damaged, "is damaged; nothing was taken back"),
            (gone, "There is no file"),
            (no_corpus, "is not an Awase corpus"),
            (of_a_person_who_was_removed, "who is not of this project any more"),
        ]
    ),
)
Spoil = Callable[[Path, Path], None]


def contents(files: Files) -> dict[str, bytes]:
    """Returns every byte of both files, and of what SQLite writes beside them.

    But for the second in which a file was opened, which it notes.
    """
    stems = {file.stem for file in files}
    found = [path for path in files[0].parent.iterdir() if path.name.split(".")[0] in stems]
    return {
        path.name: _SECOND.sub(b"then", path.read_bytes())
        for path in found
        if path.is_file() and not path.name.endswith(("-lock", "-shm"))
    }


@every_copy
def test_that_the_command_tells_it_in_one_line(
    faces: Faces, files: Files, spoil: Spoil, said: str
) -> None:
    spoil(*files)
    before = contents(files)
    refused = faces.run("merge", *files, "--who", "L")
    assert (refused.status, len(refused.problems), refused.err.count("\n")) == (1, 1, 1)
    assert said in refused.err
    assert contents(files) == before


@pytest.mark.slow
@every_copy
def test_that_the_window_tells_it_in_one_message(
    faces: Faces, files: Files, qtbot, spoil: Spoil, said: str
) -> None:
    spoil(*files)
    window = MainWindow(faces.services)
    qtbot.addWidget(window)
    window.open_location(str(files[0]))
    qtbot.waitUntil(lambda: window.workspace is not None)
    faces.settle()
    before = contents(files)
    window.menus.choose("menu:take-back")
    dialog = window.findChild(TakeBackDialog)
    dialog.add_files([files[1]])
    qtbot.waitUntil(lambda: bool(window.findChildren(ProblemsDialog)))
    faces.settle()
    (told,) = window.findChildren(ProblemsDialog)
    assert told.table.model().rowCount() == 1
    assert said in " ".join(str(told.table.model().index(0, at).data()) for at in range(3))
    assert not dialog.accept_button.isEnabled()
    told.reject()
    dialog.reject()
    assert contents(files) == before
    window.close_corpus()
