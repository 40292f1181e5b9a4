"""A stored corpus that is only read: of a file by SQLite's own driver, which loads at once."""

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
from awase.storage.querying import Readable, read_query
from awase.storage.rows.inserting import newest_state
from awase.storage.rows.parses import digest_of_parses, read_models, read_parses
from awase.storage.rows.reading import read_corpus


class StoredCorpus(Protocol):
    """What can be asked of a corpus whether or not it may be written."""

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What the user should know although it was opened."""

    def state(self) -> str:
        """Returns what names the present state of the corpus; every change makes it another."""

    def corpus(self) -> Corpus:
        """Returns everything as records."""

    def snapshot(self, *, with_sources: bool = True) -> AbstractContextManager[Corpus]:
        """Gives everything as it is now; parses are those of this moment, too.

        Without sources their sentences have numbers alone, and no text.
        """

    def parse_models(self) -> dict[str, int]:
        """Returns how many parses there are by each model, most first."""

    def parses(self, model: str, texts: Iterable[str]) -> Mapping[str, str]:
        """Returns those of the texts that `model` parsed, with their parses in CoNLL-U."""

    def digest_of_parses(self, models: Iterable[str]) -> str:
        """Returns what tells all parses by some models from others, whatever they parse."""


def opened_to_read(location: Location) -> AbstractContextManager[StoredCorpus]:
    """Lets the caller read the corpus at `location`; it takes no lock and changes nothing."""
    if is_url(location):
        from awase.storage.store import CorpusStore

        return CorpusStore.open(location, who="", read_only=True)
    return _opened(Path(location))


@contextmanager
def _opened(location: Path) -> Iterator["FileReader"]:
    yield FileReader(location)


class FileReader:
    """A corpus file. Each question is asked of what is stored then, or when a snapshot began."""

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
        """Returns everything as records."""
        with self._reading() as connection:
            return read_corpus(connection)

    @contextmanager
    def snapshot(self, *, with_sources: bool = True) -> Iterator[Corpus]:
        """Gives everything as it is now, whatever others write meanwhile."""
        with connected_to_read(self._path) as self._snapshot:
            try:
                yield read_corpus(self._snapshot, with_sources=with_sources)
            finally:
                self._snapshot = None
