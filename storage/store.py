"""The door to a corpus: create it, open it, close it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from awase.core.merging.handing_out import Copy
from awase.core.progress import Reporter, Silent
from awase.core.records.edits.addition import Addition
from awase.storage.databases.access import Access
from awase.storage.databases.addresses import Location, is_url
from awase.storage.databases.sqlite_errors import DiskFull
from awase.storage.opening.files import create_file, open_to_read, open_to_write
from awase.storage.opening.new_corpus import ParsesByModel, filled_with, filled_with_copy
from awase.storage.opening.plain_files import CorpusLocked, HardLinked, Holder, NotWritable
from awase.storage.opening.servers import create_on_server, open_on_server
from awase.storage.writing_store import WritingStore

if TYPE_CHECKING:
    from awase.storage.sharing.postgresql_listening import Heard, Listener


class CorpusStore(WritingStore):
    """An open corpus, with everything that can be read of it and changed.

    Use it as a context manager, or call `close`. Threads may share it.

    Attributes:
        location: Path or URL it was opened with; without a password.
        holder: Who has it open for writing, when this store is read-only because of that.
    """

    def __init__(self, access: Access, *, holder: Holder | None = None) -> None:
        super().__init__(access)
        self.holder = holder

    @classmethod
    def create(
        cls,
        location: Location,
        *,
        name: str,
        who: str,
        addition: Addition | None = None,
        parses: Mapping[str, Mapping[str, str]] | None = None,
        source: str = "",
        reporter: Reporter | None = None,
    ) -> Self:
        """Returns a new corpus, open for writing, holding `addition` when it is given.

        The file appears under its name when it is complete; a failure leaves nothing behind.
        `parses` are by model, as `add_parses` takes them.
        """
        fill = filled_with(
            name=name, who=who, addition=addition, parses=parses, source=source, reporter=reporter
        )
        if is_url(location):
            return cls(create_on_server(str(location), fill))
        return cls(create_file(Path(location), who, fill))

    @classmethod
    def create_from(
        cls,
        path: Path,
        copy: Copy,
        *,
        who: str,
        source: str,
        parses: ParsesByModel,
        reporter: Reporter,
    ) -> Self:
        """Returns a new file that is this copy of a corpus, open for writing.

        Nothing of it is held whole: topics, versions and parses may be read on the way.
        """
        fill = filled_with_copy(copy, who=who, source=source, parses=parses, reporter=reporter)
        return cls(create_file(path, who, fill))

    @classmethod
    def open(
        cls,
        location: Location,
        *,
        who: str,
        read_only: bool = False,
        password: str = "",
        reporter: Reporter | None = None,
    ) -> Self:
        """Returns the corpus at `location`.

        Opening for writing takes the lock, migrates an older file (after a backup) and keeps a
        backup of what was there.

        Args:
            location: An `.awase` file, or a database URL.
            read_only: Refuse changes; needs no lock.
            password: For a server; empty = what the address, `~/.pgpass`, the environment or the
                keyring has.
            reporter: Told how far the conversion of an older file is, and may stop it.

        Raises:
            CorpusLocked: Another process has it open for writing.
        """
        told = reporter or Silent()
        if is_url(location):
            url = str(location)
            return cls(open_on_server(url, read_only=read_only, password=password, reporter=told))
        if read_only:
            return cls(open_to_read(Path(location)))
        return cls(open_to_write(Path(location), who, told))

    @classmethod
    def open_or_read_only(
        cls,
        location: Location,
        *,
        who: str,
        password: str = "",
        reporter: Reporter | None = None,
    ) -> Self:
        """Returns the corpus open for writing, or read-only when that cannot be.

        It is read-only with `holder` when it is locked, and where nothing can be written; a full
        disk is among the warnings.
        """
        try:
            return cls.open(location, who=who, password=password, reporter=reporter)
        except CorpusLocked as locked:
            store = cls.open(location, who=who, read_only=True, password=password)
            store.holder = locked.holder
            return store
        except HardLinked as linked:
            store = cls.open(location, who=who, read_only=True, password=password)
            store._warnings = (*store.warnings, linked.problem)
            return store
        except NotWritable:
            return cls.open(location, who=who, read_only=True, password=password)
        except DiskFull as full:
            store = cls.open(location, who=who, read_only=True, password=password)
            store._warnings = (*store.warnings, full.problem)
            return store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database and lets others write; a closed store is not used again.

        What other threads are doing with it is waited for.
        """
        self._transactions.close()

    def listen(self, hear: "Callable[[Heard], None]") -> "Listener | None":
        """Begins to listen to other windows; None = nobody else can write a file."""
        if not is_url(self.location):
            return None
        from awase.storage.sharing.postgresql_listening import Listener

        listener = Listener(self._access.reading, self.location, hear)
        listener.start()
        return listener
