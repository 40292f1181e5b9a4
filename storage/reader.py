"""Read-only access to a stored corpus; files by sqlite3 alone."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from awase.core.errors import Problem
from awase.core.records.corpus import Corpus
from awase.storage.addresses import Location, is_url
from awase.storage.files.corpus_file import file_errors_translated
from awase.storage.files.plain_files import foreign_warnings, readable_file
from awase.storage.files.sqlite_files import connected_to_read
from awase.storage.querying import Readable, newest_state
from awase.storage.rows.parses import digest_of_parses, read_models, read_parses
from awase.storage.rows.reading import read_corpus, read_query


class StoredCorpus(Protocol):
    """Reading interface of a stored corpus, writable or not."""

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Warnings on opening."""

    def state(self) -> str:
        """Returns an identifier of the corpus's present state."""

    def corpus(self) -> Corpus:
        """Returns the corpus as records."""

    def snapshot(self, *, with_sources: bool = True) -> AbstractContextManager[Corpus]:
        """Yields a snapshot, parses included.

        Without sources their sentences have numbers only, and no text.
        """

    def parse_models(self) -> dict[str, int]:
        """Returns the number of parses by model, most first."""

    def parses(self, model: str, texts: Iterable[str]) -> Mapping[str, str]:
        """Returns the CoNLL-U parses by `model` of those texts that have one."""

    def digest_of_parses(self, models: Iterable[str]) -> str:
        """Returns a digest of all parses by some models."""


def opened_to_read(location: Location) -> AbstractContextManager[StoredCorpus]:
    """Yields the corpus at `location` for reading, without a lock."""
    if is_url(location):
        from awase.storage.store import CorpusStore

        return CorpusStore.open(location, who="", read_only=True)
    return _opened(Path(location))


@contextmanager
def _opened(location: Path) -> Iterator["FileReader"]:
    yield FileReader(location)


class FileReader:
    """A corpus file; each query reads the state at that time, or the snapshot's."""

    def __init__(self, location: Path) -> None:
        self._location = str(location)
        self._path = readable_file(location)
        self.warnings: tuple[Problem, ...] = foreign_warnings(self._path)
        self._snapshot: Readable | None = None

    @contextmanager
    def _reading(self) -> Iterator[Readable]:
        with file_errors_translated(self._location):
            if self._snapshot is not None:
                yield self._snapshot
                return
            with connected_to_read(self._path) as connection:
                yield connection

    state = read_query(newest_state)
    parse_models = read_query(read_models)
    parses = read_query(read_parses)
    digest_of_parses = read_query(digest_of_parses)

    def corpus(self) -> Corpus:
        """Returns the corpus as records."""
        with self._reading() as connection:
            return read_corpus(connection)

    @contextmanager
    def snapshot(self, *, with_sources: bool = True) -> Iterator[Corpus]:
        """Yields a snapshot, unaffected by writers."""
        with connected_to_read(self._path) as self._snapshot:
            try:
                yield read_corpus(self._snapshot, with_sources=with_sources)
            finally:
                self._snapshot = None
