"""Changes of an open corpus, each in a transaction of its own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from awase.core.progress import Reporter, Silent
from awase.core.records.addition import Addition
from awase.core.records.alignment import EditEffort
from awase.core.records.corpus import Corpus
from awase.core.records.edit import AlignmentEdit, Edit
from awase.core.records.score import KeptScores, ScoreTable, Selection
from awase.core.team.handing_out import Copy
from awase.core.team.merging import MergePlan
from awase.storage.access import Access
from awase.storage.addresses import Location, is_url
from awase.storage.changes import Changes, parts_of, parts_of_work
from awase.storage.changing import (
    Incoming,
    NextAssignment,
    add_to,
    change_by,
    merge_into,
    reverse,
    take_free,
    write_edit,
)
from awase.storage.files.backups import back_up
from awase.storage.files.corpus_file import DiskFull
from awase.storage.files.opening import create_file, open_to_read, open_to_write
from awase.storage.files.plain_files import CorpusLocked, HardLinked, Holder, NotWritable
from awase.storage.new_corpus import ParsesByModel, copy_of, filled_with
from awase.storage.reading_store import ReadingStore
from awase.storage.rows.log import REDO, UNDO, LogRow, join_log, log_edit
from awase.storage.rows.parses import by_digest, delete_parses, write_parses
from awase.storage.rows.writing import keep_run, remove_run

if TYPE_CHECKING:
    from awase.storage.postgresql.listening import Heard, Listener


class WritingStore(ReadingStore):
    """An open corpus for reading and writing.

    Every change is one committed transaction with its row in the operation log; on errors nothing
    is changed.
    """

    @property
    def holds_writers(self) -> bool:
        """Whether writes wait for check and backup of a large file."""
        preparation = self._access.preparation
        return preparation is not None and preparation.holds_writers

    @property
    def owes_backup(self) -> bool:
        """Whether the backup before the first write is still running."""
        preparation = self._access.preparation
        return preparation is not None and preparation.is_owed

    def wait_until_backed_up(self, reporter: Reporter | None = None) -> None:
        """Waits for check and backup of a large file's state on opening."""
        if self._access.preparation is not None:
            self._access.preparation.wait(reporter)

    def give_up_backup(self) -> None:
        """Stops the running backup; no writes afterwards."""
        if self._access.preparation is not None:
            self._access.preparation.stop(gives_up=True)

    def join_log(self, rows: Iterable[LogRow], replica: str) -> int:
        """Inserts rows of another copy's log and returns how many are new."""
        with self._transactions.writing() as connection:
            return join_log(connection, rows, replica)

    def apply(
        self,
        edit: Edit,
        *,
        who: str,
        active_ms: int = 0,
        effort: EditEffort | None = None,
        reporter: Reporter | None = None,
    ) -> Changes:
        """Applies an edit and logs it, undoably; `StaleEdit` if the stored value differs."""
        taken = effort or EditEffort(active_ms=active_ms)
        if isinstance(edit, AlignmentEdit) and is_url(self.location):
            done = self._transactions.edit_at_once(edit, who, taken)
            if done is not None:
                return done
        with self._transactions.editing(who, lambda _: parts_of(edit, who)) as step:
            changes = write_edit(step.connection, edit, reporter)
            operation = log_edit(step.connection, who=who, edit=edit, effort=taken)
            step.log_edit(operation, changes)
        return changes

    def undo(self, *, who: str, reporter: Reporter | None = None) -> Changes:
        """Undoes the person's last edit that is not undone."""
        return self._reverse(UNDO, who, reporter)

    def redo(self, *, who: str, reporter: Reporter | None = None) -> Changes:
        """Redoes the person's last undone edit."""
        return self._reverse(REDO, who, reporter)

    def _reverse(self, kind: str, who: str, reporter: Reporter | None) -> Changes:
        with self._transactions.reversing(who, kind) as step:
            changes, row = reverse(
                step.connection,
                step.history,
                kind,
                self._transactions.edit_of,
                who=who,
                reporter=reporter,
            )
            step.log(row, changes, step.history.after(kind))
        return changes

    def add(
        self,
        addition: Addition,
        *,
        who: str,
        source: str = "",
        reporter: Reporter | None = None,
    ) -> Changes:
        """Merges an import atomically, undoably."""
        with self._transactions.editing(who) as step:
            operation, changes = add_to(
                step.connection,
                addition,
                who=who,
                source=source,
                reporter=reporter or Silent(),
            )
            step.log_edit(operation, changes)
        return changes

    def change(
        self,
        change: Callable[[Corpus], Corpus],
        *,
        verb: str,
        names: Sequence[str],
        who: str,
        with_sources: bool = True,
        reporter: Reporter | None = None,
    ) -> Changes:
        """Replaces the corpus by `change(corpus)` in one transaction, undoably.

        Args:
            change: A pure function, such as those of `awase.core.annotation.corpus_edits`; topics
                are loaded lazily.
            names: What it is about, for the log.
            with_sources: False where `change` changes no topic: source texts, most of a corpus, are
                not loaded then.
        """
        with self._transactions.editing(who) as step:
            operation, changes = change_by(
                step.connection,
                change,
                who=who,
                verb=verb,
                subject=", ".join(names),
                with_sources=with_sources,
                reporter=reporter or Silent(),
            )
            step.log_edit(operation, changes)
        return changes

    def take_next(self, *, who: str, most: int | None = None) -> tuple[NextAssignment, Changes]:
        """Assigns a person the next free topic, undoably; `most` None = no limit of abstracts."""
        with self._transactions.editing(who, lambda _: parts_of_work(who)) as step:
            taken, operation = take_free(step.connection, who, most=most)
            changes = Changes(corpus=operation is not None)
            step.log_edit(operation, changes)
        return taken, changes

    def merge(
        self,
        copies: Sequence[Incoming],
        *,
        who: str,
        names: Mapping[str, str],
        reporter: Reporter | None = None,
    ) -> tuple[MergePlan, Changes]:
        """Merges copies atomically, undoably."""
        with self._transactions.editing(who) as step:
            plan, changes, operation = merge_into(
                step.connection, copies, who=who, names=names, reporter=reporter or Silent()
            )
            step.log_edit(operation, changes)
        return plan, changes

    def back_up(self) -> None:
        """Copies the present state; on a server that is the administrator's task."""
        if not is_url(self.location):
            self.wait_until_backed_up()
            back_up(Path(self.location), self.state())

    def keep_scores(
        self, table: ScoreTable, *, title: str, who: str, corpus_state: str, selection: Selection
    ) -> KeptScores:
        """Stores scores; the corpus's state stays.

        Args:
            title: Displayed title; not empty.
            corpus_state: `state` before the scored corpus was loaded.
        """
        with self._transactions.writing() as connection:
            kept = keep_run(
                connection, table, title=title, who=who, corpus_state=corpus_state,
                selection=selection,
            )  # fmt: skip
            self._transactions.tell_others(connection, who, Changes(kept_scores=True))
        return kept

    def remove_score_run(self, run_id: int) -> None:
        """Removes a stored run, irrevocably."""
        with self._transactions.writing() as connection:
            remove_run(connection, run_id)
            self._transactions.tell_others(connection, "", Changes(kept_scores=True))

    def add_parses(
        self, model: str, parses: Mapping[str, str], *, who: str, source: str = ""
    ) -> None:
        """Stores parses by `model`, replacing earlier ones of the same texts.

        `source` is their file, for the log; empty = parsed here.
        """
        self.take_parses(model, by_digest(parses.items()), who=who, source=source)

    def take_parses(
        self, model: str, parses: Iterable[tuple[str, str]], *, who: str, source: str
    ) -> None:
        """Stores parses as `add_parses`, streaming.

        Args:
            parses: SHA-256 of each text, hexadecimal, with its parse; distinct. An error while
                iterating leaves the corpus unchanged.
        """
        with self._transactions.writing() as connection:
            write_parses(connection, model, parses, who=who, source=source)
            self._transactions.tell_others(connection, who, Changes(parses=True))

    def remove_parses(self, model: str, *, who: str) -> int:
        """Removes all parses by `model` and returns their number."""
        with self._transactions.writing() as connection:
            n_removed = delete_parses(connection, model, who=who)
            self._transactions.tell_others(connection, who, Changes(parses=True))
        return n_removed


class CorpusStore(WritingStore):
    """An open corpus for reading and writing; a context manager, thread-safe.

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
        """Creates a corpus atomically, open for writing, filled with `addition`.

        `parses` are by model, as of `add_parses`.
        """
        fill = filled_with(
            None if addition is None else copy_of(addition, name),
            name=name,
            who=who,
            source=source,
            parses=[(model, by_text.items()) for model, by_text in (parses or {}).items()],
            reporter=reporter or Silent(),
        )
        if is_url(location):
            from awase.storage.postgresql.servers import create_on_server

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
        """Creates a file with this copy, open for writing; all of it may be lazy."""
        fill = filled_with(
            copy, name=copy.corpus.name, who=who, source=source, parses=parses, reporter=reporter
        )
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
        """Opens the corpus at `location`.

        For writing it takes the lock, migrates an older file (after a backup) and backs the state
        up.

        Args:
            location: An `.awase` file, or a database URL.
            read_only: Refuse changes; needs no lock.
            password: For a server; empty = from the URL, `~/.pgpass`, the environment or the
                keyring.
            reporter: Receives progress of a migration, and may stop it.

        Raises:
            CorpusLocked: Another process has it open for writing.
        """
        told = reporter or Silent()
        if is_url(location):
            from awase.storage.postgresql.servers import open_on_server

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
        """Opens the corpus for writing, or read-only if impossible.

        Read-only with `holder` when it is locked; a full disk is among the warnings.
        """
        try:
            return cls.open(location, who=who, password=password, reporter=reporter)
        except (CorpusLocked, HardLinked, NotWritable, DiskFull) as error:
            store = cls.open(location, who=who, read_only=True, password=password)
            if isinstance(error, CorpusLocked):
                store.holder = error.holder
            elif isinstance(error, HardLinked | DiskFull):
                store._warnings = (*store.warnings, error.problem)
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
        """Closes the database after other threads' calls, and releases the lock."""
        self._transactions.close()

    def listen(self, hear: "Callable[[Heard], None]") -> "Listener | None":
        """Starts to listen to other clients; None = a file has no other writers."""
        if not is_url(self.location):
            return None
        from awase.storage.postgresql.listening import Listener

        listener = Listener(self._access.reading, self.location, hear)
        listener.start()
        return listener
