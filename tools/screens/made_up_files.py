"""Files that the dialogs of importing look at, and a file's problems."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from awase.gui.main_screens import wait
from screens.stage import opened

if TYPE_CHECKING:
    from awase.core.errors import Problem
    from awase.gui.frame.main_window import MainWindow
    from awase.gui.session.settings import Services


_TEXTS: Final = {
    "asahi-2024-01-02": "The hall falls\n\nThe old hall of the town fell. Nobody was hurt.",
    "mainichi-2024-01-02": "An old hall fell down in the night. It was built in 1901.",
    "nikkei-2024-01-03": "Repairs cost two million. The town will pay.",
    "abstract-short": "The town's old hall, built in 1901, fell. The town pays for repairs.",
}


def texts(services: "Services", window: "MainWindow", folder: Path) -> QWidget:
    from awase.gui.dialogs.transfer.texts_dialog import TextsDialog

    place = folder / "hall"
    place.mkdir(exist_ok=True)
    for stem, text in _TEXTS.items():
        (place / f"{stem}.txt").write_text(text, "utf-8")
    dialog = TextsDialog(services, folder=folder, parent=window)
    dialog.add_files([place])
    wait(lambda: not services.jobs.is_busy)
    return opened(dialog)


def files_to_import(folder: Path) -> list[Path]:
    contents = {
        "0710-short.tsv": b"1\tA\ts1 s10,s11\n2\tB\ts3,s5,s6\n",
        "run-7.extracts": b"lead\t0710\tshort\t980722001:1 980722001:2\n",
        "980723004.txt": "湖底の木造船を東嶺大学が調べた。年代は古墳時代とみられる。\n".encode(
            "cp932"
        ),
        "notes.data": b"x\n",
    }
    folder = folder / "files"
    folder.mkdir(exist_ok=True)
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    texts = folder / "duc-2004"
    texts.mkdir(exist_ok=True)
    (texts / "out_bart.txt").write_text("A wooden boat was found.\n", encoding="utf-8")
    return [*(folder / name for name in contents), texts]


def some_problems() -> tuple["Problem", ...]:
    from awase.core.errors import InputError
    from awase.core.records.source import Document, SentenceRef, SourceSentence
    from awase.core.records.topic import Extract, Topic

    document = Document(id="980722001", sentences=(SourceSentence(n=1, text="…"),))
    refs = (SentenceRef("980722001", 1), SentenceRef("98072201", 2), SentenceRef("980722001", 31))
    try:
        Topic(
            id="0710",
            documents=(document, document),
            outputs=(Extract(system="lead", sentences=refs),),
        )
    except InputError as error:
        return tuple(problem.in_source("run-7.json") for problem in error.problems)
    return ()
