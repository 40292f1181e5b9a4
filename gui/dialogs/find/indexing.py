"""The index of a large corpus while it is searched: asked for, made in the background, renewed."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from awase.core.progress import Reporter
from awase.gui.kit.defects import problems_of
from awase.gui.kit.jobs.job_strip import JobStrip
from awase.gui.kit.jobs.running import Job
from awase.gui.kit.texts.i18n import tr
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession

if TYPE_CHECKING:  # Small corpora have none.
    from pathlib import Path

    from awase.storage.search.topic_index import TopicIndex
    from awase.storage.store import CorpusStore


class Indexing(QObject):
    """Finds out what the index knows, and lets it be made when it lacks much."""

    found = Signal(object)
    """The `TopicIndex` as it is now; None = there can be none."""

    def __init__(self, session: CorpusSession, services: Services, parent: QObject) -> None:
        super().__init__(parent)
        self._store, self._jobs, self._folder = session.store, services.jobs, services.searches
        self._key = f"search-index:{session.location}"
        self._is_made = self._is_stopped = False
        self.strip = JobStrip()
        self.strip.againChosen.connect(self._make)
        # A job outlives the dialog otherwise, and the corpus with it.
        self.destroyed.connect(partial(services.jobs.drop, self._key))

    def begin(self) -> None:
        """Looks at the index, as topics may be others than before."""
        if self._is_made:
            return  # it is looked at when that is done
        self._look().finished.connect(self._on_known)

    def retranslate(self) -> None:
        """Writes every text in the window's language."""
        self.strip.retranslate(
            tr("Without its index, a large corpus takes long to search."), tr("Make the index")
        )

    def _on_known(self, index: "TopicIndex | None") -> None:
        from awase.jobs.supplies.search_index import is_behind

        self.found.emit(index)
        if index is not None and is_behind(index) and not self._is_stopped:
            self._make()

    def _look(self) -> Job:
        job = self._jobs.start(self._key, partial(_known, self._store, self._folder))
        job.failed.connect(self._on_failed)
        return job

    def _make(self) -> None:
        from awase.jobs.supplies.search_index import catch_up

        self._is_made, self._is_stopped = True, False
        work = partial(catch_up, self._store.location, self._folder)
        job = self._jobs.start(self._key, work)
        self.strip.watch(job)
        job.finished.connect(self._on_made)
        job.cancelled.connect(self._on_stopped)
        job.failed.connect(self._on_failed)

    def _on_made(self) -> None:
        self._is_made = False
        self._look().finished.connect(self.found)

    def _on_stopped(self) -> None:
        self._is_made, self._is_stopped = False, True
        self._look().finished.connect(self.found)  # what was done by then is of use

    def _on_failed(self, error: BaseException) -> None:
        self._is_made = False
        problems_of(error)  # for its defects: that a file is gone is told elsewhere


def _known(store: "CorpusStore", folder: "Path", _reporter: Reporter) -> "TopicIndex | None":
    from awase.jobs.supplies.search_index import known_index

    listed = store.text_digests()
    topics, digests = [key for key, _ in listed], [digest for _, digest in listed]
    return known_index(store.location, topics, digests, folder)
