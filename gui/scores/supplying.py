"""What metrics need besides the corpus: its parses, and word vectors that the user named."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from awase.core.metrics.registry import metric_by_name
from awase.core.metrics.signature import MetricRequest
from awase.core.metrics.supplies import NO_SUPPLIES, Supplies
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.vectors.source import WordVectors

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.store import CorpusStore

VECTORS = "vectors"


class VectorCache:
    """The word vectors opened last: opening them again for every edit would take seconds."""

    def __init__(self, folder: Path) -> None:
        """Opens nothing; `folder` is for what is found out about large files."""
        self._folder = folder
        self._lock = Lock()
        self._location = ""
        self._opened: WordVectors | None = None

    def opened(self, location: str, reporter: Reporter) -> WordVectors:
        """Returns the word vectors at `location`.

        Raises:
            CorpusFormatError: A file holds none.
            EnvironmentProblem: It cannot be read, or needs what is not installed.
            Cancelled: The reporter asked to stop.
        """
        from awase.core.vectors.opening import open_vectors

        with self._lock:
            if self._opened is None or location != self._location:
                self._opened = open_vectors(location, reporter=reporter, cache=self._folder)
                self._location = location
            return self._opened


class Supplier:
    """Gathers what the requests need, on the thread that scores."""

    def __init__(self, store: "CorpusStore", location: str, cache: VectorCache) -> None:
        """Gathers nothing yet.

        Args:
            store: Where the parses are.
            location: Of word vectors; empty = there are none.
            cache: Of opened word vectors.
        """
        self._store = store
        self._location = location
        self._cache = cache

    def __call__(
        self, corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter
    ) -> Supplies:
        """Returns the parses and vectors that the requests need.

        Raises:
            InputError: Two models' parses are asked for, or one's that parsed nothing.
        """
        from awase.storage.supplies import supplies_of

        others = NO_SUPPLIES
        if self._location and uses_vectors(request.name for request in requests):
            others = replace(others, vectors=self._cache.opened(self._location, reporter))
        return supplies_of(self._store, corpus, requests, others)


def uses_vectors(names: Iterable[str]) -> bool:
    """Returns whether any of the metrics may use word vectors."""
    return any(VECTORS in metric_by_name(name).defaults for name in names)
