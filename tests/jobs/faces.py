"""One corpus, looked at through the window and through the command line."""

import re
import shutil
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

pytest.importorskip("PySide6")

from PySide6.QtWidgets import QFileDialog, QWidget
from tests.jobs.small_corpus import VECTORS, small_corpus
from tests.stored import corpus_file

from awase.core.records.corpus import Corpus
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

_Widget = TypeVar("_Widget", bound=QWidget)


class Faces:
    """One corpus, looked at through the window and through the command line."""

    def __init__(self, run, services, qtbot, folder: Path) -> None:
        self.folder, self.services, self.qtbot, self.run = folder, services, qtbot, run
        self.corpus = folder / "faces.awase"
        corpus_file(self.corpus, replace(small_corpus(), name="faces"))
        self.vectors = folder / "vectors.txt"
        self.vectors.write_text("".join(f"{w} {x} 1.0\n" for w, x in VECTORS.items()))

    def owned(self, widget: _Widget) -> _Widget:
        """Has a widget closed at the end of the test."""
        self.qtbot.addWidget(widget)
        return widget

    def says(self, *words: object) -> str:
        done = self.run(*words)
        assert done.status == 0, done.err
        return done.out

    def remember_vectors(self) -> None:
        """Names the vectors in the window's settings, as the Scores page does."""
        file = self.services.settings
        file.change(replace(file.settings, vectors=str(self.vectors)))

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.services.jobs.is_busy)

    def saved(self, parent, place: Path) -> str:
        """Returns what is written when the dialog that asks for a file gets `place`."""
        dialog = parent.findChildren(QFileDialog)[-1]
        dialog.fileSelected.emit(str(place))
        return place.read_text("utf-8")

    def copies(self) -> tuple[Path, Path]:
        """Returns two files of the corpus: one that the window changes, one for the other face."""
        places = self.folder / "window.awase", self.folder / "line.awase"
        for place in places:
            shutil.copy(self.corpus, place)
        return places

    @contextmanager
    def window_on(self, place: Path, who: str = "1"):
        """Opens a corpus as the window does; what is under way is waited for."""
        with CorpusStore.open(place, who=who) as store:
            yield CorpusSession(store, who=who)
            self.settle()
            self.services.jobs.stop_all()

    def store(self, corpus: Corpus) -> None:
        self.corpus.unlink()
        corpus_file(self.corpus, replace(corpus, name="faces"))


def whole(faces: Faces, corpus: Path) -> str:
    """Returns a stored corpus as JSON, without the name that its file gave it."""
    return re.sub(r'"name": "[^"]*"', "", faces.says("export", corpus, "-"))
