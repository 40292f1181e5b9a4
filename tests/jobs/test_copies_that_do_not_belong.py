"""What comes back and does not belong: one message through both faces, and no byte changes."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("PySide6")

from tests import building
from tests.in_part import in_part
from tests.jobs.faces import Faces
from tests.stored import corpus_file, sql

from awase.core.annotation.actions import LINK, alignment_edit
from awase.core.annotation.content import source_text_edit
from awase.core.records.corpus import Person
from awase.core.records.source import SentenceRef
from awase.core.team.assigning import without_person
from awase.gui.dialogs.team import TakeBackDialog
from awase.gui.frame.main_window import MainWindow
from awase.gui.kit.problems import ProblemsDialog
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
Files = tuple[Path, ...]
_SECOND = re.compile(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")


@pytest.fixture
def files(faces: Faces) -> Files:
    """A main file of A1 and A2, and the file that A1 took along and worked on."""
    one = building.topic("t", docs=("One.", "Two."), abstracts=(building.abstract("a", "s1;s2"),))
    made = replace(building.corpus(one), persons=(Person(id="A1"), Person(id="A2")))
    main, theirs = corpus_file(faces.folder / "main.awase", made), faces.folder / "a1.awase"
    faces.says("hand-out", main, theirs, "--to", "A1")
    CorpusStore.open(main, who="L").close()  # SQLite writes its header at the first opening
    return main, theirs


def link(path: Path, who: str, source: int) -> None:
    with CorpusStore.open(path, who=who) as store:
        (part,) = store.topic("t").abstracts
        edit = alignment_edit("t", part, who, building.entry(1, f"s{source}"), verb=LINK)
        assert edit is not None
        store.apply(edit, who=who)


# What may be wrong with the file that comes back; some of it returns other files to take back.


def of_another_corpus(_main: Path, theirs: Path) -> None:
    corpus_file(theirs, building.corpus(building.topic("t"), name="another"))


def of_a_newer_format(_main: Path, theirs: Path) -> None:
    link(theirs, "A1", 1)
    sql(theirs, f"PRAGMA user_version = {2 * 65536}")


def of_somebody_who_renamed_herself(_main: Path, theirs: Path) -> None:
    link(theirs, "Anna", 2)


def of_texts_that_were_edited(_main: Path, theirs: Path) -> None:
    with CorpusStore.open(theirs, who="A1") as store:
        edit = source_text_edit(store.topic("t"), SentenceRef("d", 2), "Two, mended.")
        assert edit is not None
        store.apply(edit, who="A1")


def half_copied(_main: Path, theirs: Path) -> None:
    link(theirs, "A1", 1)
    theirs.write_bytes(theirs.read_bytes()[: theirs.stat().st_size // 2])


def damaged(_main: Path, theirs: Path) -> None:
    link(theirs, "A1", 1)
    sql(theirs, "UPDATE sentence_alignment SET note = 'x'")


def gone(_main: Path, theirs: Path) -> None:
    theirs.unlink()


def no_corpus(_main: Path, theirs: Path) -> None:
    theirs.write_text("x")


def of_a_person_who_was_removed(main: Path, theirs: Path) -> None:
    link(theirs, "A1", 1)
    with CorpusStore.open(main, who="L") as store:
        store.change(partial(without_person, person="A1"), verb="edit_project",
                      names=(), who="L")  # fmt: skip


KINDS = (
    (of_somebody_who_renamed_herself, "holds work of “Anna”. If that is the same person"),
    (of_another_corpus, "is not a copy of this corpus"),
    (of_a_newer_format, "made by a newer version"),
    (of_texts_that_were_edited, "Texts of topic “t” differ in “a1.awase”; those of this corpus"),
    (half_copied, "damaged"),
    (damaged, "is damaged; nothing was taken back"),
    (gone, "There is no file"),
    (no_corpus, "is not an Awase corpus"),
    (of_a_person_who_was_removed, "who is no longer in this project"),
)
Spoil = Callable[[Path, Path], None]


# The faces: both return the messages that people get


def by_command(faces: Faces, main: Path, *copies: Path) -> list[str]:
    done = faces.run("merge", main, *copies, "--who", "L")
    lines = done.err.splitlines()
    assert len(done.problems) == done.status
    return lines


def by_window(faces: Faces, main: Path, *copies: Path) -> list[str]:
    """Opens the corpus, chooses *Take back…* and takes back what is offered."""
    file = faces.services.settings
    file.change(replace(file.settings, annotator="L"))
    window = faces.owned(MainWindow(faces.services))
    window.open_location(str(main))
    faces.qtbot.waitUntil(lambda: window.workspace is not None)
    faces.settle()
    window.menus.choose("menu:take-back")
    dialog = window.findChild(TakeBackDialog)
    taken: list[object] = []
    dialog.accepted.connect(lambda: taken.append(dialog))
    dialog.add_files([*copies])
    faces.settle()
    told = _told(window)
    if dialog.plan is not None and not told:
        told = dialog.fields["about"].text().splitlines()[1:]
    if dialog.accept_button.isEnabled():
        dialog.confirm()
        faces.qtbot.waitUntil(lambda: bool(taken or _told(window)))
        told = _told(window) or told
    for shown in window.findChildren(ProblemsDialog):
        shown.reject()
    if not taken:
        dialog.reject()
    window.close_corpus()
    return told


def _told(window: MainWindow) -> list[str]:
    models = [shown.table.model() for shown in window.findChildren(ProblemsDialog)]
    return [
        " ".join(str(model.index(row, at).data()) for at in range(3))
        for model in models
        for row in range(model.rowCount())
    ]


FACES = (by_command, by_window)


def contents(main: Path, *copies: Path) -> dict[str, bytes]:
    """Returns every byte of the files, and of what SQLite writes beside them.

    But for the second in which a file was opened, which it notes, and how often its header was.
    """
    files = (main, *copies)
    beside = [Path(f"{file}{suffix}") for file in files for suffix in ("", "-wal", "-journal")]
    return {str(path): _noted(path.read_bytes()) for path in beside if path.exists()}


def _noted(content: bytes) -> bytes:
    return _SECOND.sub(b"then", content[:24] + content[28:92] + content[96:])


@pytest.mark.parametrize(
    ("spoil", "said", "face"), in_part([(*kind, face) for kind, face in product(KINDS, FACES)])
)
def test_that_it_is_told_in_one_message_and_no_byte_changes(faces, files, spoil, said, face):
    main, theirs = files
    spoil(main, theirs)
    before = contents(main, theirs)
    (message,) = face(faces, main, theirs)
    assert said in message
    assert contents(main, theirs) == before
