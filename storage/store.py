"""What can be changed in an open corpus, each change a transaction of its own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from awase.core.merging.handing_out import Copy
from awase.core.merging.plan import MergePlan
from awase.core.progress import Reporter, Silent
from awase.core.records.assist import EditEffort
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition
from awase.core.records.edits.edit import AlignmentEdit, Edit
from awase.core.records.score import KeptScores, ScoreTable, Selection
from awase.storage.access import Access
from awase.storage.addresses import Location, is_url
from awase.storage.changes import Changes
from awase.storage.changing import (
    Incoming,
    Taken,
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
from awase.storage.new_corpus import ParsesByModel, filled_with, filled_with_copy
from awase.storage.postgresql.connections import parts_of, parts_of_work
from awase.storage.postgresql.servers import create_on_server, open_on_server
from awase.storage.reading_store import ReadingStore
from awase.storage.rows.log import REDO, UNDO, LogRow, join_log, log_edit
from awase.storage.rows.parses import by_digest, delete_parses, write_parses
from awase.storage.rows.writing import keep_run, remove_run

if TYPE_CHECKING:
    from awase.storage.postgresql.listening import Heard, Listener


class WritingStore(ReadingStore):
    """An open corpus, to be read and changed.

    Every change is one committed transaction with its row in the operation log; when a method
    raises, nothing was changed.
    """

    @property
    def holds_writers(self) -> bool:
        """Whether a write waits for a large file to be looked at and backed up."""
        preparation = self._access.preparation
        return preparation is not None and preparation.holds_writers

    @property
    def owes_backup(self) -> bool:
        """Whether a backup of what was there before the first write is still being made."""
        preparation = self._access.preparation
        return preparation is not None and preparation.is_owed

    def wait_until_backed_up(self, reporter: Reporter | None = None) -> None:
        """Waits until a large file was looked at and backed up as it was when it was opened."""
        if self._access.preparation is not None:
            self._access.preparation.wait(reporter)

    def give_up_backup(self) -> None:
        """Ends the backup that is being made; nothing can be written after that."""
        if self._access.preparation is not None:
            self._access.preparation.stop(gives_up=True)

    def join_log(self, rows: Iterable[LogRow], replica: str) -> int:
        """Adds rows that another copy logged and returns how many were not here yet."""
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
        """Makes an edit and logs it; the edit can then be undone.

        Args:
            reporter: Told of each topic where the edit is of several.

        Raises:
            StaleEdit: The stored value is not the edit's old one.
        """
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
        """Takes back the person's last edit that is not undone."""
        return self._reverse(UNDO, who, reporter)

    def redo(self, *, who: str, reporter: Reporter | None = None) -> Changes:
        """Makes the person's last undone edit again."""
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
        """Joins an import to the corpus: all of it, or nothing; it can then be undone."""
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
        subject: str,
        who: str,
        with_sources: bool = True,
        reporter: Reporter | None = None,
    ) -> Changes:
        """Makes the corpus what `change` makes of it: all of it, or nothing; it can be undone.

        Args:
            change: A pure function, such as those of `awase.core.annotation.corpus_edits`,
                `awase.core.project.people` and `awase.core.project.assigning`, with its arguments.
                Topics are read when they are needed.
            with_sources: False where `change` changes no topic: the texts of source sentences,
                most of a corpus, are not read then.
        """
        with self._transactions.editing(who) as step:
            operation, changes = change_by(
                step.connection,
                change,
                who=who,
                verb=verb,
                subject=subject,
                with_sources=with_sources,
                reporter=reporter or Silent(),
            )
            step.log_edit(operation, changes)
        return changes

    def take_next(self, *, who: str, most: int | None = None) -> tuple[Taken, Changes]:
        """Gives a person the next free topic, which nobody else gets; it can then be undone.

        Args:
            most: The most abstracts that they may have; None = no limit.
        """
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
        """Joins copies of the corpus: all of them, or nothing; it can then be undone."""
        with self._transactions.editing(who) as step:
            plan, changes, operation = merge_into(
                step.connection, copies, who=who, names=names, reporter=reporter or Silent()
            )
            step.log_edit(operation, changes)
        return plan, changes

    def back_up(self) -> None:
        """Keeps a copy of what is stored now; on a server that is the administrator's task."""
        if not is_url(self.location):
            self.wait_until_backed_up()
            back_up(Path(self.location), self.state())

    def keep_scores(
        self, table: ScoreTable, *, title: str, who: str, corpus_state: str, selection: Selection
    ) -> KeptScores:
        """Keeps scores in the corpus; the corpus's state stays what it is.

        Args:
            title: What people will call them; not empty.
            corpus_state: As `state` told before the corpus that was scored was read.
        """
        with self._transactions.writing() as connection:
            kept = keep_run(
                connection, table, title=title, who=who, corpus_state=corpus_state,
                selection=selection,
            )  # fmt: skip
            self._transactions.tell_others(connection, who, Changes(kept_scores=True))
        return kept

    def remove_score_run(self, run_id: int) -> None:
        """Removes kept scores; that cannot be undone."""
        with self._transactions.writing() as connection:
            remove_run(connection, run_id)
            self._transactions.tell_others(connection, "", Changes(kept_scores=True))

    def add_parses(
        self, model: str, parses: Mapping[str, str], *, who: str, source: str = ""
    ) -> None:
        """Keeps parses by `model`; they replace earlier ones of the same texts.

        Args:
            source: File that they were read from, for the log; empty = parsed here.
        """
        self.take_parses(model, by_digest(parses.items()), who=who, source=source)

    def take_parses(
        self, model: str, parses: Iterable[tuple[str, str]], *, who: str, source: str
    ) -> None:
        """Keeps parses as `add_parses` does, of which not all need be in memory.

        Args:
            parses: SHA-256 of each text, in hexadecimals, with its parse; of equal texts one. What
                making them raises leaves the corpus as it was.
        """
        with self._transactions.writing() as connection:
            write_parses(connection, model, parses, who=who, source=source)
            self._transactions.tell_others(connection, who, Changes(parses=True))

    def remove_parses(self, model: str, *, who: str) -> int:
        """Removes all parses by `model` and returns how many they were."""
        with self._transactions.writing() as connection:
            n_removed = delete_parses(connection, model, who=who)
            self._transactions.tell_others(connection, who, Changes(parses=True))
        return n_removed


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
        from awase.storage.postgresql.listening import Listener

        listener = Listener(self._access.reading, self.location, hear)
        listener.start()
        return listener
